import { readOnce } from '#judge/read-once'
import { show } from '#judge/show'
import type { Json } from '#trace/json'
import { avatarsAt, avatarsOf } from '../model/avatars.ts'
import { faultOf } from '../model/faults.ts'
import { type Change, imageRows, judgeImage } from '../model/image.ts'
import { explainedByRefused, visibleIfApplied } from './refused.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type Session, sessionsOf } from '../model/sessions.ts'
import { type Avatars, explains, outcomes, readAvatar, type State } from '../model/state.ts'
import { type Step, timelineOf } from '../model/timeline.ts'

const proves = [
  ...imageRows,
  'session-update.active-avatar-applied',
  'session-update.mode-kept-when-omitted',
  'session-update.active-avatar-kept-when-omitted',
  'session-update.text-chat-mode-applied',
  'session-update.video-mode-applied',
  'session-update.persists',
  'session-update.newest-wins',
  'session-update.rejected-changes-nothing',
  'session-updated.active-avatar-known',
  'session-updated.source-image-set-in-video',
  'session-updated.source-image-null-in-text-chat',
  'avatar-add.not-active',
  'avatar-add.not-active-source-image',
  'secret.reconnect-keeps-state',
  'connections.state-shared',
] as const

type Own = (typeof proves)[number]

/** `session.updated` shows the state that the updates before it lead to (4.4, 6.2). */
export const sessionState = ruleOf('session-state', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const { steps, initial } = timelineOf(session)
    for (const [place, step] of steps.entries()) {
      new StepJudge(session, step, initial, steps.slice(0, place), say).judge()
    }
  }
})

const givenTo = readOnce((session: Session) => avatarsOf(session).given.map(({ value }) => readAvatar(value)))

class StepJudge {
  readonly #session: Session
  readonly #step: Step
  readonly #initial: State | undefined
  readonly #earlier: readonly Step[]
  readonly #avatars: Avatars
  readonly #say: Say<Own>
  #blamed = false

  constructor(session: Session, step: Step, initial: State | undefined, earlier: readonly Step[], say: Say<Own>) {
    this.#session = session
    this.#step = step
    this.#initial = initial
    this.#earlier = earlier
    this.#avatars = avatarsAt(session, step.received.line)
    this.#say = say
  }

