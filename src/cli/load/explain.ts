import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'
import { scenarios } from '../../../load/scenarios/scenarios.ts'
import type { Shell } from '../shell.ts'
import { measurable } from './finish-load.ts'
import { scenarioOf } from './plan-load.ts'

/** Prints the page of a scenario from `load/README.md`, and what an objective can name. */
export function explainScenario(name: string, shell: Shell): number {
  if (name === 'mix') {
    const mixed = [...scenarios.values()].filter(({ alone }) => alone === undefined)
    shell.out(`${pageOf(name) ?? ''}\n\nIt can hold ${mixed.map((one) => one.name).join(', ')}.\n`)
    return 0
  }
  const scenario = scenarioOf(name)
  shell.out(`${pageOf(name) ?? `${scenario.name}: ${scenario.about}\n`}\n`)
  shell.out(`Operations that objectives can name: ${measurable({ scenarios: [scenario] }).join(', ')}.\n`)
  if (scenario.exceeds.length > 0)
    shell.out(`It is meant to exceed the ${scenario.exceeds.join(' and ')} of its keys.\n`)
  if (scenario.lasts !== undefined) shell.out(`How long it takes: ${scenario.lasts}\n`)
  if (scenario.alone !== undefined) shell.out(`It runs alone: ${scenario.alone}.\n`)
  return 0
}

/** What stands under the heading of the scenario, up to the next one of its rank or above. */
function pageOf(name: string): string | undefined {
  const text = readFileSync(join(packageRoot(), 'load', 'README.md'), 'utf8')
  const lines = text.split('\n')
  const start = lines.findIndex(
    (line) => /^#{2,3} /.test(line) && line.replace(/^#+ /, '').replaceAll('`', '').trim() === name,
  )
  if (start === -1) return undefined
  const rank = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 2
  const end = lines.findIndex(
    (line, at) => at > start && /^#+ /.test(line) && (/^#+/.exec(line)?.[0].length ?? 9) <= rank,
  )
  return lines
    .slice(start, end === -1 ? undefined : end)
    .join('\n')
    .trim()
}
