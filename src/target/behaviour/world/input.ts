import { type JsonObject, objectAt, objectsAt } from '#target/wire'
import type { WorldCapabilities } from './capabilities.ts'
import type { WorldCreate } from './create.ts'

/** A world create with what its validations look at. */
export interface WorldInput {
  readonly body: JsonObject
  readonly create: WorldCreate
  readonly capabilities: WorldCapabilities
  readonly prompt: JsonObject
  readonly frame: JsonObject
  readonly references: JsonObject[]
  readonly output: JsonObject
  readonly audio: JsonObject
  readonly continuation: JsonObject
}

/** Never throws, whatever the body holds. */
export const readWorld = (body: JsonObject, create: WorldCreate, capabilities: WorldCapabilities): WorldInput => ({
  body,
  create,
  capabilities,
  prompt: objectAt(body, 'initial_prompt'),
  frame: objectAt(body, 'opening_frame'),
  references: objectsAt(body, 'references'),
  output: objectAt(body, 'output'),
  audio: objectAt(objectAt(body, 'live_input'), 'audio'),
  continuation: objectAt(body, 'continuation'),
})

/** Content blocks of all references. */
export const referenceBlocks = ({ references }: WorldInput): JsonObject[] =>
  references.flatMap((reference) => objectsAt(reference, 'content'))
