import type { Condition } from '#trace/claim'
import { all, any, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import { at as pick, type JsonObject } from '#trace/json'
import { type Avatars, distinct, mayFail, outcomes, readAsked, readAvatar, type State } from '../model/state.ts'
import type { Row } from '../rows.ts'
import type { ClaimOptions, Faulty, Talk } from '../talk.ts'
import { type Update, update, type Updated, type UpdateOptions } from './updates.ts'

/** What `session.updated` shows of a state. */
const names = { mode: 'mode', avatar: 'active_avatar_id', image: 'source_image_id' } as const

type Field = keyof typeof names

/** Which fields a row speaks about. */
type Shown = { readonly [row in Row]?: readonly Field[] }

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

  /** Sends an update without a fault. */
  async apply(talk: Talk, session: JsonObject, shown: Shown = {}, options: CourseOptions = {}): Promise<Updated> {
    const { given = [], told } = options
    const asked = readAsked({ session })
    const allowed = distinct(this.#states.flatMap((state) => outcomes(state, asked, this.#avatars)))
    const free = this.#states.some((state) => mayFail(state, asked))
    const write = (it: Update) => {
      const open = free ? [it.completes, it.confirmed] : told === 'by-id' ? [it.confirmed] : []
      const grounds: ClaimOptions = { given: [...given, ...open], choice: open.length > 0 || given.length > 0 }
      for (const [row, fields] of Object.entries(shown) as [Row, readonly Field[]][]) {
        talk.claim(row, shows(it, fields, allowed), grounds)
      }
      options.write?.(it)
    }
    const sent = await update(talk, session, { ...(told === undefined ? {} : { told }), refusable: free, write })
    const completed = pick(sent.end?.data, '/status') === 'completed'
    this.#states = completed ? allowed : distinct([...this.#states, ...allowed])
    return sent
  }

  /** Sends an update whose fault shows at first sight: an `error`, and nothing changes. */
  async refuseOutright(talk: Talk, [row, session]: Refusal, options: ClaimOptions): Promise<void> {
    const message = { type: 'session.update', event_id: talk.context.id('faulty-update'), session }
    await talk.fault(message, (it) => talk.claim(row, it.rejected, options))
  }

  /** Sends an update that must not complete. @returns that an `error` refused it */
  async refuse(talk: Talk, [row, session]: Refusal, options: ClaimOptions): Promise<Condition> {
    const id = talk.context.id('faulty-update')
    const end = event('session.update.done', { '/request_event_id': id })
    const failed = event('session.update.done', { '/request_event_id': id, '/status': { $not: 'completed' } })
    const message = { type: 'session.update', event_id: id, session }
    const write = (it: Faulty) => {
      talk.claim(row, any(it.rejected, talk.eventually(failed, it.at)), options)
    }
    const { rejected } = await talk.fault(message, write, { others: [end] })
    const asked = readAsked({ session })
    const acknowledged = this.#states.map(
      (state): State => ({
        mode: asked.mode ?? state.mode,
        avatar: asked.avatar ?? state.avatar,
        image: asked.image,
      }),
    )
    this.#states = distinct([...this.#states, ...acknowledged])
    return rejected
  }
}

export type Refusal = readonly [row: Row, session: JsonObject]

interface CourseOptions extends Pick<UpdateOptions, 'told' | 'write'> {
  readonly given?: readonly Condition[]
}

/** Each field is one that a state has; an image that nobody can tell is left out. */
function shows(it: Update, fields: readonly Field[], allowed: readonly State[]): Condition {
  const some = fields.flatMap((field) => {
    const values = allowed.map((state) => state[field])
    const known = values.filter((one) => one !== undefined)
    if (known.length < values.length) return []
    const [first, ...others] = known
    const wanted = others.length === 0 && first !== undefined ? value(first) : oneOf(...known)
    return [equals(inEvent(it.updated, `/session/${names[field]}`), wanted)]
  })
  return all(it.confirmed, ...some)
}
