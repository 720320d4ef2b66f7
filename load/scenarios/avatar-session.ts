import { countFare } from '../core/fared.ts'
import { namedSession, type RestAnswer, type Session, sessionIn } from '../core/envelope.ts'
import { statusIn } from '../core/limits/listing.ts'
import { isCalledWrong, type Refusal, refusalOf } from '../core/refusal.ts'
import { decide, earn, type Policy, spend } from '../core/retry.ts'
import type { Machine, RestRequest } from './machine.ts'

/** Seconds after which the target itself closes a session that we lost. */
const LOST_AFTER_S = 60

const CREATE_PATH = '/v1/realtime-avatar/sessions'

/** What came of asking for a session, with all retries; `out-of-budget`: it was not asked for again, since its user had spent them. */
export type Created = { readonly session: Session } | { readonly refusal: Refusal | 'no-session' | 'out-of-budget' }

/** `POST /v1/realtime-avatar/sessions` for a text session (4.1). */
export function createRequest(idempotencyKey: string): RestRequest {
  const body = {
    model: 'svc-a1-stream',
    idempotency_key: idempotencyKey,
    session: { mode: 'text_chat', active_avatar_id: 'ada' },
    // Bears the id of the run, by which a session is found that nobody could close.
    avatars: [{ avatar_id: 'ada', instructions: `For ${idempotencyKey}.` }, { avatar_id: 'ben' }],
    auto_close: { disconnected_timeout_seconds: LOST_AFTER_S },
  }
  return { operation: 'create-avatar-session', method: 'POST', path: CREATE_PATH, body }
}

/**
 * Creates a session; where it is refused for a while, again with the same idempotency key, as the policy says (section 7).
 * What a repeat is answered is open: where it names the session alone, nobody has its secret, and another one is asked for.
 */
export async function createSession(machine: Machine, policy?: Policy): Promise<Created> {
  let request = createRequest(machine.name)
  let isAnew = false
  for (let attempts = 1; ; attempts += 1) {
    const answer = await machine.request(request)
    if (attempts === 1) machine.tally.time('create_intended_ms').record(answer.sentAt - machine.intended + answer.ms)
    const refused = refusalOf(answer)
    // Of a create that is repeated, it may say that the one before is in progress.
    const refusal = attempts > 1 && (refused === 'request' || answer.status === 409) ? 'network' : refused
    if (refused === undefined) {
      const session = sessionIn(answer)
      if (session !== undefined) {
        countFare(machine.tally, machine.key, 'taken')
        return { session }
      }
      const named = namedSession(answer)
      if (named === undefined || attempts === 1 || isAnew) return { refusal: 'no-session' }
      await closeSession(machine, named)
      request = createRequest(`${machine.name}-anew`)
      isAnew = true
      continue
    }
    const wait = waitFor(machine, answer, { refusal: refusal ?? refused, attempts, policy })
    if (wait === 'out-of-budget') return { refusal: wait }
    if (wait === undefined) {
      if (isCalledWrong(answer)) countFare(machine.tally, machine.key, 'wrong')
      // A code that section 7 does not list may speak of what is used up.
      else if (refused === 'request') return { refusal: 'final' }
      return { refusal: refused }
    }
    await machine.wait(wait)
  }
}

/** @returns milliseconds; undefined when it is no use */
function waitFor(
  machine: Machine,
  { retryAfter, date }: RestAnswer,
  refused: { refusal: Refusal; attempts: number; policy: Policy | undefined },
): number | 'out-of-budget' | undefined {
  const { refusal, attempts, policy } = refused
  if (attempts === 1) earn(machine.retries)
  const decision = decide({ refusal, attempts, retryAfter, date, now: machine.now() }, machine.random(), policy)
  const affordable = decision.wait_ms === undefined || spend(machine.retries)
  machine.tally.count('retries', affordable ? decision.why : 'out-of-budget')
  return affordable ? decision.wait_ms : 'out-of-budget'
}

/** Whoever answers nothing for so many times the patience of the workload is not asked again. */
const SILENT = 1.5

/**
 * `POST /v1/realtime-avatar/sessions/{session_id}/close`. Again where what answers is not the target or nothing does: a
 * connection that was kept alive may have gone meanwhile, and an edge may be without its target for a moment.
 */
export async function closeSession(machine: Machine, { id }: Pick<Session, 'id'>): Promise<RestAnswer> {
  const request: RestRequest = {
    operation: 'close-avatar-session',
    method: 'POST',
    path: `${CREATE_PATH}/${encodeURIComponent(id)}/close`,
    body: {},
  }
  const until = machine.now() + SILENT * machine.workload.patience_ms
  for (let attempts = 1; ; attempts += 1) {
    const answer = await machine.request(request)
    const refusal = refusalOf(answer)
    if (refusal === undefined || machine.now() > until) return answer
    const { retryAfter, date } = answer
    const { wait_ms } = decide({ refusal, attempts, retryAfter, date, now: machine.now() }, machine.random())
    if (wait_ms === undefined) return answer
    await machine.wait(wait_ms)
  }
}

/** Whoever ends a session cancels what is spoken there first, and tells it then: within so long it is looked for. */
export const ENDING_MS = 500

/** Reads may be so far behind. */
const LOOK_AGAIN_MS = 2_000
const LOOKS = 2

/**
 * Whether the service itself has ended a session, which it may do "for account limits, idle timeout, failures or maintenance"
 * (3.1): Get Session tells its "authoritative state" (6.2), since `session.closed` may be missed. One that is not found is
 * over, and so is one that failed; where the payload, which is not shown, says nothing, it may be. Reads may be behind, and
 * fail at times: what speaks against it is looked at once more.
 */
export async function hasEnded(machine: Machine, session: Session): Promise<boolean> {
  for (let looks = 1; ; looks += 1) {
    const { code, data } = await getSession(machine, session)
    if ((code === '0' || code === '20005') && statusIn(code, data) !== 'active') return true
    if (looks === LOOKS) return false
    await machine.wait(LOOK_AGAIN_MS)
  }
}

/** `GET /v1/realtime-avatar/sessions/{session_id}`. */
export function getSession(machine: Machine, { id }: Session): Promise<RestAnswer> {
  const path = `${CREATE_PATH}/${encodeURIComponent(id)}`
  return machine.request({ operation: 'get-avatar-session', method: 'GET', path })
}
