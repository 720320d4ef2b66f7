import type { Behaviour } from '#target/behaviour/behaviour'
import type { ResponseInput } from '#target/behaviour/rules/response-create'
import type { Session } from '#target/sessions/session'
import { type Wire, wireAt, wiresAt } from '#target/wire'
import { refuseEvent } from '../tools.ts'

export const scriptOf = ({ response }: ResponseInput): Wire => wireAt(response, 'script')
export const vocalOf = (input: ResponseInput): Wire => wireAt(scriptOf(input), 'vocal')
export const visualOf = (input: ResponseInput): Wire => wireAt(scriptOf(input), 'visual')

const KINDS = ['images', 'audio', 'speech_text', 'visual_prompts'] as const

/** Whether an asset was given at the creation. */
export const isPlanned = (session: Session, kind: string, id: unknown): boolean =>
  wiresAt(session.plan.assets, kind).some((asset) => asset['asset_id'] === id)

export const isOfAnotherKind = (session: Session, kind: string, id: unknown): boolean =>
  KINDS.some((other) => other !== kind && typeof id === 'string' && session.assets[other].has(id))

/** Refuses requests that the spec accepts. */
export const refuseResponse = (b: Behaviour, broken: (input: ResponseInput) => boolean): void =>
  refuseEvent(b.rules.responseCreate, broken)

/** Narrows a rule: it counts only where `still` says so. */
export function narrow<Input>(rule: { broken: (input: Input) => boolean }, still: (input: Input) => boolean): void {
  const { broken } = rule
  rule.broken = (input) => broken(input) && still(input)
}
