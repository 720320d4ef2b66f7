import type { Row } from '#judge/register-view'
import type { RequirementResult, Results } from '#judge/results'
import type { Family } from '#spec/families'
import { counted } from '#page/parts'
import { partOf } from '#spec/part-of'
import { printable } from '#text/printable'
import { loadScenarios } from '#scenario/plan/catalogue'
import { didYouMean } from './did-you-mean.ts'
import { readResults } from './read-results.ts'
import { register } from '#judge/register'
import { familyNamed } from '#spec/register'
import { loadRules } from '#scenario/plan/load-rules'
import type { Shell } from './shell.ts'
import { usage } from './stop.ts'

export interface ExplainOptions {
  readonly results?: string
}

const seeList = '; "npx greenroom list" shows all'

/** Says all there is to know of one requirement or choice. @throws Stop (2) for an id that there isn't */
export async function explain(id: string, options: ExplainOptions, shell: Shell): Promise<number> {
  const { rows, choices } = register()
  const row = rows.get(id)
  const choice = choices.get(id)
  const family = familyNamed(id)
  if (family !== undefined) {
    const [first = ''] = family.ids
    shell.out(`${familyLines(family).join('\n')}\n"npx greenroom explain ${first}" says more of one of them.\n`)
    return 0
  }
  if (row === undefined && choice === undefined) {
    const known = [...rows.keys(), ...choices.keys()]
    const isPart = known.some((one) => partOf(one) === id)
    const hint = isPart ? `; it is a part: npx greenroom list --part ${id}` : didYouMean(id, known) || seeList
    throw usage(`there is no requirement ${JSON.stringify(id)}${hint}`)
  }
  const results = options.results === undefined ? undefined : readResults(options.results)
  const lines = row === undefined ? choiceLines(id, choice) : [...rowLines(id, row), ...(await proofLines(id))]
  const happened = results === undefined ? [] : outcomeLines(id, results)
  shell.out(`${[...lines, ...happened].join('\n')}\n`)
  return 0
}

function familyLines({ name, text, ids }: Family): readonly string[] {
  return [
    `${name}: ${ids.length} requirements that differ in the words at the star`,
    text,
    ...ids.map((id) => `  ${id}`),
  ]
}

function choiceLines(
  id: string,
  choice: { readonly section: string; readonly text: string } | undefined,
): readonly string[] {
  return [`${id}  §${choice?.section}, left open by the spec: observed, never judged`, choice?.text ?? '']
}

function rowLines(id: string, row: Row): readonly string[] {
  const needs = [
    ...(row.abilities ?? []).map((name) => `the ability ${name}`),
    ...(row.keys ?? []).map((name) => `the key ${name}`),
    ...(row.triggers ?? []).map((name) => `the trigger ${name}`),
    ...(row.media ?? []).map((name) => `the medium ${name}`),
    ...(row.tier === undefined ? [] : [`the tier ${row.tier}`]),
    ...(row.at_least === undefined ? [] : [`${row.at_least} observations`]),
    ...(row.passive === true ? ['something that no client can cause; judged when it comes'] : []),
  ]
  return [
    `${id}  §${row.section}  ${row.level}  ${row.standing}`,
    row.text,
    ...(row.from === undefined ? [] : [`derived from: ${row.from}`]),
    ...(row.why === undefined ? [] : [`untestable: ${row.why}`]),
    `needs: ${needs.length === 0 ? 'nothing special' : needs.join(', ')}`,
  ]
}

async function proofLines(id: string): Promise<readonly string[]> {
  const [scenarios, rules] = await Promise.all([loadScenarios(), loadRules()])
  const driven = scenarios.filter(({ proves }) => proves.some((one) => one === id)).map((scenario) => scenario.id)
  const judged = rules.filter(({ proves }) => proves.includes(id)).map((rule) => rule.id)
  return [`scenarios: ${driven.join(', ') || 'none'}`, `rules: ${judged.join(', ') || 'none'}`]
}

function outcomeLines(id: string, results: Results): readonly string[] {
  const found = [...results.requirements, ...results.unscored].find((one) => one.id === id)
  if (found !== undefined) return ['', ...resultLines(found)]
  const choice = results.choices.find((one) => one.id === id)
  if (choice !== undefined) return ['', `seen: ${choice.observed.map((one) => printable(one)).join('; ') || 'nothing'}`]
  return ['', 'the results say nothing of it (was the run narrowed by --only?)']
}

function resultLines({
  verdict,
  observations,
  reason,
  failures = [],
  evidence,
  scenarios,
}: RequirementResult): readonly string[] {
  return [
    `${verdict}: ${printable(reason)} (${counted(observations, 'observation')})`,
    ...failures.flatMap((failure) => [
      `  expected ${printable(failure.expected)}`,
      `  got      ${printable(failure.got)}`,
      `  lines    ${failure.evidence.join(', ')}`,
    ]),
    `lines of the trace: ${evidence.join(', ') || 'none'}; scenarios: ${scenarios.map((one) => printable(one)).join(', ') || 'none'}`,
  ]
}
