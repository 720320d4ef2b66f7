import type { Call } from '#judge/calls'
import type { Rule } from '#judge/rule'
import { ourClockAt } from '#judge/timing/our-clock'
import { timeoutOf } from '#judge/timing/timeouts'
import type { TraceIndex } from '#judge/trace-index'
import { isDateTime } from '#spec/formats'
import { workspaceOf } from '#spec/profile'
import type { JsonObject } from '#trace/json'
import { mayBeLeast } from '../created/least.ts'
import { countAt, say, worldsOf } from '../worlds.ts'
import { textAt } from '#trace/json'

const rows = [
  'world-sessions.session.expires-at-in-future',
  'world-sessions.session.expires-at-within-request',
] as const

/** Clocks of several machines, and times that are cut to the second. */
const slack_ms = 5_000
/** Below this a service may give its least instead. */
const tiny_s = 300

/** `expires_at` against `created_at` and against the lifetime that was requested (2.11, 4.5). */
export const lifetime: Rule = {
  id: 'world-sessions.lifetime',
  proves: rows,
  judge(trace, report) {
    const all = worldsOf(trace).creations.filter(({ plain }) => plain)
    // Two workspaces may lie on two deployments (9.4), each with a least of its own.
    const byWorkspace = Map.groupBy(all, ({ call }) => workspaceOf(call.key))
    for (const { call, data } of all) {
      const life = lifeOf(data)
      if (life === undefined) continue
      const got = textAt(data, '/expires_at') ?? ''
      const [future, within] = rows
      if (life > 0 && isPast(trace, call, got)) {
        say(report, future, false, { expected: 'a time to come', got, call })
      } else say(report, future, life > 0, { expected: 'a time after created_at', got, call })
      const asked = countAt(call.asked, '/max_session_duration_seconds')
      if (asked === undefined) continue
      // A lifetime may be counted from the end of the allocation, which a create may wait for.
      const late = data['status'] === 'provisioning' ? timeoutOf(trace, 'provisioning_ms') : call.answeredT - call.t
      const told = asked * 1000 + slack_ms
      const holds = life <= told + late
      // An allocation that may take any time explains any lifetime.
      if (life > told && !Number.isFinite(late)) continue
      const beside = holds ? [] : (byWorkspace.get(workspaceOf(call.key)) ?? [])
      const others = beside.flatMap((one) => lifeOf(one.data) ?? []).map((other) => other + slack_ms + late)
      if (!holds && mayBeLeast({ asked: asked * 1000, shown: life, tiny: tiny_s * 1000, others })) {
        report.unobserved(within, 'model_choice', `${life / 1000} s may be the least that there is`, call.answeredLine)
        continue
      }
      const expected = `${asked} s after created_at or less`
      say(report, within, holds, { expected, got: `${life / 1000} s`, call })
    }
  },
}

/** No clock that a session lasts by is so far behind, in milliseconds. */
const day_ms = 24 * 60 * 60_000

/** Whether a session that was just made had expired long before, whatever clock it goes by. */
function isPast(trace: TraceIndex, { clock, answeredT }: Call, expires: string): boolean {
  const now = clock ?? ourClockAt(trace, answeredT)
  return now !== undefined && Date.parse(expires) < now - day_ms
}

/** Milliseconds from creation to expiry, by the target's own clock. */
function lifeOf(data: JsonObject): number | undefined {
  const [created, expires] = [timeAt(textAt(data, '/created_at')), timeAt(textAt(data, '/expires_at'))]
  return created === undefined || expires === undefined ? undefined : expires - created
}

function timeAt(text: string | undefined): number | undefined {
  return text === undefined || !isDateTime(text) ? undefined : Date.parse(text)
}
