import { set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

export const retryDefects = defectsOf('errors.retry', {
  'after-10008-same-key: A create that was limited stays refused under its key.': set(
    'idempotency.remembersRateLimit',
    true,
  ),
  'after-30006-same-key: A create over the cap stays refused under its key.': [
    set('create.order', ['billing', 'permission', 'validation', 'idempotency', 'capacity', 'concurrency']),
    set('idempotency.remembersFailure', (code) => code === '30006'),
  ],
  'after-5xx-same-key: A create that failed through the service stays failed under its key.': [
    set('create.internalError', (count) => (count % 2 === 0 ? 'before' : undefined)),
    set('idempotency.remembersFaults', true),
  ],
  'after-timeout-same-key: A create whose caller went away stays refused under its key.': [
    set('create.allocationMs', 400),
    set('idempotency.abandoned', 'poison'),
  ],
})
