import { median } from '../stopwatch.ts'
import { outOfReach } from './stateful-rows.ts'
import { isKilled, type WalkResult } from './walk-run.ts'

/** The share of runs that showed their defect by its own row, and defects that no run showed. */
export function killFigures(results: readonly WalkResult[]): readonly string[] {
  const runs = Map.groupBy(results, ({ id }) => id)
  const killed = results.filter(isKilled).length
  const seen = results.filter((one) => isKilled(one) || one.red.length > 0).length
  const shares = [...runs].map(([id, own]) => ({ id, own, share: own.filter(isKilled).length / own.length }))
  const mostly = shares.filter(({ share }) => share >= 0.9).length
  const never = shares.filter(({ share }) => share === 0)
  const sometimes = shares.filter(({ share }) => share > 0 && share < 0.9)
  const requests = median(results.map((one) => one.requests))
  return [
    `${runs.size} defects count as stateful; ${results.length} runs, ${percent(killed, results.length)} killed by their own row, ${percent(seen, results.length)} by any, ${requests} REST requests a run (median)`,
    ...[...Map.groupBy(results, ({ model = '' }) => model)].map(
      ([model, own]) => `  ${percent(own.filter(isKilled).length, own.length)} of ${own.length}: ${model}`,
    ),
    ...leftBy(results),
    ...soonOf(results),
    `killed in at least 9 of 10 runs: ${mostly} of ${runs.size}; in some: ${sometimes.length}; never: ${never.length}`,
    ...sometimes.map(({ id, share }) => `  ${Math.round(share * 100)} %  ${id}`),
    ...never.map(({ id, own }) => `  never  ${id}${reasonOf(own)}`),
  ]
}

/** REST requests that show what is there for 5 ms between a look and a deed: so many are two volleys and what is around them. */
const fewRequests = 16

/** How soon gaps in a store of idempotency keys show; those in a count of places take as many requests as there are places. */
function soonOf(results: readonly WalkResult[]): readonly string[] {
  const gaps = results.filter(({ id }) => id.endsWith('concurrent-one-session~gap'))
  const soon = gaps.filter(({ until = Number.POSITIVE_INFINITY }) => until <= fewRequests)
  const shown = gaps.flatMap(({ until }) => until ?? [])
  if (gaps.length === 0) return []
  return [
    `gaps of 5 ms in a store of keys: ${percent(soon.length, gaps.length)} of ${gaps.length} runs show theirs within ${fewRequests} REST requests (median ${median(shown)})`,
  ]
}

/** Runs of correct targets that turned a row red. */
export function alarmFigures(what: string, results: readonly WalkResult[]): readonly string[] {
  const alarmed = results.filter(({ red }) => red.length > 0)
  const shown = alarmed.map(({ id, seed, red }) => `  ${id}, seed ${seed}: ${red.slice(0, 4).join(', ')}`)
  return [`${what}: ${results.length} runs, ${alarmed.length} false alarms`, ...shown, ...leftBy(results)]
}

/** What is still there in the end, by target: one whose mistake it is to end nothing leaves some, and no other may. */
function leftBy(results: readonly WalkResult[]): readonly string[] {
  const leaving = results.filter(({ left }) => left > 0)
  const sum = leaving.reduce((all, { left }) => all + left, 0)
  const shown = leaving.map(({ id, seed, left }) => `  ${left} of ${id}, seed ${seed}`)
  return [`left over on ${leaving.length} targets: ${sum} sessions, characters and the like`, ...shown]
}

function reasonOf([first]: readonly WalkResult[]): string {
  if (first === undefined) return ''
  const known = outOfReach[first.id]
  if (known !== undefined) return `: ${known}`
  const others = first.red.length === 0 ? '' : `; red instead: ${first.red.slice(0, 3).join(', ')}`
  return `: ${first.verdict}${first.reason === '' ? '' : ` (${first.reason.slice(0, 100)})`}${others}`
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : ((part / whole) * 100).toFixed(1)} %`
}
