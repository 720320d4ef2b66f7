import { scheduled } from '../shown.ts'

/** Of what shows in the walks, and of what only a breach shows to be about something else. */
export const scheduleRows = [
  ...scheduled,
  'scheduling.reject-if-busy-rendering-rejected',
  'snapshot.later-session-update-harmless',
  'snapshot.later-avatar-add-harmless',
  'snapshot.later-asset-add-harmless',
] as const

export type ScheduleRow = (typeof scheduleRows)[number]
