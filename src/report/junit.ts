import type { RequirementResult, Results, Verdict } from '#judge/results'
import type { ConclusionOptions } from './conclusion.ts'
import { isUntestable, known } from './counts.ts'
import { partOf } from '#spec/part-of'
import { type FailurePlaces, failureText } from './failure-text.ts'
import { printable } from '#text/printable'
import { type RowFacts, waiversById } from './row-facts.ts'
import { runErrors } from './run-errors.ts'
import { type Waiver, waiverText } from './waivers.ts'

export type JunitOptions = ConclusionOptions & FailurePlaces & RowFacts

interface Case {
  readonly suite: string
  readonly kind: 'passed' | 'failure' | 'skipped' | 'error'
  readonly xml: string
  /** How long it took, in milliseconds. */
  readonly ms: number
}

interface CaseOptions extends JunitOptions {
  /** By requirement. */
  readonly waivers: ReadonlyMap<string, Waiver>
}

/**
 * JUnit XML: one test case a requirement, one suite a part. Only `fail` is a failure; what has no verdict is skipped with
 * its reason; what is wrong with the run itself is an error in a suite of its own.
 */
export function junitReport(results: Results, options: JunitOptions): string {
  const errors = runErrors(results, options)
  const waivers = waiversById(results)
  const rows = results.requirements.map((row) => requirementCase(row, { ...options, waivers }))
  const cases = errors.length === 0 ? rows : [...rows, errorCase('run', errors)]
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)]
  const seconds = inSeconds(results.run.duration_ms)
  const stamp = `timestamp="${attribute(results.run.date)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="greenroom" ${counts(cases)} time="${seconds}">`,
    ...suites.flatMap(([name, own]) => [
      `  <testsuite name="${attribute(name)}" ${counts(own)} time="${inSeconds(Math.max(...own.map(({ ms }) => ms)))}" ${stamp}>`,
      ...own.map(({ xml }) => xml),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function counts(cases: readonly Case[]): string {
  const count = (kind: Case['kind']): number => cases.filter((one) => one.kind === kind).length
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
}

function requirementCase(row: RequirementResult, options: CaseOptions): Case {
  const part = partOf(row.id)
  const { kind, xml } = outcomes[known(row.verdict)](row, options)
  const ms = options.durationOf?.(row) ?? 0
  const body = [properties(row, options), ...(xml === '' ? [] : [xml])]
  const head = `    <testcase classname="${attribute(part)}" name="${attribute(row.id)}" time="${inSeconds(ms)}">`
  return { suite: printable(part), kind, ms, xml: [head, ...body, '    </testcase>'].join('\n') }
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function properties(row: RequirementResult, { text, waivers }: CaseOptions): string {
  const { section, level, verdict, observations } = row
  const sentence = text?.(row.id)
  const waiver = waivers.get(row.id)
  const list = Object.entries({
    section,
    level,
    verdict,
    observations: String(observations),
    ...(sentence === undefined ? {} : { requirement: sentence }),
    ...(waiver === undefined ? {} : { waived_because: waiver.reason, owner: waiver.owner, expires: waiver.expires }),
  })
  const lines = list.map(([name, value]) => `        <property name="${name}" value="${attribute(value)}"/>`)
  return ['      <properties>', ...lines, '      </properties>'].join('\n')
}

interface CaseOutcome {
  readonly kind: Case['kind']
  readonly xml: string
}

const outcomes: { readonly [verdict in Verdict]: (row: RequirementResult, options: CaseOptions) => CaseOutcome } = {
  pass: () => ({ kind: 'passed', xml: '' }),
  warn: (row, options) => ({
    kind: 'passed',
    xml: `      <system-out>${escaped(details(row, options))}</system-out>`,
  }),
  fail: (row, options) => ({
    kind: 'failure',
    xml: `      <failure type="${row.level}" message="${attribute(row.reason)}">${escaped(details(row, options))}</failure>`,
  }),
  inconclusive: (row) => skipped(isUntestable(row) ? 'untestable' : (row.reason_code ?? 'inconclusive'), row.reason),
  not_applicable: ({ reason }) => skipped('not applicable', reason),
  waived: (row, { waivers }) => {
    const waiver = waivers.get(row.id)
    return skippedAs(waiver === undefined ? `waived: ${row.reason}` : `${waiverText(waiver)} (${row.reason})`)
  },
}

function skipped(why: string, reason: string): CaseOutcome {
  return skippedAs(`${why}: ${reason}`)
}

function skippedAs(message: string): CaseOutcome {
  return { kind: 'skipped', xml: `      <skipped message="${attribute(message)}"/>` }
}

function details(row: RequirementResult, options: CaseOptions): string {
  const sentence = options.text?.(row.id)
  const failures = (row.failures ?? []).map((failure, place) =>
    failureText(failure, options, place === 0 ? row.id : undefined),
  )
  const shown = failures.length === 0 ? [`evidence: ${options.trace}:${row.evidence.join(', ')}`] : failures
  return [...(sentence === undefined ? [] : [printable(sentence, 1_000)]), ...shown].join('\n\n')
}

function errorCase(name: string, messages: readonly string[]): Case {
  const xml = [
    `    <testcase classname="greenroom" name="${name}" time="0">`,
    `      <error type="run" message="${attribute(messages[0] ?? name)}">${escaped(messages.map((one) => printable(one)).join('\n'))}</error>`,
    '    </testcase>',
  ].join('\n')
  return { suite: 'greenroom', kind: 'error', ms: 0, xml }
}

/** Text for an attribute: one line, bounded, nothing that XML forbids. */
function attribute(text: string): string {
  return escaped(printable(text, 1_000))
}

const entities: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escaped(text: string): string {
  // XML 1.0 has no way to write these characters, not even as references.
  const legal = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return legal.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
