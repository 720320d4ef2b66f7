import type { Exchange } from '#client/types'
import type { AnyContext } from '#scenario/author/context'
import type { RequestEntry } from '#trace/entry'
import type { Json } from '#trace/json'
import { asksHowItIs, isUnderWay } from '../recorded.ts'
import { pollMs } from './recording.ts'

interface Look {
  readonly request: RequestEntry
  readonly recorded: Json | undefined
  readonly first: Exchange
}

/** What was waited for then is waited for now: a session that was closed then may take longer this time. */
export async function settled(
  context: AnyContext,
  { request, recorded, first }: Look,
  again: () => Promise<Exchange>,
): Promise<Exchange> {
  if (!asksHowItIs(request)) return first
  const { closed_ms, provisioning_ms } = context.timeouts
  const until = performance.now() + Math.max(closed_ms, provisioning_ms)
  let answer = first
  while (isUnderWay(answer.body) && !isUnderWay(recorded) && performance.now() < until) {
    await context.wait(pollMs, 'backoff')
    answer = await again()
  }
  return answer
}
