import { set, around, add, several } from '#target/overrides/operators'
import { imagesOf, usable } from '../behaviour/create.ts'
import { validation } from '../behaviour/validations/input-validation.ts'
import type { CreateInput } from '../behaviour/validations/create-session.ts'
import type { Variation } from '../deviation.ts'
import { isWire, textOf, type JsonObject, objectAt } from '../wire.ts'
import { keysBeforeBodies, validatedLast } from './gate-order.ts'
import { variationsOf } from './table.ts'

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
  ...variationsOf({
    'closing-holds-slot §8: A session that closes holds its slot until it is closed.': several(
      set('quota.holds', ({ status }) => status === 'active' || status === 'closing'),
      set('lifecycle.cleanupMs', 300),
    ),
    'cleanup-slow §3.1: A cleanup takes more than a second.': set('lifecycle.cleanupMs', 1200),
    'cleanup-instant §3.1: A session is closed as soon as it is asked to.': several(
      set('lifecycle.onClose', 'closed'),
      set('lifecycle.cleanupMs', 0),
    ),
    'allocation-slow §4.1: A create takes a quarter of a second.': set('create.allocationMs', 250),
    'creates-fail-at-times §7: Every third create fails with a 5xx and leaves nothing behind.': set(
      'create.internalError',
      (count) => (count % 3 === 0 ? 'before' : undefined),
    ),
    'cleanups-fail-at-times §3.1: Every fifth cleanup fails, and frees its place ("stop on `closed`, handle `failed`").':
      ({ lifecycle }) => {
        let count = 0
        const end = () => {
          count += 1
          return count % 5 === 0 ? 'failed' : 'closed'
        }
        Object.defineProperty(lifecycle, 'onCleanup', { get: end })
      },
    'session-keys-end-with-session §4.1: The key of a closed session is free again (of two sessions that are open at different times none is a duplicate).':
      set('idempotency.returns', (status) => status === 'active' || status === 'closing'),
    'duration-lower §8: No session may last longer than fifteen minutes, nor unasked longer than ten.': {
      concerns: /avatar-session|character/,
      override: several(
        set('limits.maxDurationMaximum', 900),
        set('limits.maxDurationDefault', 600),
        set('limits.disconnectedPlatform', 60),
      ),
    },
    'duration-five-minutes §8: No session may last longer than five minutes ("Default and maximum values: not shown").':
      {
        concerns: /avatar-session|character/,
        override: several(
          set('limits.maxDurationMaximum', 300),
          set('limits.maxDurationDefault', 300),
          set('limits.disconnectedPlatform', 60),
        ),
      },
    'duration-unbounded §8: A session may last for days.': {
      concerns: /avatar-session|character/,
      override: set('limits.maxDurationMaximum', 10_000_000),
    },
    'platform-timeout-off §4.1: The platform sets no disconnected timeout of its own.': {
      concerns: /avatar-session|character/,
      override: set('limits.disconnectedPlatform', 0),
    },
    'strict-bodies §4.1: Unknown fields of a create are refused.': add(
      'validations.createSession',
      'field-unknown',
      validation('4.1', 'body', (input: CreateInput) =>
        Object.keys(input.body).some((key) => !CREATE_FIELDS.includes(key)),
      ),
    ),
    'nulls-omitted §4.1: A null in a create counts as omitted.': set('create.read', (body) => {
      const read = withoutNulls(body)
      return isWire(read) ? read : body
    }),
    'aspect-ratios-any §4.1: Any aspect ratio of two numbers is supported.': set(
      'validations.createSession.aspect-ratio-unsupported.broken',
      ({ mode, body }) => {
        const ratio = isWire(body['output']) ? body['output']['aspect_ratio'] : undefined
        return mode === 'video_avatar' && typeof ratio === 'string' && !/^[1-9]\d*:[1-9]\d*$/u.test(ratio)
      },
    ),
    'aspect-ratios-few §4.1: Only the three aspect ratios that the spec names are supported.': set(
      'create.aspectRatios',
      ['9:16', '1:1', '16:9'],
    ),
    'images-need-urls §2.3: A source image without URL is refused in a video create, used or not.': add(
      'validations.createSession',
      'image-without-url',
      validation(
        '2.3',
        'avatars.visual.source_images.url',
        (input: CreateInput) => input.mode === 'video_avatar' && !allUsable(input),
      ),
    ),
    'voice-beside-tts-refused §2.3: A per-avatar voice beside a session TTS is refused at create.': add(
      'validations.createSession',
      'voice-beside-tts',
      validation(
        '2.3',
        'avatars.voice',
        (input: CreateInput) => input.body['pipeline_config'] !== undefined && input.avatars.some(hasVoice),
      ),
    ),
    'keys-short §4.1: An idempotency key of more than 64 characters is refused.': add(
      'validations.createSession',
      'key-too-long',
      validation(
        '4.1',
        'idempotency_key',
        ({ body }: CreateInput) => (textOf(body['idempotency_key']) ?? '').length > 64,
      ),
    ),
    'providers-checked §2.6: A provider that is not that of the voice, or an LLM endpoint where nobody answers, is refused.':
      add(
        'validations.createSession',
        'provider-unusable',
        validation('2.6', 'pipeline_config', ({ body }: CreateInput) => {
          const pipeline = objectAt(body, 'pipeline_config')
          const { tts_provider: provider } = objectAt(pipeline, 'tts_config')
          return provider !== undefined || objectAt(pipeline, 'llm_config')['llm_base_url'] !== undefined
        }),
      ),
    'gates-reversed §7: A create is validated last.': set('create.order', validatedLast),
    'invalid-creates-remembered §4.1: A create that was refused as invalid stays refused under its idempotency key.':
      several(
        set('create.order', keysBeforeBodies),
        set('idempotency.remembersFailure', (code) => code === '30004'),
      ),
    'close-silent §6.2: Connections end without `session.closed`, with another close code.': several(
      around('lifecycle.closeOrder', (closeOrder) => closeOrder.filter((step) => step !== 'session.closed')),
      set('lifecycle.closeCode', 1001),
    ),
    'close-reasons-odd §3.1: Reasons of a closure are unfamiliar.': set('lifecycle.reasons', {
      request: 'BYE',
      disconnected: 'gone away',
      idle: 'zzz',
      expiry: 'quota.time',
      service: '',
    }),
  }),
]

const allUsable = ({ avatars }: CreateInput): boolean => avatars.flatMap(imagesOf).every(usable)
const hasVoice = (avatar: JsonObject): boolean => avatar['voice'] !== undefined
