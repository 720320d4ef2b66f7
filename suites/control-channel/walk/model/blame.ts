import { isObject } from '#trace/json'
import type { ChannelEvent } from '../../model/sessions.ts'
import { harmOf, wasRendering } from './beside.ts'
import type { ScheduleRow } from './schedule-rows.ts'
import type { Request, Sight, State } from './scheduler.ts'
import type { Seen, Story } from './sights.ts'

/** Requirements that a sight breaks, and what was expected in its place. */
export interface Blame {
  readonly rows: readonly ScheduleRow[]
  readonly expected: string
  readonly got: string
  readonly places: readonly ChannelEvent[]
}

/**
 * The requirement that a sight broke, where none of the truths before it allows it.
 *
 * @param before every truth that was possible
 * @returns undefined where others judge what came
 */
export function blame(before: readonly State[], story: Story, place: number): Blame | undefined {
  const one = story.seen[place]
  if (one === undefined) return undefined
  const past = new Past(plainOf(before), story, place)
  switch (one.sight.saw) {
    case 'created':
      return past.blameStart(one.sight.id, one.at)
    case 'error':
      return past.blameRefusal(one.sight.id, one.at)
    case 'done':
      return past.blameEnd(one.sight.id, one.sight.status, one.at)
    case 'silence':
      return past.blameSilence(one.at)
    default:
      return undefined
  }
}

/** The truths in which no failure took anything with it, which is an exception, as long as there are others. */
function plainOf(before: readonly State[]): readonly State[] {
  const plain = before.filter((state) => !state.some(({ phase }) => phase === 'lost'))
  return plain.length === 0 ? before : plain
}

type Saw = Sight['saw']

class Past {
  readonly #before: readonly State[]
  readonly #story: Story
  readonly #seen: readonly Seen[]
  readonly #later: readonly Seen[]

  constructor(before: readonly State[], story: Story, place: number) {
    this.#before = before
    this.#story = story
    this.#seen = story.seen.slice(0, place)
    this.#later = story.seen.slice(place)
  }

  blameStart(id: number, at: ChannelEvent): Blame {
    const { policy } = this.#request(id)
    const expected = 'no start of it'
    const queues = policy === 'after_current_response'
    if (this.#saw('created', id)) return this.#say(['scheduling.pending-runs-once'], id, expected, 'another start', at)
    if (this.#saw('error', id)) {
      const other = this.#blameName(id, at)
      if (other !== undefined) return other
      const row = queues ? 'scheduling.pending-second-never-starts' : 'scheduling.reject-if-busy-never-starts'
      return this.#say([row], id, expected, 'a start after its error', at)
    }
    const lost = this.#waiting()
    if (lost !== undefined && lost !== id && !this.#starts(lost)) {
      const found = this.#lost(lost, at)
      // Both had a place.
      return queues ? { ...found, rows: [...found.rows, 'scheduling.pending-second-rejected'] } : found
    }
    if (this.#isSettled(id)) {
      return this.#say(['scheduling.interrupt-clears-pending'], id, expected, 'a start after it was cleared', at)
    }
    const row = queues
      ? 'scheduling.pending-second-rejected'
      : lost === undefined
        ? 'scheduling.reject-if-busy-active-rejected'
        : 'scheduling.reject-if-busy-pending-rejected'
    return this.#say([row], id, 'an error', 'a start', at)
  }

  blameRefusal(id: number, at: ChannelEvent): Blame | undefined {
    const other = this.#blameAdmission() ?? this.#blameName(id, at)
    if (other !== undefined) return other
    const { policy } = this.#request(id)
    const busy = this.#before.some((state) => state.some((one) => one.id !== id && one.phase === 'active'))
    const responses = this.#seen.some(({ sight }) => sight.saw === 'done')
    if (policy === 'after_current_response') {
      const queued = this.#seen.some(
        ({ sight }) => sight.saw === 'created' && this.#request(sight.id).policy === policy,
      )
      const free = queued ? (['scheduling.pending-slot-frees'] as const) : []
      const taken = ['scheduling.after-current-queued', 'scheduling.pending-one-accepted', ...free] as const
      const cleared = this.#hasReturned(id) ? (['scheduling.interrupt-clears-pending'] as const) : []
      const rows = busy ? [...taken, ...cleared] : (['scheduling.after-current-idle-starts', ...cleared] as const)
      return this.#say(rows, id, busy ? 'a place in the queue' : 'a start', 'an error', at)
    }
    if (policy === 'reject_if_busy') {
      const after = responses ? (['scheduling.idle-after-done'] as const) : []
      const rows = ['scheduling.reject-if-busy-idle-starts', ...after] as const
      return this.#say(rows, id, 'a start, since no response is active or waits', 'an error', at)
    }
    const rows: ScheduleRow[] = [busy ? 'scheduling.interrupt-starts-new' : 'scheduling.interrupt-idle-starts']
    if (busy && this.#isUnnamed(id)) rows.push('scheduling.interrupt-is-default')
    return policy === 'interrupt' ? this.#say(rows, id, 'a start', 'an error', at) : undefined
  }

  /**
   * The place that is missing may have been given to another one, which every truth has refused, and which starts later
   * all the same.
   */
  #blameAdmission(): Blame | undefined {
    const [one = []] = this.#before
    const denied = one.filter(
      ({ id, policy }) =>
        policy === 'after_current_response' &&
        this.#before.every((state) => state.some((other) => other.id === id && other.phase === 'refused')),
    )
    const start = this.#later.find(({ sight }) => sight.saw === 'created' && denied.some(({ id }) => id === sight.id))
    if (start?.sight.saw !== 'created') return undefined
    return this.#say(['scheduling.pending-second-rejected'], start.sight.id, 'an error', 'a start', start.at)
  }

