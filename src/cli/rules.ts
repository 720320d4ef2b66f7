import { existsSync, readdirSync } from 'node:fs'
import type { Rule } from '../judge/rule.ts'

/** Where the trials stand, in a checkout and in a build alike. */
const suites = new URL('../../suites/', import.meta.url)

/** `.ts` in a checkout, `.js` in a build. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))

/** The passive rules of all parts, in the order of the parts' names. @throws when a part's file does not load */
export async function loadRules(): Promise<readonly Rule[]> {
  const files = readdirSync(suites)
    .toSorted()
    .map((part) => new URL(`${part}/rules${extension}`, suites))
  const modules = await Promise.all(files.filter((file) => existsSync(file)).map(rulesOf))
  return modules.flat()
}

async function rulesOf(file: URL): Promise<readonly Rule[]> {
  const { rules }: { readonly rules?: readonly Rule[] } = await import(file.href)
  if (!Array.isArray(rules)) throw new Error(`${file.pathname} exports no rules`)
  return rules
}
