import type { JsonObject } from '#trace/json'
import type { CreateRow } from './rows.ts'
import type { CreateOption } from './bundle.ts'
import type { Faulty } from './refusal.ts'

const disconnected = '/auto_close/disconnected_timeout_seconds'
const idle = '/auto_close/interaction_idle_timeout_seconds'

/** The shortest session. Its timers are off, or they would exceed it (4.1, rule 4). */
export const shortestOptions: readonly CreateOption[] = [
  {
    id: 'disconnected-0',
    rows: ['limits.disconnected-timeout.0-accepted'],
    change: { set: { [disconnected]: 0 } },
  },
  { id: 'idle-0', rows: ['limits.interaction-idle-timeout.0-accepted'], change: { set: { [idle]: 0 } } },
  {
    id: 'duration-4',
    rows: ['limits.max-duration.four-accepted', 'avatar-sessions.create.max-duration-minimum-accepted'],
    change: { set: { '/max_duration_seconds': 4, [disconnected]: 0 } },
    given: ['disconnected-0'],
  },
  {
    // All that they may hold is optional.
    id: 'empty-members',
    rows: ['avatar-sessions.create.empty-members-accepted'],
    change: { set: { '/assets': {}, '/conversation': {}, '/delivery': {} } },
  },
]

/** Tried by the scenario that looks for leftovers of refused creates, which is one of video where there is video. */
export const besideLeftovers = 'leftovers'

const duration = (value: number, row: CreateRow, on?: string): Faulty => ({
  rows: [row, 'avatar-sessions.create.max-duration-too-short-rejected'],
  coded: ['errors.code-30004.duration-unsupported'],
  ...(on === undefined ? {} : { on }),
  change: { set: { '/max_duration_seconds': value } },
})

export const disconnectedOutOfRange = (value: number, row: CreateRow, on?: string): Faulty => ({
  rows: [row, 'avatar-sessions.create.disconnected-timeout-out-of-range-rejected'],
  coded: ['errors.code-30004.disconnected-timeout-out-of-range'],
  ...(on === undefined ? {} : { on }),
  change: { set: { [disconnected]: value } },
})

export const idleOutOfRange = (value: number, row: CreateRow, on?: string): Faulty => ({
  rows: [row, 'avatar-sessions.create.idle-timeout-out-of-range-rejected'],
  coded: ['errors.code-30004.idle-timeout-out-of-range'],
  ...(on === undefined ? {} : { on }),
  change: { set: { [idle]: value } },
})

/** The same beside another timer that is right: what looks at one of them alone shows. */
function beside({ change, ...faulty }: Faulty, right: JsonObject): Faulty {
  return { ...faulty, change: { ...change, set: { ...change.set, ...right } } }
}

/**
 * Each side of each bound of section 8, save those of 3600, which need a session that may last so long. Of each field one
 * side is tried in video and one in text: what looks at a field in one mode only shows.
 */
export const limitRefusals: readonly Faulty[] = [
  duration(3, 'limits.max-duration.three-rejected', 'duration-4'),
  {
    rows: ['avatar-sessions.create.max-duration-too-short-rejected'],
    coded: ['errors.code-30004.duration-unsupported'],
    on: 'duration-4',
    change: { set: { '/max_duration_seconds': 1 } },
  },
  // Without timers, since even one of 0 could be taken for one that is too long.
  { ...duration(-1, 'limits.max-duration.negative-rejected'), inVideo: 'video' },
  beside(disconnectedOutOfRange(9, 'limits.disconnected-timeout.9-rejected', 'disconnected-10'), { [idle]: 30 }),
  {
    ...disconnectedOutOfRange(-1, 'limits.disconnected-timeout.negative-rejected', 'disconnected-10'),
    inVideo: 'disconnected',
  },
  beside(
    { ...idleOutOfRange(29, 'limits.interaction-idle-timeout.29-rejected', 'idle-30'), inVideo: 'idle' },
    { [disconnected]: 10 },
  ),
  idleOutOfRange(-1, 'limits.interaction-idle-timeout.negative-rejected', 'idle-30'),
  // Each beside the other one, which alone would be right.
  {
    rows: [
      'limits.disconnected-timeout.above-duration-rejected',
      'avatar-sessions.create.auto-close-above-duration-rejected',
    ],
    coded: ['errors.code-30004.disconnected-timeout-above-duration'],
    on: 'disconnected-equal',
    change: { set: { [disconnected]: 61, [idle]: 60 } },
  },
  {
    rows: [
      'limits.interaction-idle-timeout.above-duration-rejected',
      'avatar-sessions.create.auto-close-above-duration-rejected',
    ],
    coded: ['errors.code-30004.idle-timeout-above-duration'],
    on: 'idle-equal',
    change: { set: { [idle]: 61, [disconnected]: 60 } },
    inVideo: besideLeftovers,
  },
]
