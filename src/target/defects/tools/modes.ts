import type { Behaviour } from '#target/behaviour/behaviour'
import type { InputValidation } from '#target/behaviour/validations/input-validation'
import type { Session } from '#target/sessions/session'
import { textOf, type JsonObject, objectAt } from '#target/wire'

export const MODES = ['text_chat', 'video_avatar']

export type Validations = Behaviour['validations']

export type Mode = 'text_chat' | 'video_avatar'

/** Whether a session, or the plan of one, is in video as it is now. */
export const isInVideo = (one: Pick<Session, 'state'> | undefined): boolean => one?.state.mode === 'video_avatar'

/** The mode of the create that is being read. */
export function modeOf({ create }: Behaviour): () => string {
  let body: JsonObject = {}
  const { read } = create
  create.read = (given) => {
    body = read(given)
    return body
  }
  return () => textOf(objectAt(body, 'session')['mode']) ?? 'video_avatar'
}

/** Creates of one mode are not held to a validation that holds for both. */
export const unchecked =
  <Input>(mode: Mode, pick: (validations: Validations) => InputValidation<Input>) =>
  (behaviour: Behaviour): void => {
    const current = modeOf(behaviour)
    const validation = pick(behaviour.validations)
    const { broken } = validation
    validation.broken = (input) => current() !== mode && broken(input)
  }