  /** An error names one that starts all the same, and the one behind it never hears anything. */
  #blameName(id: number, at: ChannelEvent): Blame | undefined {
    if (!this.#starts(id) || !this.#later.some(({ sight }) => sight.saw === 'silence')) return undefined
    const unheard = this.#story.seen.find(
      ({ sight }) =>
        sight.saw === 'sent' &&
        sight.request.id > id &&
        sight.request.policy === 'after_current_response' &&
        !this.#isAnswered(sight.request.id),
    )
    if (unheard?.sight.saw !== 'sent') return undefined
    const [row, expected] = ['scheduling.pending-second-rejected', 'an error that names it'] as const
    return this.#say([row], unheard.sight.request.id, expected, 'an error that names another', at)
  }

  /** Its `error` came, were it later. */
  #isRefused(id: number): boolean {
    return this.#story.seen.some(({ sight }) => sight.saw === 'error' && sight.id === id)
  }

  #isAnswered(id: number): boolean {
    return this.#story.seen.some(({ sight }) => (sight.saw === 'created' || sight.saw === 'error') && sight.id === id)
  }

  /** One that was not to be cut short was cancelled. */
  blameEnd(id: number, status: string, at: ChannelEvent): Blame | undefined {
    if (status !== 'cancelled') return undefined
    const begun = this.#seen.findLastIndex(({ sight }) => sight.saw === 'created' && sight.id === id)
    const asked = this.#seen.slice(begun + 1).flatMap(({ sight }) => (sight.saw === 'sent' ? [sight.request] : []))
    const [waiting, expected] = [this.#waiting(), 'that nothing ends it before its time']
    const rejecting = asked.filter(({ policy }) => policy === 'reject_if_busy')
    const rival = rejecting.find((one) => this.#starts(one.id))
    if (rival !== undefined) {
      const beside = waiting === undefined ? [] : (['scheduling.reject-if-busy-pending-rejected'] as const)
      const rendered = wasRendering(this.#story.asked[id], this.#story.asked[rival.id])
        ? (['scheduling.reject-if-busy-rendering-rejected'] as const)
        : []
      const rows = ['scheduling.reject-if-busy-active-rejected', ...beside, ...rendered] as const
      return this.#say(rows, rival.id, 'an error', 'a start in its place', at)
    }
    const cleared = this.#returned(id)
    if (cleared !== undefined) {
      return this.#say(['scheduling.interrupt-clears-pending'], cleared, 'no start of it', 'a start all the same', at)
    }
    const rows: ScheduleRow[] = waiting === undefined ? [] : ['scheduling.after-current-leaves-active']
    if (rejecting.length > 0) rows.push('scheduling.reject-if-busy-leaves-active')
    if (asked.some(({ sound, id: other }) => !sound && this.#isRefused(other)))
      rows.push('response-create.rejected-leaves-active-alone')
    return rows.length === 0 ? undefined : this.#say(rows, id, expected, 'cancelled', at)
  }

  /** What waited for a response that was interrupted, and was told as begun when the interruption had been asked for. */
  #returned(id: number): number | undefined {
    let interrupting = id
    for (const { sight } of this.#seen) {
      if (sight.saw === 'sent' && sight.request.policy === 'interrupt') interrupting = sight.request.id
      const waited = sight.saw === 'created' && sight.id > id && sight.id < interrupting
      if (waited && this.#request(sight.id).policy === 'after_current_response') return sight.id
    }
    return undefined
  }

  /** Something was asked for, and nothing came of it. */
  blameSilence(at: ChannelEvent): Blame | undefined {
    const lost = this.#waiting()
    if (lost !== undefined) return this.#lost(lost, at)
    const owed = this.#before.map((state) => state.find(({ told, phase }) => !told && phase !== 'waiting'))
    const [one] = owed
    if (one === undefined || !owed.every((other) => other?.id === one.id)) return undefined
    // It may have begun and ended without a word.
    if (one.policy === 'after_current_response') return this.#besideLater(one.id, this.#lost(one.id, at))
    const rows = {
      interrupt: 'scheduling.interrupt-starts-new',
      reject_if_busy: 'scheduling.idle-after-done',
    } as const
    const row = one.policy in rows ? rows[one.policy as keyof typeof rows] : undefined
    const more =
      one.policy === 'interrupt' && this.#isUnnamed(one.id) ? (['scheduling.interrupt-is-default'] as const) : []
    return row === undefined ? undefined : this.#say([row, ...more], one.id, 'a start or an error', 'nothing', at)
  }

  /** One that was sent later waited as well, and started: one of them should have been refused. */
  #besideLater(id: number, found: Blame): Blame {
    const later = this.#seen.some(
      ({ sight }) =>
        sight.saw === 'created' && sight.id > id && this.#request(sight.id).policy === 'after_current_response',
    )
    return later ? { ...found, rows: [...found.rows, 'scheduling.pending-second-rejected'] } : found
  }

  /** What waited was lost, whatever happened while it did. */
  #lost(id: number, at: ChannelEvent): Blame {
    const queued = this.#seen.findIndex(({ sight }) => sight.saw === 'sent' && sight.request.id === id)
    const since = this.#seen.slice(queued + 1).map(({ sight }) => sight)
    const refused = since.flatMap((sight) => (sight.saw === 'error' ? [this.#request(sight.id).policy] : []))
    const active = this.#seen.slice(0, queued).findLast(({ sight }) => sight.saw === 'created')?.sight
    const rows: ScheduleRow[] = ['scheduling.after-current-runs']
    if (refused.includes('reject_if_busy')) rows.push('scheduling.reject-if-busy-leaves-pending')
    if (refused.includes('after_current_response')) rows.push('scheduling.pending-second-leaves-first')
    if (active?.saw === 'created' && this.#hasInterrupted(active.id))
      rows.push('scheduling.interrupt-leaves-later-pending')
    rows.push(...harmOf(this.#story.asked[id], this.#seen.at(-1)?.at.line ?? 0))
    return this.#say(rows, id, 'its start, once the active response was over', 'none', at)
  }

  /** Another response was active when it was sent. */
  #hasInterrupted(id: number): boolean {
    const sent = this.#seen.findIndex(({ sight }) => sight.saw === 'sent' && sight.request.id === id)
    const before = this.#seen.slice(0, sent).map(({ sight }) => sight)
    const open =
      before.filter(({ saw }) => saw === 'created').length - before.filter(({ saw }) => saw === 'done').length
    return this.#request(id).policy === 'interrupt' && open > 0
  }

  /** What waits in every truth. */
  #waiting(): number | undefined {
    const waiting = this.#before.map((state) => state.find(({ phase, told }) => phase === 'waiting' && !told)?.id)
    const begun = this.#before.flatMap((state) => state.filter(({ phase, told }) => phase === 'active' && !told))
    const [first] = waiting.filter((id) => id !== undefined)
    const same = waiting.every((id, place) => id === first || this.#isUntold(this.#before[place], first))
    return first !== undefined && same && begun.every(({ id }) => id === first || waiting.includes(first))
      ? first
      : undefined
  }

  /** Begun, as far as anybody knows, and not told. */
  #isUntold(state: State | undefined, id: number | undefined): boolean {
    return state?.some((one) => one.id === id && !one.told) === true
  }

  #starts(id: number): boolean {
    return this.#later.some(({ sight }) => sight.saw === 'created' && sight.id === id)
  }

  #saw(saw: Saw, id: number): boolean {
    return this.#seen.some(({ sight }) => sight.saw === saw && 'id' in sight && sight.id === id)
  }

  /** Something that was cleared before it starts all the same. */
  #hasReturned(before: number): boolean {
    return this.#story.asked.some(
      (_, id) => id < before && this.#isSettled(id) && !this.#saw('created', id) && this.#starts(id),
    )
  }

  /** No truth has it any more, unless an `error` is still to say that it was cleared. */
  #isSettled(id: number): boolean {
    const found = this.#before.map((state) => state.find((one) => one.id === id))
    return found.includes(undefined) && found.every((one) => one === undefined || one.phase === 'refused')
  }

  /** Sent without a policy. */
  #isUnnamed(id: number): boolean {
    const response = this.#story.asked[id]?.event['response']
    return !isObject(response) || response['scheduling_policy'] === undefined
  }

  #request(id: number): Request {
    const found = this.#story.seen.find(({ sight }) => sight.saw === 'sent' && sight.request.id === id)?.sight
    return found?.saw === 'sent'
      ? found.request
      : { id, policy: 'unknown', sound: false, behind: new Set(), mayClear: false }
  }

  #say(rows: readonly ScheduleRow[], id: number, expected: string, got: string, at: ChannelEvent): Blame {
    const sent = this.#story.asked[id]
    return { rows, expected, got, places: [...(sent === undefined ? [] : [sent]), at] }
  }
}
