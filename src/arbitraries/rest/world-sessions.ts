import * as fc from 'fast-check'
import type { JsonObject } from '#trace/json'
import { lazily } from '../lazily.ts'
import { text } from '../text.ts'

/** Ordered blocks of the one kind that v1 accepts in a prompt (4.5). */
const content = fc.array(
  text(120).map((words) => ({ type: 'input_text', text: words })),
  { minLength: 1, maxLength: 3 },
)

/** "String keys and values; returned; not generation input" (2.11). */
const metadata = fc.dictionary(
  lazily(() => fc.stringMatching(/^[a-z][a-z0-9_]{0,15}$/)),
  text(60),
  { maxKeys: 4 },
)

/** World sessions over the range that 4.5 documents and that no model may lack: prompts and metadata. */
export const worldSessions: fc.Arbitrary<JsonObject> = fc
  .record({ content, metadata }, { requiredKeys: ['content'] })
  .map(({ content: blocks, ...optional }) => ({
    model: 'svc-w1-stream',
    initial_prompt: { content: blocks },
    ...optional,
  }))
