import type { Exchange } from '#client/types'
import type { AnyContext } from '#scenario/author/context'
import type { RequestEntry } from '#trace/entry'
import { type Json, textAt } from '#trace/json'
import { asksHowItIs, isUnderWay } from '../recorded.ts'
import type { InVain } from './in-vain.ts'
import { pollMs } from './recording.ts'

interface Look {
  readonly request: RequestEntry
  readonly recorded: Json | undefined
  readonly first: Exchange
}

/** Each request counts against the rate of a key: the pauses grow. */
const [growth, longest_ms] = [1.6, 3_000]

/**
 * What was waited for then is waited for now: a session that was closed then may take longer this time, but no longer than a
 * check waits for it, over all that is sent for one failure.
 */
export async function settled(
  { timeouts, wait }: Pick<AnyContext, 'timeouts' | 'wait'>,
  { request, recorded, first }: Look,
  vain: InVain,
  again: () => Promise<Exchange>,
): Promise<Exchange> {
  const goesOn = (answer: Exchange): boolean => isUnderWay(answer.body) && !isUnderWay(recorded)
  if (!asksHowItIs(request) || !goesOn(first)) return first
  const state = textAt(first.body, '/data/status') ?? ''
  const began = performance.now()
  const left_ms = vain.unsettledLeft(state === 'closing' ? timeouts.closed_ms : timeouts.provisioning_ms)
  if (left_ms > 0)
    vain.tell(`waits up to ${Math.ceil(left_ms / 1_000)} s for a session that Get Session calls ${state}`)
  let answer = first
  for (let pause = pollMs; goesOn(answer) && performance.now() - began < left_ms; ) {
    await wait(Math.round(pause), 'backoff')
    answer = await again()
    pause = Math.min(pause * growth, longest_ms)
  }
  if (goesOn(answer)) vain.unsettled(performance.now() - began)
  return answer
}
