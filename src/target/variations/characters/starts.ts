import { rule } from '#target/behaviour/rules/rule'
import { demand, waive } from '#target/behaviour/rules/waive'
import type { Variation } from '#target/deviation'
import { isWire, wireAt } from '#target/wire'

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
    override: ({ rules }) =>
      demand(
        rules.start.body,
        'not-to-be-sent',
        rule('4.1', 'body', ({ body }) => NOT_TO_BE_SENT.some((field) => body[field] !== undefined)),
      ),
  },
  {
    id: 'starts-lenient',
    section: '4.1',
    text: 'A start that sends avatars is carried out without them.',
    override: ({ rules }) => waive(rules.start.body, 'avatars-sent'),
  },
  {
    id: 'starts-shorten-timeouts',
    section: '4.1',
    text: 'Saved timeouts above the duration of a start are lowered to it.',
    override: ({ rules, create }) => {
      waive(rules.start.session, 'disconnected-over-duration', 'idle-over-duration')
      const { autoClose } = create
      create.autoClose = (body, limits, maxDuration) => {
        const { disconnectedSeconds, idleSeconds } = autoClose(body, limits, maxDuration)
        return {
          disconnectedSeconds: Math.min(disconnectedSeconds, maxDuration),
          idleSeconds: Math.min(idleSeconds, maxDuration),
        }
      }
    },
  },
  {
    id: 'starts-share-keys',
    section: '4.1',
    text: 'An idempotency key is one for both creates of avatar sessions.',
    override: ({ idempotency }) => void (idempotency.named = (_operation, key) => key),
  },
  {
    id: 'starts-filled',
    section: '2.1',
    text: 'Omitted values of a session from a character come back filled in.',
    concerns: /session-from-character/,
    override: ({ http }) =>
      void http.data.push((data, operation) =>
        operation === 'create-session-from-character' && isWire(data)
          ? { ...data, assets: { audio: [], speech_text: [], visual_prompts: [], ...wireAt(data, 'assets') } }
          : data,
      ),
  },
  {
    id: 'starts-find-first',
    section: '7',
    text: 'A start looks for its character before it looks at billing and access.',
    override: ({ create }) => {
      create.order = ['validation', ...create.order.filter((step) => step !== 'validation')]
    },
  },
]
