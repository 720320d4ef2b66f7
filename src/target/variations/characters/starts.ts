import type { CreateStep } from '#target/behaviour/create'
import { drop, set, around, add, append, several } from '#target/overrides/operators'
import { validation } from '#target/behaviour/validations/input-validation'
import { isWire, objectAt } from '#target/wire'
import { variationsOf } from '../table.ts'

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
export const startVariations = variationsOf({
  'starts-strict §4.1: A start is refused that sends what cannot be overridden.': add(
    'validations.start.body',
    'not-to-be-sent',
    validation('4.1', 'body', ({ body }) => NOT_TO_BE_SENT.some((field) => body[field] !== undefined)),
  ),
  'starts-lenient §4.1: A start that sends avatars is carried out without them.': drop(
    'validations.start.body',
    'avatars-sent',
  ),
  'starts-shorten-timeouts §4.1: Saved timeouts above the duration of a start are lowered to it.': several(
    drop('validations.start.session', 'disconnected-over-duration', 'idle-over-duration'),
    around('create.autoClose', (autoClose) => (body, limits, maxDuration) => {
      const { disconnectedSeconds, idleSeconds } = autoClose(body, limits, maxDuration)
      return {
        disconnectedSeconds: Math.min(disconnectedSeconds, maxDuration),
        idleSeconds: Math.min(idleSeconds, maxDuration),
      }
    }),
  ),
  'starts-share-keys §4.1: An idempotency key is one for both creates of avatar sessions.': set(
    'idempotency.named',
    (_operation, key) => key,
  ),
  'starts-filled §2.1: Omitted values of a session from a character come back filled in.': {
    concerns: /session-from-character/,
    override: append('http.data', (data, operation) =>
      operation === 'create-session-from-character' && isWire(data)
        ? { ...data, assets: { audio: [], speech_text: [], visual_prompts: [], ...objectAt(data, 'assets') } }
        : data,
    ),
  },
  'starts-find-first §7: A start looks for its character before it looks at billing and access.': around(
    'create.order',
    (order): readonly CreateStep[] => ['validation', ...order.filter((step) => step !== 'validation')],
  ),
})
