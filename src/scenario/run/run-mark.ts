import type { RestCall } from '#client/types'
import type { OperationId } from '#spec/tables'
import { isObject, type Json, type JsonObject } from '#trace/json'

/** Operations whose body defines avatars that Get shows of what comes of it. */
const marked: ReadonlySet<OperationId> = new Set(['create-avatar-session', 'create-character', 'replace-character'])

/**
 * Puts the run's id into the instructions of the first avatar, or where there is none to bear it, into those of the
 * conversation: what is left without anybody knowing its id is found by it, and nobody takes it for another run's. A body
 * that can bear it in neither place is sent as it is.
 */
export function withMark(operation: OperationId, call: RestCall, run: string): RestCall {
  const { body } = call
  if (call.unmarked === true || !marked.has(operation) || !isObject(body)) return call
  const { avatars } = body
  const [first, ...others] = Array.isArray(avatars) ? (avatars as readonly Json[]) : []
  if (isObject(first) && typeof first['avatar_id'] === 'string' && isFree(first['instructions'])) {
    return { ...call, body: { ...body, avatars: [withText(first, run), ...others] } }
  }
  const { conversation = {} } = body
  if (operation !== 'create-avatar-session' || !isObject(conversation) || !isFree(conversation['instructions']))
    return call
  return { ...call, body: { ...body, conversation: withText(conversation, run) } }
}

/** Left out, or a text to which another may be added. */
function isFree(instructions: Json | undefined): boolean {
  return instructions === undefined || (typeof instructions === 'string' && instructions !== '')
}

function withText(holder: JsonObject, run: string): JsonObject {
  const { instructions } = holder
  const text = typeof instructions === 'string' ? `${instructions} (run ${run})` : `Greenroom, run ${run}.`
  return { ...holder, instructions: text }
}
