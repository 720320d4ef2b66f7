import type { Row } from '#judge/register-view'
import { register } from '#judge/register'
import { sentences } from '#spec/sentences'
import { partOf } from '#spec/part-of'
import { loadScenarios } from '#scenario/plan/catalogue'
import { loadRules } from '#scenario/plan/load-rules'
import { deviations } from '#target/deviations'

/** What proves one requirement. */
export interface Covered {
  readonly id: string
  readonly section: string
  readonly level: string
  readonly standing: string
  /** Ids of the scenarios that drive it, of the rules that judge it, and of the seeded mistakes that break it. */
  readonly scenarios: readonly string[]
  readonly rules: readonly string[]
  readonly defects: readonly string[]
}

/** Every requirement with what proves it, in the order of the spec's sections. */
export async function coverage(part: string | undefined): Promise<readonly Covered[]> {
  const [scenarios, rules] = await Promise.all([loadScenarios(), loadRules()])
  const [driven, judged] = [byRequirement(scenarios), byRequirement(rules)]
  const broken = Map.groupBy(deviations().defects, ({ requirement }) => requirement)
  const rows = [...register().rows].filter(([id]) => part === undefined || partOf(id) === part)
  return rows.toSorted(bySection).map(([id, { section, level, standing }]) => ({
    id,
    section,
    level,
    standing,
    scenarios: driven.get(id) ?? [],
    rules: judged.get(id) ?? [],
    defects: (broken.get(id) ?? []).map((defect) => defect.id),
  }))
}

/** The line of a requirement, or of several that are alike. @param name what stands for its id */
export function coverageColumns({ section, level, standing, ...proof }: Covered, name: string): readonly string[] {
  const { scenarios, rules, defects } = proof
  const counts = [counted(scenarios, 'scenario'), counted(rules, 'rule'), counted(defects, 'defect')].filter(Boolean)
  return [`§${section}`, level, standing, name, counts.join(', ') || '–']
}

/** A line for each section, and one for all. */
export function coverageSums(all: readonly Covered[]): readonly (readonly string[])[] {
  const sections = [...Map.groupBy(all, ({ section }) => section)]
  const sums = [...sections.map(([section, rows]) => sumLine(`§${section}`, rows)), sumLine('all', all)]
  return [['section', 'rows', 'must', 'should', 'may', 'untestable', 'testable without defect'], ...sums]
}

function sumLine(name: string, rows: readonly Covered[]): readonly string[] {
  const at = (level: string): number => rows.filter((row) => row.level === level).length
  const untestable = rows.filter(({ standing }) => standing === 'untestable').length
  return [name, rows.length, at('must'), at('should'), at('may'), untestable, rows.filter(isUnproven).length].map(
    String,
  )
}

/**
 * How many sentences of the spec bind a target, and how many of them have rows. Of a part: those that one of its rows
 * holds.
 */
export function sentenceSums(all: readonly Covered[], part: string | undefined): string {
  const testable = new Set(all.filter(({ standing }) => standing !== 'untestable').map(({ id }) => id))
  const binding = sentences
    .filter(({ binds }) => binds === 'target')
    .filter(({ rows = [] }) => part === undefined || rows.some((id) => partOf(id) === part))
  const held = binding.filter(({ rows = [] }) => rows.length > 0)
  const tested = held.filter(({ rows = [] }) => rows.some((id) => testable.has(id)))
  const sums = `${held.length} with rows (${tested.length} with testable ones), ${binding.length - held.length} without`
  return `sentences that bind a target: ${binding.length}, ${sums}`
}

/** Something could break it, and no seeded mistake does. */
function isUnproven({ standing, level, defects }: Covered): boolean {
  return standing !== 'untestable' && level !== 'may' && defects.length === 0
}

function byRequirement(
  all: readonly { readonly id: string; readonly proves: readonly string[] }[],
): ReadonlyMap<string, readonly string[]> {
  const pairs = all.flatMap(({ id, proves }) => proves.map((requirement) => ({ requirement, id })))
  const groups = Map.groupBy(pairs, ({ requirement }) => requirement)
  return new Map([...groups].map(([requirement, found]) => [requirement, found.map(({ id }) => id)]))
}

/** "Conventions" first, then 1.6, 2.1, 2.10 in the order of their numbers. */
function bySection([, one]: readonly [string, Row], [, other]: readonly [string, Row]): number {
  const [left, right] = [numbers(one.section), numbers(other.section)]
  return (left[0] ?? 0) - (right[0] ?? 0) || (left[1] ?? 0) - (right[1] ?? 0)
}

const numbers = (section: string): readonly number[] => (section.match(/\d+/g) ?? []).map(Number)

function counted(ids: readonly string[], what: string): string {
  return ids.length === 0 ? '' : `${ids.length} ${what}${ids.length === 1 ? '' : 's'}`
}
