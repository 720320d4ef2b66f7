import type { Channel, Exchange, RestCall } from '#client/types'
import { mayTellOfKey } from '#judge/answers'
import { isFailedResponse, isOwnFailure } from '#judge/conditions/own-failure'
import { moderationCode } from '#spec/code-groups'
import { workspaceOf } from '#spec/profile'
import { isMishap, type OperationId, operations } from '#spec/tables'
import { at, textAt, textsIn } from '#trace/json'
import { tellsOfEnd } from '../author/session-ending.ts'
import { capacityCode } from './quota.ts'
import { createStored } from './stored.ts'
import { createTimers } from './timers.ts'

/** Notes what goes wrong on the way to the target while one scenario is driven. */
export interface Disturbance {
  answered(operation: OperationId, call: RestCall, answer: Exchange): void
  /** The service failed over a write to the end, and took no other one meanwhile. */
  failedAlone(): void
  /** A session is about to be closed: whoever ended it before was not we. */
  closing(session: string, channels: readonly Channel[]): void
  /** Whether a session was asked to close: nobody need let us into it any more. */
  isClosing(session: string): boolean
  /** A session ended, as Get shows, though nobody said so or asked for it. */
  cutOff(session: string): void
  /** What may have kept the scenario from seeing what it wanted to see. */
  troubles(channels: readonly Channel[]): readonly string[]
}

/** @param moderated the text that moderation is known to reject, where the profile names one */
export function createDisturbance(moderated?: string): Disturbance {
  const met = new Set<string>()
  const closed = new Set<string>()
  const ended = new Set<string>()
  const active = new Set<string>()
  const timers = createTimers()
  const characters = createStored()
  /** Creates that were refused for want of capacity, and were not accepted since. */
  const lacking = new Set<string>()
  const see = (channels: readonly Channel[]): void => {
    for (const channel of channels) if (!closed.has(channel.session) && tellsOfEnd(channel)) ended.add(channel.session)
  }
  return {
    answered: (operation, call, answer) => {
      if (answer.trouble !== undefined && !isHasty(call, answer)) met.add(answer.trouble)
      if (mayHaveActed(operation, call, answer) && !isHasty(call, answer)) met.add(`${operation} repeated`)
      if (isModerated(call, answer, moderated)) met.add('moderation rejected the content')
      if (characters.misses(operation, call, answer)) met.add('a character was not found as it was deleted')
      // Whoever does not send again after a refusal wanted to see it.
      if (answer.code === capacityCode && call.retry !== 'never') lacking.add(nameOf(call))
      else if (answer.ok && lacking.size > 0) lacking.delete(nameOf(call))
      timers.answered(operation, call.body, answer.data, call.params?.['character_id'])
      const session = call.params?.['session_id']
      if (session === undefined) return
      if (operation === 'close-world-session' && answer.ok) closed.add(session)
      if (operation !== 'get-world-session' || closed.has(session)) return
      if (isClosed(answer)) ended.add(session)
      // One that failed before it was active never came to what was wanted of it, and the next may be no better.
      const status = textAt(answer.data, '/status')
      if (status === 'active') active.add(session)
      if (status === 'failed' && active.has(session)) ended.add(session)
    },
    failedAlone: () => void met.add('the service failed over a request, and took no other one meanwhile'),
    closing: (session, channels) => {
      see(channels)
      // What broke before is none of the close's doing.
      for (const trouble of channels.flatMap((channel) => troubleOf(channel, closed))) met.add(trouble)
      closed.add(session)
    },
    isClosing: (session) => closed.has(session),
    cutOff: (session) => void ended.add(session),
    troubles: (channels) => {
      see(channels)
      const byService = [...ended].filter((session) => timers.none(session))
      return [
        ...met,
        ...channels.flatMap((channel) => troubleOf(channel, closed)),
        ...(lacking.size > 0 ? [capacityLacked] : []),
        ...(channels.some(failedOverOurs) ? ['the service failed over an event'] : []),
        ...(channels.some(failedMidway) ? ['a response failed'] : []),
        ...byService.map(() => sessionEnded),
      ]
    },
  }
}

