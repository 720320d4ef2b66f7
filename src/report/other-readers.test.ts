import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { verdicts } from '#judge/results'
import { handMadeResults, handMadeTrace, hostileText, profile, row } from '#testing/hand-made-results'
import { ctrfReport } from './ctrf.ts'
import { resender } from './curl.ts'
import { junitReport } from './junit.ts'

const load = createRequire(import.meta.url)

interface Element {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
}

interface StrictParser {
  on(event: 'opentag', seen: (element: Element) => void): void
  on(event: 'error', seen: (error: Error) => void): void
  write(text: string): StrictParser
  close(): void
}

const { SaxesParser } = load('saxes') as { SaxesParser: new () => StrictParser }
const { XMLParser, XMLValidator } = load('fast-xml-parser') as {
  XMLParser: new (options: object) => { parse: (text: string) => unknown }
  XMLValidator: { validate: (text: string) => unknown }
}
const ctrf = load('ctrf') as { validate: (report: unknown) => { valid: boolean; errors: readonly unknown[] } }

const options = { resend: resender(handMadeTrace, 'https://staging.example', profile), trace: 'trace.ndjson' }
const failures = [{ expected: hostileText, got: hostileText, evidence: [2] }]

/** Two rows of each verdict, one of them with all that a hostile target would put into it. */
const every = handMadeResults(
  verdicts.flatMap((verdict) => [
    row(`voices.${verdict}.plain`, verdict, verdict === 'inconclusive' ? { reason_code: 'tier' } : {}),
    row(`limits.${verdict}.hostile`, verdict, { reason: hostileText, failures }),
  ]),
)
const { fail, inconclusive, not_applicable, waived, pass, warn } = every.summary
const junit = junitReport(every, options)

test('a strict parser of XML counts what the results count', () => {
  const counts = new Map<string, number>()
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => void counts.set(name, (counts.get(name) ?? 0) + 1))
  parser.write(junit).close()
  expect(Object.fromEntries(counts)).toMatchObject({
    testcase: every.requirements.length,
    failure: fail,
    skipped: inconclusive + not_applicable + waived,
  })
})

test('so does another one', () => {
  expect(XMLValidator.validate(junit)).toBe(true)
  const parser = new XMLParser({
    ignoreAttributes: false,
    isArray: (name: string) => /^test(?:suite|case)$/.test(name),
  })
  const read = parser.parse(junit) as {
    readonly testsuites: {
      readonly testsuite: readonly { readonly testcase: readonly object[] }[]
      readonly [attribute: `@_${string}`]: string
    }
  }
  const { testsuites } = read
  const cases = testsuites.testsuite.flatMap(({ testcase }) => testcase)
  expect(cases).toHaveLength(every.requirements.length)
  expect(cases.filter((one) => 'failure' in one)).toHaveLength(fail)
  expect(cases.filter((one) => 'skipped' in one)).toHaveLength(inconclusive + not_applicable + waived)
  expect(testsuites).toMatchObject({ '@_tests': String(cases.length), '@_failures': String(fail), '@_errors': '0' })
})

test('the CTRF report is one by the schema of its makers, and counts the same', () => {
  const report = JSON.parse(ctrfReport(every, options)) as { results: { summary: object } }
  expect(ctrf.validate(report)).toMatchObject({ valid: true })
  expect(ctrf.validate({ ...report, results: {} })).toMatchObject({ valid: false })
  expect(report.results.summary).toMatchObject({
    tests: every.requirements.length,
    passed: pass,
    failed: fail,
    pending: inconclusive,
    skipped: not_applicable,
    other: warn + waived,
  })
})
