import { peakOf } from '../core/arrivals.ts'
import { allMeasures } from '../core/common-measures.ts'
import { wasRestarted } from '../core/cuts.ts'
import { type Finding, type Findings, join, type Judgement, judgementOf } from '../core/findings.ts'
import { judgeGenerator, judgeRun, lagBoundsOf } from '../core/judge-run.ts'
import type { Key } from '../core/keys.ts'
import { fewSessions } from '../core/plan.ts'
import { figuresOf, type LoadPart, printed } from '../core/summary.ts'
import { Tally } from '../core/tally.ts'
import { streamedMostly } from '../core/streaming.ts'
import type { Words } from '../core/words.ts'
import type { Workload, WorkloadName } from '../workloads.ts'
import type { Scenario } from './scenario.ts'

/** What was asked of the run. */
interface Asked {
  readonly workloadName: WorkloadName
  readonly workload: Workload
  readonly keys: readonly Key[]
  /** Whether we ended it before its schedule did. */
  readonly ended_early?: boolean
  /** Whether objectives hold its times against the target. */
  readonly times_matter?: boolean
}

/** Whether anything that is judged of a run rests on times. */
export const judgesTimes = (
  scenarios: readonly Scenario[],
  { times_matter = false }: Pick<Asked, 'times_matter'>,
): boolean => times_matter || scenarios.some(({ judges_times }) => judges_times)

/** With how many scenarios there are, and whether any of them saw a restart. */
type AskedOfAll = Asked & { readonly scenarios: number; readonly restarted: boolean }

/** What a scenario's numbers say, and what it measured. */
export interface Judged {
  readonly tally: Tally
  readonly findings: Findings
  readonly dropped: number
  readonly iterations: number
}

export interface JudgedPart extends Judgement {
  readonly scenarios: ReadonlyMap<string, Judged>
}

/**
 * Judges what a run measured: the same whether one process measured it or several whose parts were merged.
 * @throws Error when the part holds what its scenarios don't measure
 */
export function judgePart(part: LoadPart, scenarios: readonly Scenario[], asked: Asked, words: Words): JudgedPart {
  const tallies = scenarios.map((scenario) => tallyOf(part, scenario, words))
  const restarted = tallies.some((tally) => 'cuts' in tally.measures.counts && wasRestarted(tally))
  const asking = { ...asked, scenarios: scenarios.length, restarted }
  const own = scenarios.map((scenario, index) => judgeOne(part, scenario, asking, tallies[index] as Tally))
  const generator = judgeGenerator(
    own.map(({ tally }) => tally),
    lagBoundsOf(asked.workload, judgesTimes(scenarios, asked)),
  )
  const all = own.map((judged, index): [string, Judged] => {
    const name = scenarios[index]?.name ?? ''
    const findings = own.length > 1 ? said(name, judged.findings) : judged.findings
    // The generator is that of all of them, and told once.
    return [name, { ...judged, findings: index === 0 ? join([findings, generator]) : findings }]
  })
  return { ...judgementOf(join(all.map(([, { findings }]) => findings))), scenarios: new Map(all) }
}

/** Of several scenarios, it is said which one a finding is of. */
function said(name: string, { broken, trouble, invalid, notes = [] }: Findings): Findings {
  const named = (findings: readonly Finding[]): Finding[] =>
    findings.map((finding) => ({ ...finding, text: `${name}: ${finding.text}` }))
  return { broken: named(broken), trouble: named(trouble), invalid: named(invalid), notes: named(notes) }
}

function tallyOf(part: LoadPart, scenario: Scenario, words: Words): Tally {
  const tally = new Tally(allMeasures(scenario.measures(words), words))
  tally.addJson(part.tallies[scenario.name] ?? {})
  return tally
}

function judgeOne(part: LoadPart, scenario: Scenario, asked: AskedOfAll, tally: Tally): Judged {
  const { ended_early = false } = asked
  const dropped = part.dropped[scenario.name] ?? 0
  const iterations = ended_early
    ? (tally.counts('iterations').get('begun') ?? 0) + dropped
    : (part.iterations[scenario.name] ?? 0)
  const own = scenario.judge(tally, { ...asked, iterations, dropped })
  const { name, price, exceeds } = scenario
  const share = { scenario: name, weight: 1, ...price(asked.workload), exceeds }
  const few_sessions = fewSessions(share, asked.scenarios, asked.workload, asked.keys)
  const streaming = streamedMostly(tally, { users: asked.workload.users, rate: peakOf(asked.workload) })
  const common = judgeRun(tally, { iterations, dropped, few_sessions, streaming, ended_early })
  const found = join([own, common])
  return { tally, findings: asked.restarted ? excused(found) : found, dropped, iterations }
}

/** What went wrong beside a restart may have been its doing; a law that was broken was broken all the same. */
function excused({ broken, trouble, invalid, notes = [] }: Findings): Findings {
  const why = 'connections were cut at one moment, as by a restart: run it again'
  return {
    broken,
    notes,
    trouble: [],
    invalid: [...invalid, ...trouble.map((one) => ({ ...one, text: `${one.text} (${why})` }))],
  }
}

/** For people: a few lines. */
export function printedPart(part: LoadPart, { verdict, findings, scenarios }: JudgedPart): string {
  const seconds = (part.duration_ms / 1_000).toFixed(1)
  return [...scenarios]
    .map(([name, { tally }], index) => {
      const title = `${name} · ${part.workload} · ${part.parts} k6 · ${seconds} s`
      const judgement = { verdict, findings: index === 0 ? findings : [] }
      return printed(title, judgement, figuresOf(tally, part.duration_ms))
    })
    .join('\n')
}
