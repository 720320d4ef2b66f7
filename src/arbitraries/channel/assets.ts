import * as fc from 'fast-check'
import type { JsonObject } from '#trace/json'
import { texts } from '../texts.ts'

/** Kinds of assets whose content is text: the others need addresses that a target can reach. */
export const textKinds = ['speech_text', 'visual_prompts'] as const

/** A text asset (4.4 `asset.add`) without its id; `format` is optional. */
export const textAsset: fc.Arbitrary<JsonObject> = fc.record(
  { text: texts(), format: fc.constant('text') },
  { requiredKeys: ['text'] },
)

/** Text to be spoken: no markup, which a service may read as such. */
export const speakable: fc.Arbitrary<string> = texts(40).filter((text) => !/[<>&]/.test(text))
