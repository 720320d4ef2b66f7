import { set, around, add, several } from '#target/overrides/operators'
import { imagesOf, usable } from '../behaviour/create.ts'
import { validation } from '../behaviour/validations/input-validation.ts'
import type { CreateInput } from '../behaviour/validations/create-session.ts'
import type { Variation } from '../deviation.ts'
import { isWire, textOf, type JsonObject, objectAt } from '../wire.ts'

const CREATE_FIELDS = [
  'model',
  'idempotency_key',
  'region',
  'recording_mode',
  'session',
  'output',
  'pipeline_config',
  'assets',
  'conversation',
  'avatars',
  'delivery',
  'max_duration_seconds',
  'auto_close',
]

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isWire(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, withoutNulls(member)]),
  )
}

const cap = (id: string, open: number): Variation => ({
  id,
  section: '8',
  text: `Every workspace may have ${open} open session${open === 1 ? '' : 's'}.`,
  override: set('quota.cap', (_account, configured) => Math.min(configured, open)),
})

/** How sessions are made, counted and closed. */
export const sessionVariations: readonly Variation[] = [
  cap('cap-1', 1),
  cap('cap-2', 2),
  {
    id: 'closing-holds-slot',
    section: '8',
    text: 'A session that closes holds its slot until it is closed.',
    override: several(
      set('quota.holds', ({ status }) => status === 'active' || status === 'closing'),
      set('lifecycle.cleanupMs', 300),
    ),
  },
  {
    id: 'cleanup-slow',
    section: '3.1',
    text: 'A cleanup takes more than a second.',
    override: set('lifecycle.cleanupMs', 1200),
  },
  {
    id: 'cleanup-instant',
    section: '3.1',
    text: 'A session is closed as soon as it is asked to.',
    override: several(set('lifecycle.onClose', 'closed'), set('lifecycle.cleanupMs', 0)),
  },
  {
    id: 'allocation-slow',
    section: '4.1',
    text: 'A create takes a quarter of a second.',
    override: set('create.allocationMs', 250),
  },
  {
    id: 'creates-fail-at-times',
    section: '7',
    text: 'Every third create fails with a 5xx and leaves nothing behind.',
    override: set('create.internalError', (count) => (count % 3 === 0 ? 'before' : undefined)),
  },
  {
    id: 'cleanups-fail-at-times',
    section: '3.1',
    text: 'Every fifth cleanup fails, and frees its place ("stop on `closed`, handle `failed`").',
    override: ({ lifecycle }) => {
      let count = 0
      const end = () => {
        count += 1
        return count % 5 === 0 ? 'failed' : 'closed'
      }
      Object.defineProperty(lifecycle, 'onCleanup', { get: end })
    },
  },
  {
    id: 'session-keys-end-with-session',
    section: '4.1',
    text: 'The key of a closed session is free again (of two sessions that are open at different times none is a duplicate).',
    override: set('idempotency.returns', (status) => status === 'active' || status === 'closing'),
  },
  {
    id: 'duration-lower',
    section: '8',
    text: 'No session may last longer than fifteen minutes, nor unasked longer than ten.',
    concerns: /avatar-session|character/,
    override: several(
      set('limits.maxDurationMaximum', 900),
      set('limits.maxDurationDefault', 600),
      set('limits.disconnectedPlatform', 60),
    ),
  },
  {
    id: 'duration-unbounded',
    section: '8',
    text: 'A session may last for days.',
    concerns: /avatar-session|character/,
    override: set('limits.maxDurationMaximum', 10_000_000),
  },
  {
    id: 'platform-timeout-off',
    section: '4.1',
    text: 'The platform sets no disconnected timeout of its own.',
    concerns: /avatar-session|character/,
    override: set('limits.disconnectedPlatform', 0),
  },
  {
    id: 'strict-bodies',
    section: '4.1',
    text: 'Unknown fields of a create are refused.',
    override: add(
      'validations.createSession',
      'field-unknown',
      validation('4.1', 'body', (input: CreateInput) =>
        Object.keys(input.body).some((key) => !CREATE_FIELDS.includes(key)),
      ),
    ),
  },
  {
    id: 'nulls-omitted',
    section: '4.1',
    text: 'A null in a create counts as omitted.',
    override: set('create.read', (body) => {
      const read = withoutNulls(body)
      return isWire(read) ? read : body
    }),
  },
  {
    id: 'aspect-ratios-any',
    section: '4.1',
    text: 'Any aspect ratio of two numbers is supported.',
    override: set('validations.createSession.aspect-ratio-unsupported.broken', ({ mode, body }) => {
      const ratio = isWire(body['output']) ? body['output']['aspect_ratio'] : undefined
      return mode === 'video_avatar' && typeof ratio === 'string' && !/^[1-9]\d*:[1-9]\d*$/u.test(ratio)
    }),
  },
  {
    id: 'aspect-ratios-few',
    section: '4.1',
    text: 'Only the three aspect ratios that the spec names are supported.',
    override: set('create.aspectRatios', ['9:16', '1:1', '16:9']),
  },
  {
    id: 'images-need-urls',
    section: '2.3',
    text: 'A source image without URL is refused in a video create, used or not.',
    override: add(
      'validations.createSession',
      'image-without-url',
      validation(
        '2.3',
        'avatars.visual.source_images.url',
        (input: CreateInput) => input.mode === 'video_avatar' && !allUsable(input),
      ),
    ),
  },
  {
    id: 'voice-beside-tts-refused',
    section: '2.3',
    text: 'A per-avatar voice beside a session TTS is refused at create.',
    override: add(
      'validations.createSession',
      'voice-beside-tts',
      validation(
        '2.3',
        'avatars.voice',
        (input: CreateInput) => input.body['pipeline_config'] !== undefined && input.avatars.some(hasVoice),
      ),
    ),
  },
  {
    id: 'keys-short',
    section: '4.1',
    text: 'An idempotency key of more than 64 characters is refused.',
    override: add(
      'validations.createSession',
      'key-too-long',
      validation(
        '4.1',
        'idempotency_key',
        ({ body }: CreateInput) => (textOf(body['idempotency_key']) ?? '').length > 64,
      ),
    ),
  },
  {
    id: 'providers-checked',
    section: '2.6',
    text: 'A provider that is not that of the voice, or an LLM endpoint where nobody answers, is refused.',
    override: add(
      'validations.createSession',
      'provider-unusable',
      validation('2.6', 'pipeline_config', ({ body }: CreateInput) => {
        const pipeline = objectAt(body, 'pipeline_config')
        const { tts_provider: provider } = objectAt(pipeline, 'tts_config')
        return provider !== undefined || objectAt(pipeline, 'llm_config')['llm_base_url'] !== undefined
      }),
    ),
  },
  {
    id: 'gates-reversed',
    section: '7',
    text: 'A create is validated last.',
    override: set('create.order', ['idempotency', 'concurrency', 'capacity', 'validation', 'permission', 'billing']),
  },
  {
    id: 'invalid-creates-remembered',
    section: '4.1',
    text: 'A create that was refused as invalid stays refused under its idempotency key.',
    override: several(
      set('create.order', ['billing', 'permission', 'idempotency', 'validation', 'capacity', 'concurrency']),
      set('idempotency.remembersFailure', (code) => code === '30004'),
    ),
  },
  {
    id: 'close-silent',
    section: '6.2',
    text: 'Connections end without `session.closed`, with another close code.',
    override: several(
      around('lifecycle.closeOrder', (closeOrder) => closeOrder.filter((step) => step !== 'session.closed')),
      set('lifecycle.closeCode', 1001),
    ),
  },
  {
    id: 'close-reasons-odd',
    section: '3.1',
    text: 'Reasons of a closure are unfamiliar.',
    override: set('lifecycle.reasons', {
      request: 'BYE',
      disconnected: 'gone away',
      idle: 'zzz',
      expiry: 'quota.time',
      service: '',
    }),
  },
]

const allUsable = ({ avatars }: CreateInput): boolean => avatars.flatMap(imagesOf).every(usable)
const hasVoice = (avatar: JsonObject): boolean => avatar['voice'] !== undefined
