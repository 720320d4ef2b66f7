import { concurrencyLimit } from '../../../load/scenarios/concurrency-limit.ts'
import { controlThroughput } from '../../../load/scenarios/control-throughput.ts'
import { createStorm } from '../../../load/scenarios/create-storm.ts'
import { interruptStorm } from '../../../load/scenarios/interrupt-storm.ts'
import { reconnectStorm } from '../../../load/scenarios/reconnect-storm.ts'
import { soak } from '../../../load/scenarios/soak.ts'
import type { Scenario } from '../../../load/scenarios/scenario.ts'

/** Mistakes that the reference target has, which was not written for these scenarios. */
export const referenceDefects: readonly (readonly [scenario: Scenario, key: string, defects: readonly string[]])[] = [
  [
    concurrencyLimit,
    'capped',
    [
      'limits.concurrency.exceeding-refused',
      'limits.concurrency.exceeding-refused~closed-twice',
      'limits.concurrency.volley-within-cap',
      'limits.concurrency.slot-free-when-closed',
      'limits.concurrency.refused-create-makes-nothing',
      'limits.concurrency.refused-create-holds-nothing',
      'limits.concurrency.refused-create-holds-nothing~30006',
      'errors.code-30006.cap-exceeded',
      'errors.code-30006.status-429',
      'errors.code-30006.no-retry-after',
      'errors.code-30006.freed-by-close',
      'errors.retry.after-30006-same-key',
    ],
  ],
  [
    createStorm,
    'primary',
    [
      'avatar-sessions.idempotency.retry-same-session',
      'avatar-sessions.idempotency.concurrent-one-session',
      'avatar-sessions.idempotency.other-key-other-session',
      'avatar-sessions.idempotency.retry-same-session~third',
    ],
  ],
  [
    controlThroughput,
    'primary',
    [
      'control-channel.text-delta.concatenate-to-final-text',
      'control-channel.response-create.created-once',
      'control-channel.response-created.precedes-output',
      'control-channel.text-done.no-delta-after',
      'control-channel.text-done.once',
      'control-channel.output-item-done.once',
      'control-channel.output-item-done.for-every-introduced-item',
      'control-channel.response-done.last-event',
      'control-channel.response-done.once',
      'control-channel.response-done.always',
      'control-channel.isolation.events-not-shared',
      'control-channel.text-done.for-every-completed-stream',
      'control-channel.response-done.completed-text-whole',
      'control-channel.session-update.done-once',
      'control-channel.session-update.accepted-yields-done',
      'control-channel.session-update.active-avatar-applied',
    ],
  ],
  [
    interruptStorm,
    'primary',
    [
      'control-channel.scheduling.after-current-runs',
      'control-channel.scheduling.pending-runs-once',
      'control-channel.scheduling.interrupted-gets-done',
      'control-channel.scheduling.interrupt-cancels-active',
      'control-channel.scheduling.interrupt-clears-pending',
      'control-channel.scheduling.after-current-not-before-output-ends',
      'control-channel.scheduling.pending-second-never-starts',
    ],
  ],
  [
    reconnectStorm,
    'primary',
    ['control-channel.isolation.events-not-shared', 'control-channel.secret.reconnect-keeps-state'],
  ],
  [soak, 'primary', ['control-channel.secret.refused-after-closed']],
]

/** Legal alternatives that concern what the scenarios look at. */
export const legalAlternatives = [
  [],
  ['item-done-before-text-done', 'cut-text-done'],
  ['cut-text-as-generated', 'delta-per-character'],
  ['places-freed-late', 'sessions-listed-late', 'cleanup-slow'],
  ['get-without-status', 'list-ids', 'creates-go-on-unwatched'],
  ['closing-holds-slot', 'list-paged', 'allocation-slow'],
  ['creates-fail-at-times', 'retry-after-date'],
  ['refusal-by-close', 'confirmations-to-sender'],
  ['refusal-with-words'],
  ['refusal-by-late-close', 'cancel-clears-pending'],
  ['events-handled-side-by-side', 'duration-default-short'],
] as const
