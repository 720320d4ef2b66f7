import { objectOf } from '../../core/envelope.ts'
import type { Flaw } from '../../core/events/chain.ts'
import { answersAnother, type Names } from '../../core/events/foreign.ts'
import type { ServerEvent } from '../../core/events/frames.ts'

/** Updates whose ends are remembered; earlier ones are long over. */
const REMEMBERED = 8

/** What a session has to keep while its connections come and go, as its updates show it. */
export class KeptState {
  /** Whether `session.closed` came. */
  closed = false
  #awaited: { readonly eventId: string; hear(event: ServerEvent, at: number): void } | undefined
  #owed: { readonly eventId: string; settle(): void } | undefined
  /** The update that last set the active avatar, and whether it is known to be applied. */
  #set: { readonly by: string; readonly avatar: string; applied: boolean } | undefined
  /** Updates that were acknowledged on this connection, and those that have ended on any. */
  #acknowledged: readonly string[] = []
  #ended: readonly string[] = []
  readonly #names: Names
  readonly #found: (flaw: Flaw) => void
  readonly #told: (status: unknown) => void

  /** Which avatar its updates begin with. */
  readonly first: number

  /** @param told of how each update ended */
  constructor(names: Names, found: (flaw: Flaw) => void, told: (status: unknown) => void, first: number) {
    this.first = first
    this.#names = names
    this.#found = found
    this.#told = told
  }

  /** On a new connection. */
  reconnected(): void {
    this.#acknowledged = []
  }

  /** The next answer to this update; `avatar` where it sets the active one. */
  await(eventId: string, avatar: string | undefined, hear: (event: ServerEvent, at: number) => void): void {
    if (avatar !== undefined) this.#set = { by: eventId, avatar, applied: false }
    this.#awaited = { eventId, hear }
  }

  forget(): void {
    this.#awaited = undefined
  }

  /** Resolves once this update has ended. */
  async ended(eventId: string): Promise<void> {
    if (this.#ended.includes(eventId)) return
    await new Promise<void>((settle) => (this.#owed = { eventId, settle }))
  }

  take(event: ServerEvent, at: number): void {
    const { type } = event
    if (answersAnother(this.#names, event)) this.#found('events-of-another')
    this.closed ||= type === 'session.closed'
    if (type === 'session.updated') this.#updated(event)
    if (type === 'session.update.done') this.#done(event)
    if (type !== 'session.updated' && type !== 'error') return
    const named = type === 'error' ? objectOf(event['error'])['event_id'] : event['event_id']
    if (this.#awaited?.eventId === named) this.#awaited?.hear(event, at)
  }

  /** "Exactly one `session.updated`" on a connection; every one shows the avatar that was set last. */
  #updated({ event_id: eventId, session }: ServerEvent): void {
    if (!this.#isOwn(eventId)) return
    if (this.#acknowledged.includes(eventId)) this.#found('updated-again')
    this.#acknowledged = [...this.#acknowledged, eventId].slice(-REMEMBERED)
    const shown = objectOf(session)['active_avatar_id']
    const { applied = false, avatar } = this.#set ?? {}
    if (applied && this.#awaited?.eventId === eventId && typeof shown === 'string' && shown !== avatar)
      this.#found('state-lost')
  }

  /** "Not retained or replayed" (6.2): once, on whichever connection. */
  #done({ request_event_id: eventId, status }: ServerEvent): void {
    if (!this.#isOwn(eventId)) return
    if (this.#ended.includes(eventId)) {
      this.#found('update-done-again')
      return
    }
    this.#told(status)
    this.#ended = [...this.#ended, eventId].slice(-REMEMBERED)
    if (this.#set?.by === eventId && status === 'completed') this.#set.applied = true
    if (this.#owed?.eventId === eventId) this.#owed.settle()
  }

  #isOwn(eventId: unknown): eventId is string {
    return typeof eventId === 'string' && eventId.startsWith(this.#names.own)
  }
}
