import * as fc from 'fast-check'
import type { Json, JsonObject } from '#trace/json'
import { fromSchema } from '../from-schema.ts'
import { lazily } from '../lazily.ts'
import { text } from '../text.ts'

/** A service may have no more than this for its longest session: bounds are not shown (section 8). In seconds. */
const longest_s = 60

/** BCP-47 codes that a service has, if it has any. */
const languages = ['auto', 'en-US', 'zh-CN']

/** What models take for the name of a function. */
const functionName = lazily(() => fc.stringMatching(/^[a-z]{1,12}(_[a-z0-9]{1,8}){0,2}$/))

/** A JSON Schema object (2.5). */
const parameters = fc.constantFrom<Json>(
  { type: 'object', properties: {} },
  { type: 'object', properties: { topic: { type: 'string' } } },
  { type: 'object', properties: { days: { type: 'integer', minimum: 1 }, place: { enum: ['sea', 'shore'] } } },
)

/**
 * What 4.2 names of `conversation` for a character. Whether a boundary may be told without saying whose, or a language of
 * what is not said to be transcribed, 2.5 leaves open: both are always said.
 */
const conversation = fromSchema('common/conversation.request', {
  '/instructions': 'absent',
  '/response_defaults': 'absent',
  '/tools': fc.uniqueArray(
    fromSchema('common/function-tool', {
      '/name': functionName,
      '/parameters': parameters,
    }) as fc.Arbitrary<JsonObject>,
    { maxLength: 3, selector: ({ name }) => name },
  ) as fc.Arbitrary<Json>,
  '/turn_detection/type': 'always',
  '/turn_detection/silence_duration_ms': fc.integer({ min: 200, max: 2_000 }),
  '/input_audio_transcription/enabled': 'always',
  '/input_audio_transcription/language': fc.constantFrom(...languages),
})

/** No longer than the longest session may be here. */
const autoClose = fromSchema('common/auto-close.request', {
  '/disconnected_timeout_seconds': fc.oneof(fc.constantFrom(0, 10), fc.integer({ min: 10, max: longest_s })),
  '/interaction_idle_timeout_seconds': fc.oneof(fc.constantFrom(0, 30), fc.integer({ min: 30, max: longest_s })),
})

const avatars = fc.uniqueArray(
  fromSchema('common/avatar.request', {
    '/avatar_id': text(24),
    '/instructions': text(120),
    '/voice': 'absent',
    '/visual': 'absent',
  }) as fc.Arbitrary<JsonObject>,
  { minLength: 1, maxLength: 3, selector: ({ avatar_id }) => avatar_id },
)

/**
 * `text_chat` characters over the whole range that 4.2 documents and that no service may lack: without a `name`, which is
 * the run's own, but with what may follow it.
 */
export const characters: fc.Arbitrary<{ readonly title: string; readonly body: JsonObject }> = fc
  .record({
    title: text(20),
    avatars,
    active: fc.nat(),
    conversation: fc.option(conversation, { nil: undefined }),
    auto_close: fc.option(autoClose, { nil: undefined }),
  })
  .map(({ title, active, ...members }) => ({ title, body: bodyOf(active, members) }))

interface Members {
  readonly avatars: readonly JsonObject[]
  readonly conversation: Json | undefined
  readonly auto_close: Json | undefined
}

/** With several avatars one has to be active (4.1). */
function bodyOf(active: number, { avatars: all, conversation: talk, auto_close }: Members): JsonObject {
  const one = all[active % all.length]?.['avatar_id'] ?? null
  return {
    model: 'svc-a1-stream',
    session: { mode: 'text_chat', ...(all.length > 1 || active % 2 === 0 ? { active_avatar_id: one } : {}) },
    avatars: all,
    ...(talk === undefined ? {} : { conversation: talk }),
    ...(auto_close === undefined ? {} : { auto_close }),
  }
}
