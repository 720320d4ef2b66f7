import { isRecording } from '#judge/recordings'
import type { Call } from '#judge/calls'
import type { Rule } from '#judge/rule'
import { leastMoments, type Span } from '#judge/timing/moments'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { say, type World, worldsOf } from '../worlds.ts'
import { fresh_ms, isOpen, isOver, mayHaveExpired } from './untouched.rules.ts'

/** What a close that is refused with this code must not have done. */
const byCode: ReadonlyMap<number, RequirementId> = new Map([
  [10001, 'authentication.missing-key.changes-nothing'],
  [10003, 'authentication.invalid-key.changes-nothing'],
])
const rows: readonly RequirementId[] = [...byCode.values()]

/** A Get of a session that was open a moment ago, and of which no close was sent since but such as were refused. */
interface Look {
  readonly get: Call
  readonly over: boolean
  /** The last refused close of each row since the look before. */
  readonly refused: ReadonlyMap<RequirementId, Call>
  readonly span: Span
}

/**
 * A close without a key, or with a wrong one, closes nothing (5.1, 5.5). A service may end sessions for reasons of its own:
 * where one is over that nobody tried to close, where it happened but once, or where the same kind of close left another
 * session open, nothing is proven.
 */
export const refusedCloses: Rule = {
  id: 'world-sessions.refused-closes',
  proves: rows,
  judge(trace, report) {
    if (isRecording(trace)) return
    const looks = [...worldsOf(trace).worlds.values()].flatMap(looksAt)
    const capricious = looks.some(({ over, refused }) => over && refused.size === 0)
    for (const row of rows) {
      const told = looks.flatMap((look) => {
        const close = look.refused.get(row)
        return close === undefined ? [] : [{ ...look, close }]
      })
      const ends = told.filter(({ over }) => over)
      const proven = !capricious && ends.length === told.length && leastMoments(ends.map(({ span }) => span)) > 1
      for (const { get, over, close } of told) {
        if (over && !proven) {
          report.unobserved(row, 'model_choice', 'the service may have ended the session by itself', get.answeredLine)
          continue
        }
        const got = get.answer.kind === 'failure' ? 'code 20005' : 'a session that is over'
        say(report, row, !over, { expected: 'the session as open as before', got, call: get, beside: [close] })
      }
    }
  },
}

function looksAt(world: World): readonly Look[] {
  const { closes, creation, workspace } = world
  const gets = world.gets.filter(({ key }) => workspaceOf(key) === workspace)
  const shown = [creation.call, ...gets]
  const end = Math.min(...closes.filter((call) => rowOf(call) === undefined).map(({ line }) => line))
  return gets.flatMap((get): readonly Look[] => {
    const before = shown.findLast((one) => one.answeredLine < get.line && isOpen(one))
    const over = isOver(get)
    if (before === undefined || get.answeredLine > end || (!over && !isOpen(get))) return []
    if (over && (get.answeredT - before.t > fresh_ms || mayHaveExpired(world, get))) return []
    const refused = closes.flatMap((call) => {
      const row = rowOf(call)
      const isBetween = call.line > before.answeredLine && call.answeredLine < get.line
      return row !== undefined && isBetween ? [[row, call] as const] : []
    })
    return [{ get, over, refused: new Map(refused), span: { from: before.t, until: get.answeredT } }]
  })
}

const rowOf = ({ answer }: Call): RequirementId | undefined =>
  answer.kind === 'failure' ? byCode.get(answer.code) : undefined