/** The trouble that a session ended which nobody had ended, and which had no timer. */
export const sessionEnded = 'a session ended by itself'

/** The trouble that a create was refused for want of capacity, however often it was sent: "retry after a short backoff" (section 7). */
export const capacityLacked = 'capacity lacked for a create'

/** A create that is sent again has the same key, or at least the same body. */
function nameOf({ body }: RestCall): string {
  return textAt(body, '/idempotency_key') ?? JSON.stringify(body)
}

/** A world session that shows its end, for which nobody need have asked: "missing, closed or expired" (section 7). */
const isClosed = ({ data }: Exchange): boolean => ['closing', 'closed'].includes(textAt(data, '/status') ?? '')

/**
 * By its own words; what it names is an event of ours. One that names none is about ours where we sent one without an id, or
 * where it is what came next.
 */
function failedOverOurs({ frames, nameless }: Channel): boolean {
  return frames.some(
    ({ data, is_next = false }) =>
      isOwnFailure(data) && (nameless > 0 || is_next || typeof at(data, '/error/event_id') === 'string'),
  )
}

/**
 * A write that was sent again and then refused: whether the target took it at an attempt whose answer was lost, nobody can
 * tell, but for a create with an idempotency key, unless the refusal may be about the key. And a session whose create was sent again: what the answer to a
 * repetition shows beside the session is not said (sections 3 and 4.1).
 */
function mayHaveActed(operation: OperationId, { body }: RestCall, answer: Exchange): boolean {
  if (answer.repeated !== true || operations[operation].method === 'GET') return false
  if (answer.ok) return operation === 'create-world-session' || operation === 'create-avatar-session'
  if (isMishap(answer)) return false
  return at(body, '/idempotency_key') === undefined || mayTellOfKey(operation, answer.code ?? 0)
}

/** Moderation rejected content that nobody meant to be rejected: what it rejects is not said (4.2). */
function isModerated({ body }: RestCall, { code }: Exchange, moderated: string | undefined): boolean {
  return code === moderationCode && !textsIn(body).some((text) => moderated !== undefined && text.includes(moderated))
}

/**
 * Whoever has no patience, on purpose, is not disturbed by what he did not wait for; nor is a burst of requests, of which
 * one more or less decides nothing.
 */
function isHasty(call: RestCall, { failure }: Exchange): boolean {
  if (call.pace === false) return true
  return failure === 'timeout' && (call.give_up === true || call.deadline_ms !== undefined)
}

/** A response from which text came was as it should be; what failed then was none of our doing. */
function failedMidway({ frames }: Channel): boolean {
  return frames.some(({ data }) => isFailedResponse(data) && textsIn(at(data, '/response/output/0/content')).length > 1)
}

/** A connection that ends with its session may do so without a word. */
function troubleOf(channel: Channel, closed: ReadonlySet<string>): string[] {
  const { state, trouble, session } = channel
  const ended = state === 'closed' && (closed.has(session) || tellsOfEnd(channel))
  return trouble === undefined || ended ? [] : [trouble]
}

/** Notes over which writes the service failed while it took no other one: it may have been down for all of them. */
export interface FailedAlone {
  /**
   * Sends a request.
   *
   * @param alone is called where its scenario has to be driven again, for nothing shows whom the failure is about: at most
   *   once for each scenario
   */
  around(request: Sent, send: () => Promise<Exchange>, alone: () => void): Promise<Exchange>
}

interface Sent {
  readonly scenario: string
  readonly operation: OperationId
  readonly key: RestCall['key']
}

export function createFailedAlone(): FailedAlone {
  /** Writes that were taken, by workspace. */
  const taken = new Map<string, number>()
  const told = new Set<string>()
  return {
    around: async ({ scenario, operation, key = 'primary' }, send, alone) => {
      if (operations[operation].method === 'GET') return send()
      const workspace = workspaceOf(key)
      const before = taken.get(workspace) ?? 0
      const answer = await send()
      const now = taken.get(workspace) ?? 0
      if (answer.ok) taken.set(workspace, now + 1)
      if (isMishap(answer) && now === before && !told.has(scenario)) {
        told.add(scenario)
        alone()
      }
      return answer
    },
  }
}
