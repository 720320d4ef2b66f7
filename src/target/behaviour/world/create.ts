import { textOf, type JsonObject, objectAt, objectsAt } from '#target/wire'
import type { WorldReference } from '#target/worlds/session'
import type { KeyState } from '#target/keys'
import type { CreateStep } from '../create.ts'

/** 4.5 Create Session: what is supported, and what an omitted field means. */
export const worldCreate = () => ({
  /** Which check comes first is not said; one fault at a time gives the same answer in any order. */
  order: ['billing', 'permission', 'validation', 'idempotency', 'capacity', 'concurrency'] as readonly CreateStep[],
  /** Checks that are left out for a key in this state. */
  skips: (_step: CreateStep, _state: KeyState): boolean => false,
  models: ['svc-w1-stream'],
  aspectRatios: ['16:9', '9:16', '1:1'],
  resolutions: ['480p', '720p'],
  startModes: ['manual', 'automatic'],
  /** "v1 accepts one or more `input_text` blocks." */
  promptTypes: ['input_text'],
  fps: 24,
  defaultRatio: '16:9',
  /** "default `720p` when the model supports it" */
  defaultResolution: (supported: string[]): string => (supported.includes('720p') ? '720p' : '480p'),
  defaultIdleMs: 30_000,
  /** "the model may apply a lower limit" */
  highestIdleMs: 120_000,
  defaultSeconds: 1800,
  highestSeconds: 7200,
  /** Section 8 caps avatar sessions; this service caps no world sessions. */
  highestOpen: Number.POSITIVE_INFINITY,
  /** Milliseconds that allocation takes. */
  allocationMs: 0,
  /** What stands in for a body that is no JSON, or no object; `undefined` = it is refused. */
  unparsable: (_bytes: Buffer): JsonObject | undefined => undefined,
  /** Changes the body before anything else looks at it. */
  read: (body: JsonObject): JsonObject => body,
  /** A passing failure of the service itself, by the number of the create. */
  internalError: (_count: number): 'before' | 'after' | undefined => undefined,
  /** Whether the platform lacks capacity just now (30008), by the number of the asking. */
  crowded: (_asked: number): boolean => false,
  output: (asked: JsonObject, defaults: { ratio: string; resolution: string; fps: number }): JsonObject => ({
    aspect_ratio: asked['aspect_ratio'] ?? defaults.ratio,
    resolution: asked['resolution'] ?? defaults.resolution,
    fps: defaults.fps,
    captions: asked['captions'] ?? false,
  }),
  liveInput: (body: JsonObject): JsonObject | undefined => {
    const audio = objectAt(objectAt(body, 'live_input'), 'audio')
    return { audio: { enabled: false, transcription: true, language: 'auto', ...audio } }
  },
  startMode: (continuation: JsonObject): string => textOf(continuation['start_mode']) ?? 'manual',
  maxIdleMs: (continuation: JsonObject, byDefault: number, highest: number): number => {
    const asked = continuation['max_idle_ms']
    return Math.min(typeof asked === 'number' ? asked : byDefault, highest)
  },
  /** "the effective expiry may be lower and is returned" */
  seconds: (body: JsonObject, byDefault: number, highest: number): number => {
    const asked = body['max_session_duration_seconds']
    return Math.min(typeof asked === 'number' ? asked : byDefault, highest)
  },
  references: (body: JsonObject): WorldReference[] =>
    objectsAt(body, 'references').map((reference) => ({
      name: textOf(reference['name']) ?? '',
      content: objectsAt(reference, 'content'),
    })),
  metadata: (body: JsonObject): JsonObject => objectAt(body, 'metadata'),
})

export type WorldCreate = ReturnType<typeof worldCreate>
