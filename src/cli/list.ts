import type { RegisterView } from '#judge/register-view'
import { partOf } from '#spec/part-of'
import { didYouMean } from './did-you-mean.ts'
import { register } from '#judge/register'
import { byWholeFamily } from '#report/by-family'
import { mostOf } from '#scenario/plan/plan'
import type { Shell } from './shell.ts'
import { usage } from './stop.ts'

export interface ListOptions {
  readonly part?: string
  readonly word: readonly string[]
  readonly json: boolean
  readonly scenarios: boolean
  readonly defects: boolean
  readonly variations: boolean
  readonly coverage: boolean
}

/** Something with an id: its first columns, and all of it for `--json`. */
interface Listed {
  /** Of a requirement; what else has an id is in no family. */
  readonly id?: string
  readonly part: string
  readonly columns: readonly string[]
  readonly whole: object
}

/** Prints what has an id. @throws Stop (2) for a part that there isn't */
export async function list(options: ListOptions, shell: Shell): Promise<number> {
  const { part } = options
  const kinds = [options.scenarios, options.defects, options.variations, options.coverage].filter(Boolean).length
  if (kinds > 1) throw usage('--scenarios, --defects, --variations and --coverage exclude each other; give one of them')
  checkPart(part, register())
  if (part !== undefined && options.variations)
    throw usage('--part: variations belong to no part; filter them with --word')
  if (options.coverage) return listCoverage(options, shell)
  const all = await listed(options)
  const rows = all.filter((row) => (part === undefined || row.part === part) && holds(row, options.word))
  if (rows.length === 0) shell.err('greenroom: nothing that is listed has all of these words\n')
  shell.out(
    options.json
      ? `${JSON.stringify(
          rows.map(({ whole }) => whole),
          undefined,
          2,
        )}\n`
      : table(rows),
  )
  return 0
}

function holds({ whole }: Listed, words: readonly string[]): boolean {
  const text = JSON.stringify(whole).toLowerCase()
  return words.every((word) => text.includes(word.toLowerCase()))
}

/** What proves each requirement, and the sums of each section. */
async function listCoverage({ part, json }: ListOptions, shell: Shell): Promise<number> {
  const { coverage, coverageColumns, coverageSums, sentenceSums } = await import('./coverage.ts')
  const all = await coverage(part)
  const rows = byWholeFamily(all, (one) => coverageColumns(one, '').join(' '))
  const lines = rows.map(({ name, rows: [first] }) => coverageColumns(first, name))
  const pages = [lines, coverageSums(all), [[sentenceSums(all, part)]]]
  shell.out(json ? `${JSON.stringify(all, undefined, 2)}\n` : pages.map(aligned).join('\n'))
  return 0
}

async function listed(options: ListOptions): Promise<readonly Listed[]> {
  if (options.scenarios) return scenarios()
  if (options.defects || options.variations) return deviationsOf(options.defects ? 'defects' : 'variations')
  return [...register().rows].map(([id, row]) => ({
    id,
    part: partOf(id),
    columns: [id, `§${row.section}`, row.level, row.standing],
    whole: { id, ...row },
  }))
}

async function scenarios(): Promise<readonly Listed[]> {
  const { loadScenarios } = await import('#scenario/plan/catalogue')
  return (await loadScenarios()).map(({ id, proves, tier = 'standard', needs = {}, price }) => ({
    part: partOf(id),
    columns: [id, tier, `${mostOf(price)} requests`, `${proves.length} requirements`],
    whole: { id, tier, needs, price, proves },
  }))
}

async function deviationsOf(kind: 'defects' | 'variations'): Promise<readonly Listed[]> {
  const { deviations } = await import('#target/deviations')
  if (kind === 'variations') {
    return deviations().variations.map(({ id, section, text }) => ({
      part: partOf(id),
      columns: [id, `§${section}`, text],
      whole: { id, section, text },
    }))
  }
  return deviations().defects.map(({ id, requirement, text }) => ({
    part: partOf(requirement),
    columns: [id, requirement, text],
    whole: { id, requirement, text },
  }))
}

function checkPart(part: string | undefined, { rows }: RegisterView): void {
  const parts = new Set([...rows.keys()].map(partOf))
  if (part === undefined || parts.has(part)) return
  const hint = didYouMean(part, parts) || `; there are ${[...parts].join(', ')}`
  throw usage(`--part ${JSON.stringify(part)} is not known${hint}`)
}

/** A family of requirements is one line. */
function table(rows: readonly Listed[]): string {
  const named = rows.map(({ id = '', columns }) => ({ id, columns }))
  const lines = byWholeFamily(named, ({ columns }) => columns.slice(1).join(' '))
  return aligned(
    lines.map(({ name, text, rows: [{ columns }] }) => (text === undefined ? columns : [name, ...columns.slice(1)])),
  )
}

/** Columns under each other; the last one is as long as it likes. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((columns) => columns[column]?.length ?? 0)))
  const line = (columns: readonly string[]): string =>
    columns
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return rows.map((columns) => `${line(columns)}\n`).join('')
}
