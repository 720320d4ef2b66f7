import { type Wire, wireAt, wiresAt } from '#target/wire'
import type { WorldCapabilities } from './capabilities.ts'
import type { WorldCreate } from './create.ts'

/** A world create with what its rules look at. */
export interface WorldInput {
  readonly body: Wire
  readonly create: WorldCreate
  readonly capabilities: WorldCapabilities
  readonly prompt: Wire
  readonly frame: Wire
  readonly references: Wire[]
  readonly output: Wire
  readonly audio: Wire
  readonly continuation: Wire
}

/** Never throws, whatever the body holds. */
export const readWorld = (body: Wire, create: WorldCreate, capabilities: WorldCapabilities): WorldInput => ({
  body,
  create,
  capabilities,
  prompt: wireAt(body, 'initial_prompt'),
  frame: wireAt(body, 'opening_frame'),
  references: wiresAt(body, 'references'),
  output: wireAt(body, 'output'),
  audio: wireAt(wireAt(body, 'live_input'), 'audio'),
  continuation: wireAt(body, 'continuation'),
})
