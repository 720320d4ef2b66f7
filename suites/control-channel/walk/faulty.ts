import { answersTo } from '../error-about.ts'
import type { Talk } from '../talk.ts'
import { unknownAsset, unknownItem } from './requests.ts'
import type { Operation, Stage } from './stages.ts'

/** A request that names nothing that exists is refused, and changes nothing. */
export async function sendFaulty(
  operation: Operation,
  { busy }: Stage,
  { talk, ping }: { readonly talk: Talk; readonly ping: () => Promise<void> },
): Promise<void> {
  const id = talk.context.id('faulty')
  const fault = operation === 'faulty' && busy === 'active' ? unknownItem(talk) : unknownAsset(talk)
  const interrupts = busy === 'idle' || operation === 'faulty interruption'
  const scheduling_policy = interrupts ? 'interrupt' : 'reject_if_busy'
  const frame = talk.send({ type: 'response.create', event_id: id, response: { ...fault, scheduling_policy } })
  await ping()
  await talk.hear(answersTo(id), frame, 'walk')
}
