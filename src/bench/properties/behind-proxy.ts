import type { Scenario } from '#scenario/author/scenario'
import { type FaultPlan, mishaps, scattered } from '#testing/faulty-proxy/fault-plan'
import { behindFaultyProxy, wrong } from '../transport-failure-series.ts'
import { runOf, seedsOf, type Series } from './jobs.ts'
import type { Progress } from './progress.ts'
import { within } from './walk-scenarios.ts'

/** One request of a hundred fails in the service, one is lost, one loses its answer, one gets a page of a proxy. */
function both(seed: number): FaultPlan {
  const [lost, failed] = [scattered(seed), mishaps(seed)]
  return {
    ...lost,
    request: () => {
      const fate = lost.request()
      return fate.is === 'fine' ? failed.request() : fate
    },
  }
}

const onTheWay = new Set(['network', 'quota', 'budget', 'interrupted'])

/** The walks alone, on the reference target behind a faulty proxy. */
export async function seriesBehindProxy(
  walks: readonly Scenario[],
  series: Series,
  progress: Progress,
): Promise<readonly string[]> {
  const chosen = within(walks, series.budget)
  const told: string[] = []
  let [rows, open] = [0, 0]
  for (const seed of seedsOf(series)) {
    const { results, left } = await behindFaultyProxy(seed, both, runOf(chosen))
    told.push(...wrong(results).map((one) => `  ${seed}: ${one.slice(0, 200)}`))
    if (left > 0) told.push(`  ${seed}: ${left} sessions left open`)
    const proven = results.requirements.filter(({ id }) =>
      chosen.some(({ proves }) => proves.some((row) => row === id)),
    )
    rows += proven.length
    open += proven.filter(
      ({ verdict, reason_code = '' }) => verdict === 'inconclusive' && onTheWay.has(reason_code),
    ).length
    progress.count(series.seeds, `${told.length} false alarms`)
  }
  const share = rows === 0 ? 0 : (open / rows) * 100
  return [
    `behind a faulty proxy: ${series.seeds} runs, ${told.length} false alarms, ${share.toFixed(1)} % of rows undecided for what happened on the way`,
    ...told,
  ]
}
