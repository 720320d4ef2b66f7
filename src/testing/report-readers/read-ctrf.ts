/** What the tests look at in a CTRF report. */
export interface CtrfReport {
  readonly results: {
    readonly summary: { readonly [count in (typeof counts)[number]]: number } & { readonly extra?: unknown }
    readonly tests: readonly CtrfTest[]
  }
}

interface CtrfTest {
  readonly name: string
  readonly status: string
  readonly duration: number
  readonly rawStatus?: string
  readonly suite?: readonly string[]
  readonly message?: string
  readonly trace?: string
}

const statuses = ['passed', 'failed', 'skipped', 'pending', 'other'] as const
const counts = ['tests', ...statuses, 'suites', 'start', 'stop', 'duration'] as const

/** Fields that CTRF 0.0.0 knows, of those that we write; it allows no others. */
const fields = {
  root: ['reportFormat', 'specVersion', 'timestamp', 'generatedBy', 'results'],
  results: ['tool', 'summary', 'tests', 'environment'],
  tool: ['name', 'version'],
  summary: [...counts, 'extra'],
  environment: ['appName', 'appVersion', 'extra'],
  test: ['name', 'status', 'rawStatus', 'duration', 'suite', 'message', 'trace', 'tags', 'extra'],
}

/** Reads a report as strictly as CTRF's schema. @throws where it is none, or where its counts disagree with its tests */
export function readCtrf(text: string): CtrfReport {
  const report = JSON.parse(text)
  const { results } = report
  only(fields.root, report)
  only(fields.results, results)
  only(fields.tool, results.tool)
  only(fields.summary, results.summary)
  only(fields.environment, results.environment)
  must(report.reportFormat === 'CTRF' && report.specVersion === '0.0.0', 'format')
  must(!Number.isNaN(Date.parse(report.timestamp)), 'timestamp')
  must(isText(results.tool.name), 'tool.name')
  for (const count of counts) must(Number.isInteger(results.summary[count]), `summary.${count}`)
  for (const one of results.tests) readTest(one)
  const having = (status: string): number => results.tests.filter((one: CtrfTest) => one.status === status).length
  must(results.summary.tests === results.tests.length, 'summary.tests')
  for (const status of statuses) must(results.summary[status] === having(status), `summary.${status}`)
  return report
}

function readTest(one: CtrfTest & { readonly tags?: unknown }): void {
  only(fields.test, one)
  must(isText(one.name), 'name')
  must(
    statuses.some((status) => status === one.status),
    `${one.name}: status`,
  )
  must(Number.isInteger(one.duration), `${one.name}: duration`)
  must(one.suite === undefined || (one.suite.length > 0 && one.suite.every(isText)), `${one.name}: suite`)
  must(one.tags === undefined || (Array.isArray(one.tags) && one.tags.every(isText)), `${one.name}: tags`)
  for (const text of [one.message, one.trace, one.rawStatus]) {
    must(text === undefined || typeof text === 'string', `${one.name}: texts`)
  }
}

function only(known: readonly string[], object: object): void {
  for (const name of Object.keys(object)) must(known.includes(name), `unknown field ${name}`)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not CTRF: ${what}`)
}
