import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Scenario } from './scenario.ts'

/** Where the trials stand, in a checkout and in a build alike. */
const ownSuites = new URL('../../suites/', import.meta.url).href

/** `.ts` in a checkout, `.js` in a build. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))

/**
 * All scenarios of all parts, in the order of the parts' names.
 *
 * @param suites URL of the folder that holds a folder a part
 * @throws when two scenarios have the same id, or a part's file does not load.
 */
export async function loadScenarios(suites: string = ownSuites): Promise<readonly Scenario[]> {
  const files = parts(suites).map((part) => new URL(`${part}/scenarios${extension}`, suites))
  const modules = await Promise.all(files.filter((file) => existsSync(file)).map(load))
  return unique(modules.flat())
}

function parts(suites: string): string[] {
  const folders = readdirSync(fileURLToPath(suites), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map(({ name }) => name).toSorted()
}

async function load(file: URL): Promise<readonly Scenario[]> {
  const module = (await import(file.href)) as { readonly scenarios?: readonly Scenario[] }
  if (!Array.isArray(module.scenarios)) throw new Error(`${file.pathname} exports no scenarios`)
  return module.scenarios
}

function unique(scenarios: readonly Scenario[]): readonly Scenario[] {
  const ids = new Set<string>()
  for (const { id } of scenarios) {
    if (ids.has(id)) throw new Error(`two scenarios are called ${id}`)
    ids.add(id)
  }
  return scenarios
}
