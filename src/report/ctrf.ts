import type { RequirementResult, Results, Verdict } from '#judge/results'
import { type ConclusionOptions, conclude } from './conclusion.ts'
import { countAll, countVerdicts, isUntestable, known } from './counts.ts'
import { partOf } from '#spec/part-of'
import { type FailurePlaces, failureText } from './failure-text.ts'
import { printable } from '#text/printable'
import { type RowFacts, waiversById } from './row-facts.ts'
import { runErrors } from './run-errors.ts'
import { type Waiver, waiverText } from './waivers.ts'

export type CtrfOptions = ConclusionOptions & FailurePlaces & RowFacts

const statuses = ['passed', 'failed', 'pending', 'skipped', 'other'] as const
type Status = (typeof statuses)[number]

/** So that their counts are the terminal's: what no client can judge is skipped as what does not apply, and pending is what this run did not judge. */
const statusOf: { readonly [verdict in Verdict]: Status } = {
  pass: 'passed',
  fail: 'failed',
  inconclusive: 'pending',
  not_applicable: 'skipped',
  warn: 'other',
  waived: 'other',
}

interface Test {
  readonly name: string
  readonly status: Status
  readonly suite: readonly string[]
  readonly [field: string]: unknown
}

/**
 * Common Test Report Format (ctrf.io), 0.0.0: one test a requirement. The verdict is its `rawStatus`, and
 * `summary.extra.verdicts` counts all six; what is wrong with the run itself is one more failed test, `run`.
 */
export function ctrfReport(results: Results, options: CtrfOptions): string {
  const errors = runErrors(results, options)
  const waivers = waiversById(results)
  const rows = results.requirements.map((row) => requirementTest(row, waivers.get(row.id), options))
  const tests = errors.length === 0 ? rows : [...rows, runTest(errors)]
  const { run, target, traffic } = results
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: run.date,
    generatedBy: `greenroom ${run.versions.greenroom}`,
    results: {
      tool: { name: 'greenroom', version: run.versions.greenroom },
      summary: summaryOf(tests, results, conclude(results, options).exit),
      tests,
      environment: {
        appName: printable(target.base_url),
        appVersion: run.versions.spec,
        extra: { run: run.id, seed: run.seed, tier: run.tier, only: run.only, rest_requests: traffic.rest_requests },
      },
    },
  }
  return `${JSON.stringify(report, undefined, 2)}\n`
}

function summaryOf(tests: readonly Test[], results: Results, exit: number): object {
  const start = Date.parse(results.run.date)
  const duration = results.run.duration_ms
  const counts = statuses.map((status) => [status, tests.filter((one) => one.status === status).length])
  return {
    tests: tests.length,
    ...Object.fromEntries(counts),
    suites: new Set(tests.map(({ suite }) => suite[0])).size,
    start,
    stop: start + duration,
    duration,
    extra: {
      verdicts: countVerdicts(results),
      untestable: countAll(results).untestable,
      conformant: results.conformant,
      exit,
    },
  }
}

function requirementTest(row: RequirementResult, waiver: Waiver | undefined, options: CtrfOptions): Test {
  const { id, section, level, observations, scenarios, evidence } = row
  const verdict = known(row.verdict)
  const code = row.reason_code === undefined ? {} : { reason_code: row.reason_code }
  const text = options.text?.(id)
  const reason = waiver === undefined ? row.reason : `${waiverText(waiver)} (${row.reason})`
  const more = {
    ...code,
    ...(text === undefined ? {} : { requirement: printable(text, 1_000) }),
    ...(waiver === undefined ? {} : { waiver: { ...waiver, reason: printable(waiver.reason, 1_000) } }),
  }
  return {
    name: printable(id),
    status: isUntestable(row) ? 'skipped' : statusOf[verdict],
    rawStatus: verdict,
    duration: options.durationOf?.(row) ?? 0,
    suite: [printable(partOf(id))],
    ...(verdict === 'pass' ? {} : { message: printable(reason, 1_000) }),
    ...(row.failures === undefined
      ? {}
      : {
          trace: row.failures
            .map((failure, place) => failureText(failure, options, place === 0 ? row.id : undefined))
            .join('\n\n'),
        }),
    tags: [level, verdict],
    extra: { section: printable(section), level, verdict, ...more, observations, scenarios, evidence },
  }
}

function runTest(errors: readonly string[]): Test {
  return {
    name: 'run',
    status: 'failed',
    rawStatus: 'error',
    duration: 0,
    suite: ['greenroom'],
    message: errors.map((error) => printable(error)).join('\n'),
  }
}
