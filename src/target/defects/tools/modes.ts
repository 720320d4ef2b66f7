import type { Behaviour } from '#target/behaviour/behaviour'
import type { Rule } from '#target/behaviour/rules/rule'
import { textOf, type Wire, wireAt } from '#target/wire'

export const MODES = ['text_chat', 'video_avatar']

export type Rules = Behaviour['rules']

export type Mode = 'text_chat' | 'video_avatar'

/** The mode of the create that is being read. */
export function modeOf({ create }: Behaviour): () => string {
  let body: Wire = {}
  const { read } = create
  create.read = (given) => {
    body = read(given)
    return body
  }
  return () => textOf(wireAt(body, 'session')['mode']) ?? 'video_avatar'
}

/** Creates of one mode are not held to a rule that holds for both. */
export const unchecked =
  <Input>(mode: Mode, pick: (rules: Rules) => Rule<Input>) =>
  (behaviour: Behaviour): void => {
    const current = modeOf(behaviour)
    const rule = pick(behaviour.rules)
    const { broken } = rule
    rule.broken = (input) => current() !== mode && broken(input)
  }
