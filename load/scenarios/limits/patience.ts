import type { RestAnswer } from '../../core/envelope.ts'
import { refusalOf } from '../../core/refusal.ts'
import { decide, type Patience, type Policy } from '../../core/retry.ts'
import type { RestRequest } from '../machine.ts'
import type { RestMachine } from './rest-machine.ts'

const patient: Patience = { attempts: 8, first_ms: 300, cap_ms: 8_000, longest_ms: 130_000 }

/** Nothing here is about how soon one gives up: what stands in the way of a law has to pass first. */
const policy: Policy = {
  rate: { ...patient, attempts: 20 },
  capacity: patient,
  throttled: patient,
  server: patient,
  network: patient,
  // What a scenario is about, or what can't be helped.
  concurrency: undefined,
  request: undefined,
  final: undefined,
}

/**
 * @param until when to stop trying, on the machine's clock: a target that is gone is not asked for minutes more
 * @returns how long to wait before it is sent again; undefined when that is no use
 */
export function waitAfter(
  machine: RestMachine,
  answer: RestAnswer,
  attempts: number,
  until = Number.POSITIVE_INFINITY,
): number | undefined {
  const { retryAfter, date } = answer
  const refusal = refusalOf(answer) ?? 'final'
  const now = machine.now()
  const { wait_ms, why } = decide({ refusal, attempts, retryAfter, date, now }, machine.random(), policy)
  const late = wait_ms !== undefined && now + wait_ms > until
  machine.tally.count('retries', late ? 'given-up' : isUnserved(answer, attempts) ? 'unserved' : why)
  return late ? undefined : wait_ms
}

/** Whether the last try was answered by a 5xx, too. What a clone provider fails in is not the service's. */
function isUnserved(answer: RestAnswer, attempts: number): boolean {
  return refusalOf(answer) === 'server' && answer.code !== '30007' && attempts >= patient.attempts
}

/** Sends what may be sent twice, until the target itself answers or it is no use. */
export async function askPatiently(
  machine: RestMachine,
  request: RestRequest,
  until: () => number = () => Number.POSITIVE_INFINITY,
): Promise<RestAnswer> {
  for (let attempts = 1; ; attempts += 1) {
    const answer = await machine.request(request)
    const wait = refusalOf(answer) === undefined ? undefined : waitAfter(machine, answer, attempts, until())
    if (wait === undefined) return answer
    await machine.wait(wait)
  }
}
