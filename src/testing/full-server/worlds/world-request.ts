import { type JsonObject, isBag, type Reader, repeated } from '../reader.ts'
import { canFetch, LONGEST_IDLE_MS, LONGEST_WORLD_S, type Choices } from '../choices.ts'

export const MOST_REFERENCES = 4
export const MOST_REFERENCE_IMAGES = 2

const MAX_EVENT_BYTES = '16384'

export interface WorldPlan {
  readonly model: string
  readonly output: JsonObject
  readonly live_input: JsonObject
  readonly continuation: { readonly start_mode: 'manual' | 'automatic'; readonly max_idle_ms: number }
  readonly references: readonly string[]
  readonly metadata: JsonObject
  readonly lifetime_s: number
}

/** What this deployment's model can: no 720p, no sound in, no sound as a Reference. */
export function capabilities(choices: Choices): JsonObject {
  return {
    limits: {
      max_reference_images: String(MOST_REFERENCE_IMAGES),
      max_references: MOST_REFERENCES,
      max_event_bytes: MAX_EVENT_BYTES,
    },
    reconnect: { event_replay: false, snapshot: true },
    continuation: { automatic: choices.automaticWorlds, resume: true, hold: true },
    event_cancel: false,
    runtime_references: false,
    live_audio: { interpretation: 'none', supported: false },
    event_handling: ['steer', 'replace'],
    reference_content_types: ['input_image', 'input_text'],
    event_content_types: ['input_text'],
    season: true,
  }
}

const known = [
  'model',
  'idempotency_key',
  'initial_prompt',
  'opening_frame',
  'references',
  'output',
  'live_input',
  'continuation',
  'max_session_duration_seconds',
  'metadata',
]

/** Section 4.5, Create Session. Fields that are not in it are refused. */
export function readWorldRequest(body: Reader, choices: Choices): WorldPlan {
  const strange = Object.keys(body.bag).find((name) => !known.includes(name))
  if (strange !== undefined) throw body.bad(strange, 'is unknown')
  body.need('model')
  const model = body.choice('model', ['svc-w1-stream']) ?? ''
  const prompt = body.needChild('initial_prompt')
  readContent(prompt, ['input_text'])
  const frame = body.child('opening_frame')
  if (frame !== undefined) readAddress(frame)
  const asked_s = body.whole('max_session_duration_seconds', 1) ?? LONGEST_WORLD_S
  return {
    model,
    references: readReferences(body.children('references')),
    output: readOutput(body.child('output')),
    live_input: readLiveInput(body.child('live_input')),
    continuation: readContinuation(body.child('continuation'), choices),
    metadata: readMetadata(body.child('metadata')),
    lifetime_s: Math.min(asked_s, LONGEST_WORLD_S),
  }
}

function readContent(holder: Reader, allowed: readonly string[]): readonly string[] {
  holder.need('content')
  const blocks = holder.children('content')
  if (blocks.length === 0) throw holder.bad('content', 'is empty')
  return blocks.map((block) => {
    block.need('type')
    const type = block.choice('type', allowed) ?? ''
    if (type === 'input_text') block.words('text')
    else readAddress(block)
    return type
  })
}

function readAddress(holder: Reader): void {
  holder.need('url')
  const url = holder.https('url') ?? ''
  if (!canFetch('image', url)) throw holder.bad('url', 'could not be fetched')
  const type = holder.string('mime_type')
  if (type !== undefined && !type.startsWith('image/')) throw holder.bad('mime_type', 'is no image type')
}

function readReferences(references: readonly Reader[]): readonly string[] {
  const [first] = references
  const names = references.map((one) => one.words('name'))
  const types = references.flatMap((one) => readContent(one, ['input_text', 'input_image']))
  const images = types.filter((type) => type === 'input_image').length
  if (repeated(names) !== undefined) throw first?.complain('a Reference name comes twice')
  if (names.length > MOST_REFERENCES || images > MOST_REFERENCE_IMAGES) throw first?.complain('too many References')
  return names
}

function readOutput(output: Reader | undefined): JsonObject {
  const aspect_ratio = output?.choice('aspect_ratio', ['16:9', '9:16', '1:1']) ?? '16:9'
  const resolution = output?.choice('resolution', ['480p']) ?? '480p'
  return { fps: 25, captions: output?.flag('captions') ?? false, resolution, aspect_ratio }
}

function readLiveInput(live: Reader | undefined): JsonObject {
  const audio = live?.child('audio')
  if (audio?.flag('enabled') === true) throw audio.bad('enabled', 'is not supported by the model')
  const transcription = audio?.flag('transcription') ?? false
  return { audio: { language: audio?.string('language') ?? 'auto', transcription, enabled: false } }
}

function readContinuation(continuation: Reader | undefined, choices: Choices): WorldPlan['continuation'] {
  const modes = choices.automaticWorlds ? (['manual', 'automatic'] as const) : (['manual'] as const)
  const start_mode = continuation?.choice('start_mode', modes) ?? 'manual'
  const asked = continuation?.whole('max_idle_ms', 1) ?? LONGEST_IDLE_MS
  return { max_idle_ms: Math.min(asked, LONGEST_IDLE_MS), start_mode }
}

function readMetadata(metadata: Reader | undefined): JsonObject {
  const wrong = Object.entries(metadata?.bag ?? {}).find(([, value]) => typeof value !== 'string')
  if (metadata !== undefined && wrong !== undefined) throw metadata.bad(wrong[0], 'is not a string')
  return isBag(metadata?.bag) ? metadata.bag : {}
}
