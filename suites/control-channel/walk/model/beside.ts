import { responsesOf } from '../../model/responses.ts'
import type { SentEvent } from '../../model/sessions.ts'
import type { ScheduleRow } from './schedule-rows.ts'

/** What does not change a response that waits, by the rows that say so. */
const harmless: { readonly [type: string]: ScheduleRow } = {
  'session.update': 'snapshot.later-session-update-harmless',
  'avatar.add': 'snapshot.later-avatar-add-harmless',
  'asset.add': 'snapshot.later-asset-add-harmless',
}

/** What was sent on its connection while a request waited, up to a line, and should not matter to it (4.4 Snapshot). */
export function harmOf(own: SentEvent | undefined, until: number): readonly ScheduleRow[] {
  const sent = own?.connection.sent.filter(({ line }) => line > own.line && line <= until) ?? []
  return sent.flatMap(({ type }) => harmless[type ?? ''] ?? [])
}

/** The rendering of one had begun, and not stopped, when the other was sent. */
export function wasRendering(own: SentEvent | undefined, rival: SentEvent | undefined): boolean {
  if (own === undefined || rival === undefined) return false
  const response = responsesOf(own.connection.session).find(
    ({ origin, connection }) => origin.request?.sent === own && connection === rival.connection,
  )
  const [started, stopped] = [response?.started[0]?.line ?? Infinity, response?.stopped[0]?.line ?? Infinity]
  return started < rival.line && stopped > rival.line
}
