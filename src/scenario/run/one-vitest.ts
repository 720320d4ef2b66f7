import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Whether allure-vitest would report to the vitest that runs the scenarios. Where another package brings another vitest,
 * npm may place allure-vitest beside that one: then no test is found at all.
 *
 * @param from path or URL of a module of ours
 */
export function sharesVitest(from: string = import.meta.url): boolean {
  const here = createRequire(from)
  const there = createRequire(here.resolve('allure-vitest/reporter'))
  return vitestOf(here) === vitestOf(there)
}

function vitestOf(require: NodeJS.Require): string {
  return realpathSync(require.resolve('vitest/package.json'))
}
