import type { CreateStep } from '#target/behaviour/create'
import { drop, set, around, add, append, several } from '#target/overrides/operators'
import { validation } from '#target/behaviour/validations/input-validation'
import type { Variation } from '#target/deviation'
import { isWire, objectAt } from '#target/wire'

const NOT_TO_BE_SENT = [
  'pipeline_config',
  'conversation',
  'auto_close',
  'avatars',
  'session',
  'assets',
  'region',
  'name',
]

/** 4.1 Create Session from Character. */
export const startVariations: readonly Variation[] = [
  {
    id: 'starts-strict',
    section: '4.1',
    text: 'A start is refused that sends what cannot be overridden.',
    override: add(
      'validations.start.body',
      'not-to-be-sent',
      validation('4.1', 'body', ({ body }) => NOT_TO_BE_SENT.some((field) => body[field] !== undefined)),
    ),
  },
  {
    id: 'starts-lenient',
    section: '4.1',
    text: 'A start that sends avatars is carried out without them.',
    override: drop('validations.start.body', 'avatars-sent'),
  },
  {
    id: 'starts-shorten-timeouts',
    section: '4.1',
    text: 'Saved timeouts above the duration of a start are lowered to it.',
    override: several(
      drop('validations.start.session', 'disconnected-over-duration', 'idle-over-duration'),
      around('create.autoClose', (autoClose) => (body, limits, maxDuration) => {
        const { disconnectedSeconds, idleSeconds } = autoClose(body, limits, maxDuration)
        return {
          disconnectedSeconds: Math.min(disconnectedSeconds, maxDuration),
          idleSeconds: Math.min(idleSeconds, maxDuration),
        }
      }),
    ),
  },
  {
    id: 'starts-share-keys',
    section: '4.1',
    text: 'An idempotency key is one for both creates of avatar sessions.',
    override: set('idempotency.named', (_operation, key) => key),
  },
  {
    id: 'starts-filled',
    section: '2.1',
    text: 'Omitted values of a session from a character come back filled in.',
    concerns: /session-from-character/,
    override: append('http.data', (data, operation) =>
      operation === 'create-session-from-character' && isWire(data)
        ? { ...data, assets: { audio: [], speech_text: [], visual_prompts: [], ...objectAt(data, 'assets') } }
        : data,
    ),
  },
  {
    id: 'starts-find-first',
    section: '7',
    text: 'A start looks for its character before it looks at billing and access.',
    override: around('create.order', (order): CreateStep[] => [
      'validation',
      ...order.filter((step) => step !== 'validation'),
    ]),
  },
]
