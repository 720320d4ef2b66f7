import { fares } from './fared.ts'
import { KeyProduct } from './key-list.ts'
import type { Measures } from './tally.ts'
import { OTHER, Tally } from './tally.ts'
import type { Words } from './words.ts'

/** What every scenario counts and times, whatever else it does; the engine does most of it. */
export type CommonCount = 'iterations' | 'sessions' | 'fared' | 'upgrades' | 'events' | 'errors' | 'retries'
export type CommonTime =
  | 'create_ms'
  | 'create_intended_ms'
  | 'close_ms'
  | 'request_ms'
  | 'create_unanswered_ms'
  | 'close_unanswered_ms'
  | 'request_unanswered_ms'
  | 'connect_ms'
  | 'handler_lag_ms'
  | 'start_lag_ms'
  | 'timer_lag_ms'

/** Where in a session's life an error came. */
export const phases = ['create', 'close', 'request', 'upgrade'] as const
export type Phase = (typeof phases)[number] | 'in-session'

/** HTTP statuses that are told apart. */
const statuses = [
  '200',
  '400',
  '401',
  '402',
  '403',
  '404',
  '409',
  '413',
  '415',
  '422',
  '429',
  '500',
  '502',
  '503',
  '504',
]

/** The types that 6.2 names; it is open, so others count as other. */
const errorTypes = ['invalid_request_error', 'server_error', OTHER]

export function commonMeasures({ serverEvents, errorCodes }: Words): Measures<CommonCount, CommonTime> {
  const codes = [...errorCodes, 'no-envelope', OTHER]
  const otherwise = [
    ...phases.map((phase) => errorKey(phase, '0', 'network')),
    ...errorTypes.map((type) => errorKey('in-session', '-', type)),
    OTHER,
  ]
  return {
    counts: {
      // `thrown`: a mistake of ours. Each begins once and ends once.
      iterations: ['begun', 'ended', 'thrown', OTHER],
      // `unclosed`: a close that was not accepted.
      sessions: ['opened', 'closed', 'unclosed', OTHER],
      // Creates that were taken, and that were called wrong, by workspace.
      fared: fares(),
      upgrades: ['opened', 'refused', 'late', OTHER],
      events: [...serverEvents, 'unreadable', OTHER],
      errors: new KeyProduct([phases, [...statuses, OTHER], codes], otherwise),
      // `unserved`: given up after as many 5xx as there were tries.
      retries: ['as-asked', 'backed-off', 'given-up', 'unserved', 'out-of-budget', OTHER],
    },
    times: [
      'create_ms',
      'create_intended_ms',
      'close_ms',
      'request_ms',
      // How long answers were waited for that never came.
      'create_unanswered_ms',
      'close_unanswered_ms',
      'request_unanswered_ms',
      'connect_ms',
      'handler_lag_ms',
      'start_lag_ms',
      'timer_lag_ms',
    ],
  }
}

/** The phase of a request; its time is called by it. */
export function phaseOf(operation: string): 'create' | 'close' | 'request' {
  if (operation.startsWith('close-')) return 'close'
  return operation.startsWith('create-') && operation.includes('session') ? 'create' : 'request'
}

/** The key of an error: phase, HTTP status (`0` where no answer came, `-` where there is none), code. */
export function errorKey(phase: Phase, status: number | string, code: string): string {
  return `${phase} ${status} ${code}`
}

/** Counts an error; a status or code that nobody expected counts as `other` in its own place. */
export function countError(tally: Tally<CommonCount>, phase: Phase, status: number, code: string): void {
  for (const http of [`${status}`, OTHER])
    for (const told of [code, OTHER]) {
      const key = errorKey(phase, http, told)
      if (tally.knows('errors', key)) {
        tally.count('errors', key)
        return
      }
    }
  tally.count('errors', OTHER)
}

/** All that a scenario measures: its own and the common. */
export function allMeasures<Count extends string, Time extends string>(
  own: Measures<Count, Time>,
  words: Words,
): Measures<Count | CommonCount, Time | CommonTime> {
  const common = commonMeasures(words)
  return { counts: { ...common.counts, ...own.counts }, times: [...common.times, ...own.times] }
}

/** An empty tally of a scenario. */
export function tallyFor<Count extends string, Time extends string>(
  own: Measures<Count, Time>,
  words: Words,
): Tally<Count | CommonCount, Time | CommonTime> {
  return new Tally(allMeasures(own, words))
}
