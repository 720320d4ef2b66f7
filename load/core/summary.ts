import type { ConverseTally } from './converse-measures.ts'
import type { TallyJson } from './tally.ts'
import { type Judgement, judge, type Verdict } from './verdict.ts'

export const FORMAT = 'greenroom.load-part/1'

/** What has to be equal in all parts of a run. */
export interface RunFacts {
  readonly run: string
  readonly scenario: string
  readonly workload: string
  readonly conversations: number
  readonly lag_bound_ms: number
}

/** The result of one k6 process, or of several after `merge`. */
export interface LoadSummary extends RunFacts {
  readonly format: typeof FORMAT
  /** How many k6 processes it is made of. */
  readonly parts: number
  /** Of the longest part. */
  readonly duration_ms: number
  readonly verdict: Verdict
  readonly reasons: readonly string[]
  readonly figures: Figures
  /** Every number of the run; all else but the facts and the duration follows from it. */
  readonly tally: TallyJson
}

export interface Figures {
  readonly events: number
  readonly events_per_second: number
  readonly responses_whole: number
  /** Milliseconds by measure; null where nothing was measured. */
  readonly times: { readonly [time: string]: Percentiles }
}

export type Percentiles = { readonly [share in 'p50' | 'p90' | 'p99']: number | null }

export function summarize(facts: RunFacts, tally: ConverseTally, parts: number, duration: number): LoadSummary {
  const { verdict, reasons }: Judgement = judge(tally, facts)
  return {
    format: FORMAT,
    ...facts,
    parts,
    duration_ms: duration,
    verdict,
    reasons,
    figures: figuresOf(tally, duration),
    tally: tally.toJSON(),
  }
}

/**
 * Merges what the processes of one run wrote, exactly: percentiles come from the summed histograms.
 * @param tally empty, with the measures of the scenario
 * @throws Error when they are not parts of one run
 */
export function merge(parts: readonly LoadSummary[], tally: ConverseTally): LoadSummary {
  const [first] = parts
  if (first === undefined) throw new Error('there is no summary to merge')
  for (const part of parts) {
    const differs = stranger(first, part)
    if (differs !== undefined) throw new Error(`the summaries differ in ${differs}: they are not parts of one run`)
    tally.addJson(part.tally)
  }
  const count = parts.reduce((sum, part) => sum + part.parts, 0)
  const { run, scenario, workload, conversations, lag_bound_ms } = first
  const facts = { run, scenario, workload, conversations, lag_bound_ms }
  return summarize(facts, tally, count, Math.max(...parts.map(({ duration_ms }) => duration_ms)))
}

const shared = ['format', 'run', 'scenario', 'workload', 'conversations', 'lag_bound_ms'] as const

function stranger(first: LoadSummary, part: LoadSummary): string | undefined {
  return shared.find((fact) => first[fact] !== part[fact])
}

function figuresOf(tally: ConverseTally, duration: number): Figures {
  const events = tally.total('events')
  const times = tally.measures.times.map((name): [string, Percentiles] => {
    const at = (share: number): number | null => rounded(tally.time(name).quantile(share))
    return [name, { p50: at(0.5), p90: at(0.9), p99: at(0.99) }]
  })
  return {
    events,
    events_per_second: duration > 0 ? Math.round(events / (duration / 1_000)) : 0,
    responses_whole: tally.total('responses', ['whole']),
    times: Object.fromEntries(times),
  }
}

const rounded = (ms: number | undefined): number | null => (ms === undefined ? null : Number(ms.toPrecision(3)))

/** For people: a few lines. */
export function printed({ verdict, reasons, figures, ...facts }: LoadSummary): string {
  const seconds = (facts.duration_ms / 1_000).toFixed(1)
  const times = Object.entries(figures.times).map(
    ([name, { p50, p90, p99 }]) => `  ${name.padEnd(16)} p50 ${p50 ?? '–'}  p90 ${p90 ?? '–'}  p99 ${p99 ?? '–'}`,
  )
  return [
    `${facts.scenario} · ${facts.workload} · ${facts.parts} k6 · ${seconds} s: ${verdict}`,
    ...reasons.map((reason) => `  ${reason}`),
    `  ${figures.events} events, ${figures.events_per_second} a second, ${figures.responses_whole} whole responses`,
    ...times,
    '',
  ].join('\n')
}
