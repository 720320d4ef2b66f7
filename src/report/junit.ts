import type { RequirementResult, Results, Verdict } from '#judge/results'
import type { ConclusionOptions } from './conclusion.ts'
import { known, partOf } from './counts.ts'
import { type FailurePlaces, failureText } from './failure-text.ts'
import { printable } from '#text/printable'
import { runErrors } from './run-errors.ts'

export type JunitOptions = ConclusionOptions & FailurePlaces

interface Case {
  readonly suite: string
  readonly kind: 'passed' | 'failure' | 'skipped' | 'error'
  readonly xml: string
}

/**
 * JUnit XML: one test case a requirement, one suite a part. Only `fail` is a failure; what has no verdict is skipped with
 * its reason; what is wrong with the run itself is an error in a suite of its own.
 */
export function junitReport(results: Results, options: JunitOptions): string {
  const errors = runErrors(results, options)
  const rows = results.requirements.map((row) => requirementCase(row, options))
  const cases = errors.length === 0 ? rows : [...rows, errorCase('run', errors)]
  const suites = [...Map.groupBy(cases, ({ suite }) => suite)]
  const seconds = (results.run.duration_ms / 1000).toFixed(3)
  const stamp = `timestamp="${attribute(results.run.date)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="greenroom" ${counts(cases)} time="${seconds}">`,
    ...suites.flatMap(([name, own]) => [
      `  <testsuite name="${attribute(name)}" ${counts(own)} time="0" ${stamp}>`,
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

function requirementCase(row: RequirementResult, options: JunitOptions): Case {
  const part = partOf(row.id)
  const { kind, xml } = outcomes[known(row.verdict)](row, options)
  const body = [properties(row), ...(xml === '' ? [] : [xml])]
  const head = `    <testcase classname="${attribute(part)}" name="${attribute(row.id)}" time="0">`
  return { suite: printable(part), kind, xml: [head, ...body, '    </testcase>'].join('\n') }
}

function properties(row: RequirementResult): string {
  const { section, level, verdict, observations } = row
  const list = Object.entries({ section, level, verdict, observations: String(observations) })
  const lines = list.map(([name, value]) => `        <property name="${name}" value="${attribute(value)}"/>`)
  return ['      <properties>', ...lines, '      </properties>'].join('\n')
}

interface CaseOutcome {
  readonly kind: Case['kind']
  readonly xml: string
}

const outcomes: { readonly [verdict in Verdict]: (row: RequirementResult, options: JunitOptions) => CaseOutcome } = {
  pass: () => ({ kind: 'passed', xml: '' }),
  warn: (row, options) => ({
    kind: 'passed',
    xml: `      <system-out>${escaped(details(row, options))}</system-out>`,
  }),
  fail: (row, options) => ({
    kind: 'failure',
    xml: `      <failure type="${row.level}" message="${attribute(row.reason)}">${escaped(details(row, options))}</failure>`,
  }),
  inconclusive: ({ reason, reason_code = 'inconclusive' }) => skipped(reason_code, reason),
  not_applicable: ({ reason }) => skipped('not applicable', reason),
  waived: ({ reason }) => skipped('waived', reason),
}

function skipped(why: string, reason: string): CaseOutcome {
  return { kind: 'skipped', xml: `      <skipped message="${attribute(`${why}: ${reason}`)}"/>` }
}

function details(row: RequirementResult, options: JunitOptions): string {
  const failures = (row.failures ?? []).map((failure) => failureText(failure, options))
  return failures.length === 0 ? `evidence: ${options.trace}:${row.evidence.join(', ')}` : failures.join('\n\n')
}

function errorCase(name: string, messages: readonly string[]): Case {
  const xml = [
    `    <testcase classname="greenroom" name="${name}" time="0">`,
    `      <error type="run" message="${attribute(messages[0] ?? name)}">${escaped(messages.map((one) => printable(one)).join('\n'))}</error>`,
    '    </testcase>',
  ].join('\n')
  return { suite: 'greenroom', kind: 'error', xml }
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
