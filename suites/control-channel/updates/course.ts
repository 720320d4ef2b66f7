import type { Condition } from '#trace/claim'
import { all, any, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import { at as pick, type JsonObject } from '#trace/json'
import type { Terms } from '../expectation.ts'
import {
  asShown,
  type Avatars,
  distinct,
  mayFail,
  outcomes,
  readAsked,
  readAvatar,
  type State,
} from '../model/state.ts'
import type { Row } from '../rows.ts'
import type { Talk } from '../talk.ts'
import { type Update, update, type Updated, type UpdateOptions } from './updates.ts'

/** What `session.updated` shows of a state. */
const names = { mode: 'mode', avatar: 'active_avatar_id', image: 'source_image_id' } as const

type Field = keyof typeof names

/** Which fields a row speaks about. */
type Shown<R extends Row> = { readonly [row in R]?: Field | readonly Field[] }

/**
 * A session on its way through updates. What each of them may show follows from the model that judges in passing, so that
 * the two never disagree: every state that may be in effect is kept.
 */
export class Course {
  readonly #avatars: Avatars
  #states: readonly State[]

  constructor(avatars: readonly JsonObject[], initial: State) {
    const known = new Map(avatars.map((avatar) => [pick(avatar, '/avatar_id'), readAvatar(avatar)]))
    this.#avatars = (id) => known.get(id)
    this.#states = [initial]
  }

  /** Sends an update without a fault. @param shown which fields rows ask about */
  async apply<R extends Row>(
    talk: Talk<R>,
    session: JsonObject,
    shown: Shown<R> = {},
    { given = [], told }: CourseOptions = {},
  ): Promise<Updated> {
    const asked = readAsked({ session })
    const allowed = distinct(this.#states.flatMap((state) => outcomes(state, asked, this.#avatars)))
    const free = this.#states.some((state) => mayFail(state, asked))
    const expect = (it: Update): undefined => {
      const open = free ? [it.completes, it.confirmed] : told === 'by-id' ? [it.confirmed] : []
      const terms: Terms = { given: [...given, ...open], choice: open.length > 0 || given.length > 0 }
      for (const [row, fields] of Object.entries(shown) as [R, Field | readonly Field[]][]) {
        talk.claim(row, shows(it, [fields].flat(), allowed), terms)
      }
    }
    const inVideo = allowed.some(({ mode }) => mode === 'video_avatar')
    const options = { ...(told === undefined ? {} : { told }), refusable: free, inVideo, expect }
    const sent = await update<R>(talk, session, options)
    const completed = pick(sent.end?.data, '/status') === 'completed'
    this.#states = completed ? allowed : distinct([...this.#states, ...allowed])
    return sent
  }

  /** Sends an update of which the claims are of no account. */
  async pass(talk: Talk, session: JsonObject): Promise<Updated> {
    return this.apply(talk, session, {}, { told: 'by-id' })
  }

  /** Sends an update whose fault shows at first sight: an `error`, and nothing changes. @returns that it was refused */
  async refuseOutright<R extends Row>(
    talk: Talk<R>,
    row: R,
    session: JsonObject,
    control: Condition,
  ): Promise<Condition> {
    const message = { type: 'session.update', event_id: talk.context.id('faulty-update'), session }
    return (await talk.fault(message, (it) => talk.claim(row, it.rejected, { given: [control] }))).rejected
  }

  /** Sends an update that must not complete. @returns that an `error` refused it */
  async refuse<R extends Row>(talk: Talk<R>, row: R, session: JsonObject, terms: Terms): Promise<Condition> {
    const id = talk.context.id('faulty-update')
    const end = event('session.update.done', { '/request_event_id': id })
    const failed = event('session.update.done', { '/request_event_id': id, '/status': { $not: 'completed' } })
    const message = { type: 'session.update', event_id: id, session }
    const { rejected } = await talk.fault(
      message,
      (it) => talk.claim(row, any(it.rejected, talk.eventually(failed, it.at)), terms),
      { others: [end] },
    )
    const { mode, avatar, image } = readAsked({ session })
    const acknowledged = this.#states.map(
      (state): State => ({ mode: mode ?? state.mode, avatar: avatar ?? state.avatar, image }),
    )
    this.#states = distinct([...this.#states, ...acknowledged])
    return rejected
  }
}

interface CourseOptions extends Pick<UpdateOptions<Row>, 'told'>, Pick<Terms, 'given'> {}

/** Each field is one that a state has; an image that nobody can tell is left out. */
function shows(it: Update, fields: readonly Field[], allowed: readonly State[]): Condition {
  const some = fields.flatMap((field) => {
    const values = allowed.map((state) => asShown(state)[field])
    const known = values.filter((one) => one !== undefined)
    if (known.length < values.length) return []
    const [first, ...others] = known
    const wanted = others.length === 0 && first !== undefined ? value(first) : oneOf(...known)
    return [equals(inEvent(it.updated, `/session/${names[field]}`), wanted)]
  })
  return all(it.confirmed, ...some)
}
