import { errorCodeDefects } from './errors-codes.ts'
import { envelopeDefects } from './errors-envelope.ts'
import { defectsOf } from './table.ts'
import { splitEvent } from './tools.ts'

const retryDefects = defectsOf('errors', {
  'retry.after-10008-same-key': [
    'A create that was limited stays refused under its key.',
    ({ idempotency }) => void (idempotency.remembersRateLimit = true),
  ],
  'retry.after-30006-same-key': [
    'A create over the cap stays refused under its key.',
    ({ idempotency, create }) => {
      create.order = ['billing', 'permission', 'validation', 'idempotency', 'capacity', 'concurrency']
      idempotency.remembersFailure = (code) => code === '30006'
    },
  ],
  'retry.after-5xx-same-key': [
    'A create that failed through the service stays failed under its key.',
    ({ idempotency, create }) => {
      create.weather = (count) => (count % 2 === 0 ? 'before' : undefined)
      idempotency.remembersFaults = true
    },
  ],
  'retry.after-timeout-same-key': [
    'A create whose caller went away stays refused under its key.',
    ({ idempotency, create }) => {
      create.allocationMs = 400
      idempotency.abandoned = 'poison'
    },
  ],
})

const channelDefects = defectsOf('errors', {
  'channel.snake-case-names': [
    'Deltas have their index in camel case.',
    (b) =>
      splitEvent(b, 'response.output_text.delta', ({ output_index: outputIndex, ...rest }) => [
        { ...rest, outputIndex },
      ]),
  ],
  'channel.snake-case-names~beside': [
    'Confirmed updates carry a copy of their request in camel case.',
    (b) =>
      splitEvent(b, 'session.update.done', (event) => [
        { ...event, requestEventId: event['request_event_id'] ?? null },
      ]),
  ],
  'channel.failures-are-events': [
    'Failures on the channel come in the envelope of REST.',
    (b) => splitEvent(b, 'error', (event) => [{ code: 30004, message: 'invalid argument', data: event['error'] }]),
  ],
})

export const errorDefects = [...envelopeDefects, ...errorCodeDefects, ...retryDefects, ...channelDefects]
