import * as fc from 'fast-check'
import type { JsonObject } from '#trace/json'
import { texts } from '../texts.ts'

/** An avatar (2.3) without its id, as `text_chat` needs it: instructions are optional. */
export const textAvatar: fc.Arbitrary<JsonObject> = fc.record({ instructions: texts() }, { requiredKeys: [] })
