import { isCarriedOut, isRefused, type RateRequest, type RateTerms, waitOf } from '../../core/limits/rate-log.ts'
import { listRequest } from './avatar-requests.ts'
import type { RestMachine } from './rest-machine.ts'

/** Requests under way at the same time, once one was admitted. */
const WIDTH = 8

/** After half a minute with no more than about what a bucket of one minute's requests gives, more won't come. */
const ENOUGH_MINUTES = 0.5
const NEARLY = 1.25

/** Nobody comes back more often than so many times a minute, however short the wait. */
const MOST_TIMES = 120

/**
 * Comes back whenever it is told to, until a minute is over since the key was crossed last: a limit that begins anew every few
 * seconds refuses each burst, and lets in many times a minute's requests all the same.
 * @param log what the key was answered in the rounds before
 * @returns the same for a minute, and what it was answered since
 */
export async function goOn(
  machine: RestMachine,
  log: readonly RateRequest[],
  { limit, minuteMs }: RateTerms,
): Promise<RateRequest[]> {
  const now = machine.now()
  const all = log.filter(({ answer }) => answer.sentAt >= now - minuteMs)
  const began = Math.min(now, ...all.map(({ answer }) => answer.sentAt))
  let wait = soonest(all)
  while (machine.now() + wait < began + minuteMs) {
    await machine.wait(Math.max(wait, minuteMs / MOST_TIMES))
    const answers = await burst(machine, 2 * limit)
    all.push(...answers)
    if (answers.some(isRefused)) wait = soonest(answers)
    const minutes = (machine.now() - began) / minuteMs
    const given = limit * (1 + minutes)
    if (minutes > ENOUGH_MINUTES && all.filter(isCarriedOut).length <= NEARLY * given) break
  }
  return all
}

/** How long whoever is told to come back first has to wait. */
function soonest(answers: readonly RateRequest[]): number {
  const waits = answers.filter(isRefused).map((one) => waitOf(one) ?? Number.POSITIVE_INFINITY)
  return Math.min(Number.POSITIVE_INFINITY, ...waits)
}

/** One request, and more as long as none is refused. */
async function burst(machine: RestMachine, most: number): Promise<RateRequest[]> {
  const answers: RateRequest[] = []
  const send = async (): Promise<void> => {
    answers.push({ key: machine.key.name, answer: await machine.request(listRequest) })
  }
  await send()
  while (answers.length < most && answers.every(isCarriedOut)) await Promise.all(Array.from({ length: WIDTH }, send))
  return answers
}
