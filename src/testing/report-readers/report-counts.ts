import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { register } from '#judge/register'
import { type Results, verdicts } from '#judge/results'
import { columns } from '#report/counts'
import { readCtrf } from './read-ctrf.ts'
import { elements, readXml } from './read-xml.ts'

type Counted = { readonly [name: string]: number }

/** What each report of a run says, in the terms of its reader. */
export interface ReportCounts {
  /** By column; `undefined` where the terminal shows no table. */
  readonly terminal: Counted | undefined
  readonly summary: Counted
  readonly allure: Counted
  /** By verdict. */
  readonly junit: Counted
  readonly ctrf: Counted
  /** Of CTRF's own statuses; what is wrong with the run itself is one more that failed. */
  readonly statuses: Counted
  /** Errors of JUnit: what is wrong with the run itself. */
  readonly errors: number
}

/** By the columns of the terminal: rows that no client can judge stand apart. */
export function columnsOf({ summary, requirements }: Results): Counted {
  const { rows } = register()
  const open = requirements.filter(({ verdict }) => verdict === 'inconclusive')
  const out = open.filter(({ id }) => rows.get(id)?.standing === 'untestable').length
  return { ...summary, inconclusive: summary.inconclusive - out, untestable: out }
}

/** The numbers of a row of a table, by column. */
export function rowOf(text: string, row: RegExp): Counted | undefined {
  const found = row.exec(text)?.[1]
  if (found === undefined) return undefined
  const cells = found.trim().split(/[\s|]+/)
  return Object.fromEntries(columns.map((column, place) => [column, Number(cells[place]?.replace('·', '0'))]))
}

/** Reads the reports in the folder of a run. */
export function countsIn(folder: string, stdout: string): ReportCounts {
  const written = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8')
  const xml = readXml(written('junit.xml'))
  const properties = elements(xml, 'property').map(({ attributes }) => attributes)
  const { tests, summary } = readCtrf(written('ctrf.json')).results
  const { passed, failed, pending, skipped, other } = summary
  const environment = written('allure-results', 'environment.properties').matchAll(/^(\w+)=(\d+)$/gm)
  const numbers = Object.fromEntries([...environment].map(([, name = '', value]) => [name, Number(value)]))
  return {
    terminal: rowOf(stdout, /^total(.*)$/m),
    summary: rowOf(written('summary.md'), /^\| total \|(.*)\|$/m) ?? {},
    allure: Object.fromEntries(columns.map((column) => [column, numbers[column] ?? Number.NaN])),
    junit: byVerdict(properties.flatMap(({ name, value }) => (name === 'verdict' ? [value] : []))),
    ctrf: byVerdict(tests.map(({ rawStatus }) => rawStatus)),
    statuses: { passed, failed, pending, skipped, other },
    errors: elements(xml, 'error').length,
  }
}

function byVerdict(all: readonly (string | undefined)[]): Counted {
  return Object.fromEntries(verdicts.map((verdict) => [verdict, all.filter((one) => one === verdict).length]))
}