  judge(): void {
    const { before, explained, certain, update } = this.#step
    // What an update shows that fails in the end, as in video it may, is a choice.
    if (update.done.some(({ event }) => event['status'] === 'failed')) return
    this.#judgeShown()
    const [base] = before
    if (base === undefined || this.#isFaulty()) return
    if (!explained && !this.#blamed) this.#blame(base)
    if (explained && this.#step.newest) this.#hold('session-update.newest-wins')
    if (explained && certain) this.#praise(base)
  }

  /** What should have been refused is judged as that. */
  #isFaulty(): boolean {
    const others = givenTo(this.#session)
    return this.#step.before.every(
      (state) => faultOf(state, this.#step.update.asked, this.#avatars, others) !== undefined,
    )
  }

  /** What holds of any state, whatever came before. */
  #judgeShown(): void {
    const { shown, update, before } = this.#step
    const { given } = avatarsOf(this.#session)
    const avatar = this.#avatars(shown.avatar)
    const asksForIt = update.asked.avatar === shown.avatar
    if (given.length > 0 && !(avatar === undefined && asksForIt)) {
      this.#check('session-updated.active-avatar-known', avatar !== undefined, 'an avatar of the session')
    }
    if (shown.mode === 'text_chat' && shown.image !== undefined) {
      this.#check('session-updated.source-image-null-in-text-chat', shown.image === null, 'no source image')
      const left = update.asked.mode === 'text_chat' && before[0]?.mode === 'video_avatar'
      if (left && shown.image !== null) this.#break('session-update.to-text-chat-clears-image', 'no source image')
    }
    if (shown.mode !== 'video_avatar' || avatar === undefined || shown.image === undefined) return
    if (shown.image === null ? this.#mayShowNull() : update.asked.image === shown.image) return
    if (this.#tookImage()) {
      this.#break('avatar-add.not-active-source-image', 'the source image of before')
      return
    }
    const drops = before.some((one) => one.avatar !== shown.avatar && one.image === shown.image)
    const owned = shown.image !== null && avatar.images.get(shown.image) === true
    if (owned || !drops)
      this.#check('session-updated.source-image-set-in-video', owned, 'an image of the active avatar')
    const [base] = before
    if (!owned && !drops && base !== undefined && base.mode !== 'video_avatar') this.#blameImage(base)
  }

  /** Null may be shown after null, and the default be rendered; and where nobody knows what was before, it may have been null. */
  #mayShowNull(): boolean {
    const { before, update, shown } = this.#step
    if (before.length === 0) return true
    return before.some((state) => outcomes(state, update.asked, this.#avatars).some((one) => explains(one, shown)))
  }

  #blame(base: State): void {
    const { update, refused, shown } = this.#step
    const { asked } = update
    if (explainedByRefused(this.#step, this.#avatars)) {
      this.#break(
        'session-update.rejected-changes-nothing',
        show(base as unknown as Json),
        ...(refused[0]?.errors ?? []),
      )
      return
    }
    if (asked.avatar === undefined && shown.avatar !== base.avatar && this.#added(shown.avatar)) {
      this.#break('avatar-add.not-active', base.avatar)
      return
    }
    this.#blameField(asked.mode, 'mode', base)
    this.#blameField(asked.avatar, 'avatar', base)
    if (!this.#blamed) this.#blameImage(base)
    const afterBurst = this.#earlier.at(-1)?.newest === true
    if (!this.#blamed || afterBurst) this.#break('session-update.newest-wins', show(base as unknown as Json))
  }

  #blameField(asked: string | undefined, field: 'mode' | 'avatar', base: State): void {
    const { shown, before } = this.#step
    if (before.some((one) => shown[field] === (asked ?? one[field]))) return
    this.#break(asked === undefined ? keptRow[field] : appliedRow(field, asked), asked ?? base[field])
    if (asked === undefined && this.#initial !== undefined && base[field] !== this.#initial[field]) {
      this.#break('session-update.persists', base[field])
    }
    const across = this.#across()
    if (asked === undefined && across !== undefined) this.#break(across, base[field])
  }

  /** Where the state was shown on another connection last: it is that of the session. */
  #across(): Own | undefined {
    const last = this.#earlier.at(-1)?.update.sent.connection
    const { connection } = this.#step.update.sent
    if (last === undefined || last === connection) return undefined
    const ended = last.record.closed?.line ?? Number.POSITIVE_INFINITY
    return ended < connection.asked.line ? 'secret.reconnect-keeps-state' : 'connections.state-shared'
  }

  #blameImage(base: State): void {
    const { asked } = this.#step.update
    const omitted = asked.image === undefined && asked.avatar === undefined && asked.mode === undefined
    if (omitted && this.#hasAdded()) {
      this.#break('avatar-add.not-active-source-image', show(base.image ?? null))
      return
    }
    for (const { row, good, expected } of judgeImage(this.#change(base), this.#avatars)) {
      if (good) continue
      this.#break(row, expected)
      const across = row === 'session-update.source-image-kept-when-omitted' ? this.#across() : undefined
      if (across !== undefined) this.#break(across, expected)
    }
  }

  #praise(base: State): void {
    const { asked } = this.#step.update
    if (asked.avatar !== undefined && asked.avatar !== base.avatar) this.#hold('session-update.active-avatar-applied')
    if (asked.avatar === undefined) this.#hold('session-update.active-avatar-kept-when-omitted')
    if (asked.mode === undefined) this.#hold('session-update.mode-kept-when-omitted')
    else this.#hold(appliedRow('mode', asked.mode))
    const moved =
      this.#initial !== undefined &&
      (['mode', 'avatar'] as const).some((field) => {
        return asked[field] === undefined && base[field] !== this.#initial?.[field]
      })
    if (moved) this.#hold('session-update.persists')
    const across = this.#across()
    if (moved && across !== undefined) this.#hold(across)
    if (visibleIfApplied(this.#step, this.#avatars)) this.#hold('session-update.rejected-changes-nothing')
    if (asked.avatar === undefined && this.#hasAdded()) this.#hold('avatar-add.not-active')
    if (this.#hasAdded() && asked.image === undefined && base.mode === 'video_avatar' && asked.mode === undefined) {
      this.#hold('avatar-add.not-active-source-image')
    }
    for (const { row, good } of judgeImage(this.#change(base), this.#avatars)) if (good) this.#hold(row)
  }

  #change(before: State): Change {
    const { update, shown } = this.#step
    const last = this.#earlier.findLast(({ shown: one }) => one.mode === 'video_avatar')
    const old = last?.shown.image ?? (last === undefined ? this.#initial?.image : undefined)
    return { before, asked: update.asked, shown, cleared: typeof old === 'string' ? old : undefined }
  }

  /** Whether an avatar was added since the state was last shown. */
  #hasAdded(): boolean {
    const { since, received } = this.#step
    return avatarsOf(this.#session).confirmations.some(
      (one) => one.received.line > since && one.received.line < received.line,
    )
  }

  /** The image is that of an avatar which was added since, and which is not the active one. */
  #tookImage(): boolean {
    const { shown, since, received, update } = this.#step
    const { confirmations } = avatarsOf(this.#session)
    const lately = confirmations.filter((one) => one.received.line > since && one.received.line < received.line)
    const others = lately.flatMap(({ addition }) => addition?.members ?? []).filter(({ id }) => id !== shown.avatar)
    const taken = others.some(({ value }) => readAvatar(value).images.has(shown.image ?? ''))
    return taken && update.asked.image === undefined && !this.#avatars(shown.avatar)?.images.has(shown.image ?? '')
  }

  #added(avatar: string): boolean {
    const { additions, given } = avatarsOf(this.#session)
    if (given.some(({ id }) => id === avatar)) return false
    return additions.some(({ sent, members }) => {
      return sent.line < this.#step.received.line && members.some(({ id }) => id === avatar)
    })
  }

  #check(row: Own, good: boolean, expected: string): void {
    if (good) this.#hold(row)
    else this.#break(row, expected)
  }

  #hold(row: Own): void {
    this.#say.held(row, this.#step.update.sent, this.#step.received)
  }

  #break(row: Own, expected: string, ...more: Parameters<Say['held']>[1][]): void {
    this.#blamed = true
    const got = show(this.#step.received.event['session'])
    this.#say.broken(row, expected, got, ...more, this.#step.update.sent, this.#step.received)
  }
}

const keptRow = {
  mode: 'session-update.mode-kept-when-omitted',
  avatar: 'session-update.active-avatar-kept-when-omitted',
} as const

function appliedRow(field: 'mode' | 'avatar', asked: string): Own {
  if (field === 'avatar') return 'session-update.active-avatar-applied'
  return asked === 'video_avatar' ? 'session-update.video-mode-applied' : 'session-update.text-chat-mode-applied'
}
