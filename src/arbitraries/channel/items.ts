import * as fc from 'fast-check'
import type { JsonObject } from '#trace/json'
import { lazily } from '../lazily.ts'
import { texts } from '../texts.ts'

const statuses = ['completed', 'incomplete', 'in_progress'] as const

/** Who speaks, and of what kind the parts of his messages typically are (2.9). */
const partTypes = { system: 'input_text', user: 'input_text', assistant: 'text' } as const

type Role = keyof typeof partTypes

const roles = Object.keys(partTypes) as readonly Role[]

/** A message of text, in one part or several. */
const message = fc.constantFrom(...roles).chain((role) =>
  fc.record({
    type: fc.constant('message'),
    role: fc.constant(role),
    content: fc.array(fc.record({ type: fc.constant(partTypes[role]), text: texts() }), { minLength: 1, maxLength: 3 }),
  }),
)

const names = lazily(() => fc.stringMatching(/^[a-z][a-z0-9_]{0,30}$/))

/** `arguments` are a JSON-encoded object, with numbers at the edges of what JSON readers keep. */
const callArguments = fc
  .dictionary(
    names,
    fc.oneof(texts(20), fc.boolean(), fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53 - 1, 1e-7), fc.constant(null)),
    { maxKeys: 3 },
  )
  .map((members) => JSON.stringify(members))

const functionCall = fc.record(
  { type: fc.constant('function_call'), name: names, arguments: callArguments, call_id: names },
  { requiredKeys: ['type', 'name', 'arguments', 'call_id'] },
)

/** A valid conversation item (2.9) without an `id`. */
export const conversationItem: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 4, arbitrary: message },
  { weight: 1, arbitrary: functionCall },
)

/** What may stand beside the known fields of a client event: "Clients and servers ignore fields they do not recognize" (4.4). */
export const unknownFields: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      names.map((name) => `x_${name}`),
      fc.oneof(texts(20), fc.integer(), fc.constant(null), fc.constant([])),
      { minKeys: 1, maxKeys: 2 },
    ),
  },
)

/** A status as a client may give it. */
export const itemStatus = fc.constantFrom(...statuses)
