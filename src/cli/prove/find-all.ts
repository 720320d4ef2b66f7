import { requirements } from '#spec/register'
import { type Optional, optionalFor } from '#scenario/author/optional'
import type { Scenario } from '#scenario/author/scenario'
import type { Finds } from '#scenario/plan/finds'
import { type LeftOut, leftOutBut } from '#scenario/plan/selection'
import type { Defect } from '#target/deviation'
import type { Job } from './job.ts'
import { type Means, quiet } from './run-all.ts'
import { runJobs } from './worker-pool.ts'

/** Whether scenarios show a defect without what may be left out of them, or with what its row needs of that. */
type Form = 'brief' | 'whole'

/**
 * Runs each defect beside all scenarios of the standard tier that can show it, without what may be left out of
 * them and with what of it the defect's row needs, and notes which of them do: what a budget is chosen by.
 */
export async function findAll(
  defects: readonly Defect[],
  scenarios: readonly Scenario[],
  seed: number,
  means: Means,
): Promise<Finds> {
  const found = new Map<string, { readonly [form in Form]?: readonly string[] }>()
  let jobs = defects.flatMap((defect) => jobsOf(defect, scenarios, seed))
  for (const load of [means.load, quiet]) {
    const told = means.progress(jobs.length)
    await runJobs(jobs, {
      ...means,
      load,
      done({ id, shown_in = [] }) {
        const [defect, form] = id.split(' ') as [string, Form]
        found.set(defect, { ...found.get(defect), [form]: shown_in })
        told()
        return []
      },
    })
    // What a busy machine did not show has another run.
    jobs = jobs.filter(({ defects: [id = ''] }) => noted(found.get(id)).length === 0)
    if (jobs.length === 0 || means.signal.aborted) break
  }
  const sorted = defects.map(({ id }) => id).toSorted()
  return { format: 'greenroom.finds/2', mistakes: Object.fromEntries(sorted.map((id) => [id, noted(found.get(id))])) }
}

function noted({ brief = [], whole = [] }: { readonly [form in Form]?: readonly string[] } = {}): readonly string[] {
  return [...brief, ...whole.filter((one) => !brief.includes(one)).map((one) => `${one} +`)].toSorted()
}

function jobsOf({ id, requirement }: Defect, scenarios: readonly Scenario[], seed: number): readonly Job[] {
  const standard = scenarios.filter(({ tier, price }) => tier !== 'full' && price.typical !== 0)
  const proving = standard.filter(({ proves }) => proves.some((row) => row === requirement))
  if ([...requirements.values()].some((row) => row.id === requirement && row.tier === 'full')) return []
  const job = (form: Form, among: readonly Scenario[], left_out: LeftOut = {}): Job => ({
    id: `${id} ${form}`,
    kind: 'defect',
    defects: [id],
    variations: [],
    requirement,
    everywhere: true,
    tier: 'standard',
    // What no scenario is meant to show may show anywhere.
    only: among.length === standard.length ? [] : among.map((one) => one.id),
    left_out,
    wider: [],
    seed,
    waits: Math.max(0, ...among.map(({ price }) => price.waits ?? 0)),
  })
  const among = proving.length === 0 ? standard : proving
  const taken = new Map(
    among.map((one) => [one.id, optionalFor(one.optional ?? [], (row) => row === requirement)] as const),
  )
  const more = among.filter((one) => taken.get(one.id)?.size !== 0)
  // What only optional requests claim nothing else shows.
  const less = among.filter(
    ({ optional = [] }) => !optional.some(({ rows }) => rows.some((row) => row === requirement)),
  )
  const briefly = new Map(less.map((one) => [one.id, nothing] as const))
  return [
    ...(less.length === 0 ? [] : [job('brief', less, leftOutBut(briefly, less))]),
    ...(more.length === 0 ? [] : [job('whole', more, leftOutBut(taken, more))]),
  ]
}

const nothing: ReadonlySet<Optional> = new Set()
