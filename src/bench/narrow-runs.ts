import { judge } from '#judge/judge'
import { register } from '#judge/register'
import { loadScenarios } from '#scenario/plan/catalogue'
import { cheapest } from '#scenario/plan/cheapest'
import { readFinds } from '#scenario/plan/finds'
import { loadRules } from '#scenario/plan/load-rules'
import { select, type Selection } from '#scenario/plan/selection'
import { driveTarget } from '#scenario/run/drive'
import { presentKeys, readSecrets } from '#scenario/run/run-secrets'
import { outlayOf } from '#scenario/plan/outlay'
import { requirements } from '#spec/register'
import { DEFECTS } from '#target/defects'
import { sideBySide } from '#testing/side-by-side'
import { onSimulatedTarget } from '#testing/simulated-target'
import { readWords } from './command-line.ts'

// Whether a run that is narrowed to one row says of it what a whole run says: `npm run bench -- narrow` asks the
// correct target for every row, `… defects` every defect for its own row; a further word picks ids that hold it.
const [kind, word] = readWords('npm run bench -- narrow [rows | defects [part of an id]]', 'rows', '')
const [scenarios, rules, finds, ids] = [
  await loadScenarios(),
  await loadRules(),
  readFinds(),
  [...requirements.values()].map(({ id }) => id),
]
const beside = 24

interface Ran {
  readonly verdict: string
  readonly reason: string
  readonly sent: number
  readonly foretold: number
}

async function narrowed(row: string, defects: string[], whole = false): Promise<Ran | undefined> {
  return onSimulatedTarget({ defects }, async (driven) => {
    const { profile, environment } = driven
    const keys = presentKeys(readSecrets(profile, environment))
    const all = select({ scenarios, profile, keys, tier: 'standard', only: [row], requirements: ids })
    const chosen: Selection = whole ? all : cheapest(all, { only: [row], finds, profile })
    const { selected } = chosen
    const { left_out = {} } = whole ? {} : chosen
    if (selected.length === 0) return undefined
    const { trace } = await driveTarget({ ...driven, only: [row], scenarios: selected, left_out, seed: 1 })
    const results = judge(trace, register(), rules)
    const { verdict = 'missing', reason = '' } =
      [...results.requirements, ...results.unscored].find(({ id }) => id === row) ?? {}
    const foretold = outlayOf(selected, left_out, profile).requests
    return { verdict, reason, sent: results.traffic.rest_requests, foretold }
  })
}

const jobs =
  kind === 'defects'
    ? DEFECTS.map(({ id, requirement }) => ({ id, row: requirement, defects: [id] }))
    : ids.map((id) => ({ id, row: id, defects: [] as string[] }))
const counts = new Map<string, number>()
const isGood = ({ verdict }: Ran) => (kind === 'defects' ? ['fail', 'warn'] : ['pass']).includes(verdict)

await sideBySide(
  jobs.filter(({ id }) => id.includes(word)),
  beside,
  tell,
)
console.log(Object.fromEntries(counts))

async function tell({ id, row, defects }: (typeof jobs)[number]): Promise<void> {
  let ran = await narrowed(row, defects)
  if (ran !== undefined && !isGood(ran)) ran = await narrowed(row, defects)
  const verdict = ran?.verdict ?? 'no scenario'
  counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  if (ran === undefined) return
  if (!isGood(ran)) {
    const lost = isGood((await narrowed(row, defects, true)) ?? ran)
    const why = lost ? 'all scenarios that list the row say more' : 'so do all scenarios that list the row'
    console.log(`${id}: ${ran.verdict} (${ran.reason.slice(0, 200)}); ${why}`)
  }
  if (defects.length === 0 && ran.sent > ran.foretold) console.log(`${id}: sent ${ran.sent}, foretold ${ran.foretold}`)
}
