/** The two sides of a load script, each a whole module. */
interface Sides {
  /** For the user that runs nothing: number 0. */
  readonly outside: string
  readonly user: string
}

const importLine = /^import (?:(?<names>.+) from )?"(?<from>k6[^"]*)";$/gm
const exportLine = /^export \{ (?<names>[^}]+) \};$/gm

/**
 * Makes one module of two, each of which becomes a function of which a user calls only one: functions that are never made
 * cost nothing. What they import is imported once, and goes by the names that each side has for it.
 */
export function joinSides({ outside, user }: Sides): string {
  const imports = new Imports()
  const functions = [
    `const outside = () => {\n${inFunction(outside, imports)}\n};`,
    `const user = () => {\n${inFunction(user, imports)}\n};`,
  ]
  return [
    ...imports.lines(),
    ...functions,
    'const side = __VU === 0 ? outside() : user();',
    'export const options = side.options;',
    'export const handleSummary = side.handleSummary;',
    'export default side.default;',
    '',
  ].join('\n')
}

/** Imports of both sides, each once and under a name that no side has. */
class Imports {
  readonly #aliases = new Map<string, string>()

  /** @param what `*`, `default`, or a name */
  aliasOf(what: string, from: string): string {
    const place = `${what} ${from}`
    const alias = this.#aliases.get(place) ?? `k6$${this.#aliases.size}`
    this.#aliases.set(place, alias)
    return alias
  }

  lines(): string[] {
    return [...this.#aliases].map(([place, alias]) => {
      const [what = '', from = ''] = place.split(' ')
      return what === '*' ? `import * as ${alias} from "${from}";` : `import { ${what} as ${alias} } from "${from}";`
    })
  }
}

/** @throws Error when a module imports or exports in a way that this does not know */
function inFunction(module: string, imports: Imports): string {
  const body = module
    .replaceAll(importLine, (_, names: string | undefined, from: string) => localNames(names ?? '', from, imports))
    .replaceAll(exportLine, (_, names: string) => `return { ${returned(names)} };`)
  if (/^(?:import|export)\b/m.test(body)) throw new Error('a script imports or exports what a bundle can not hold')
  return body
}

const returned = (names: string): string =>
  pairsIn(names)
    .map(([own, as]) => `${as}: ${own}`)
    .join(', ')

/** @param names what stands between `import` and `from`; empty where a module is only run */
function localNames(names: string, from: string, imports: Imports): string {
  const whole = /^\* as (?<own>[\w$]+)$/.exec(names)?.groups?.['own']
  if (whole !== undefined) return `const ${whole} = ${imports.aliasOf('*', from)};`
  const [, usual, several = ''] = /^([\w$]+)?(?:, )?(?:\{ (.*) \})?$/.exec(names) ?? []
  const pairs = [...(usual === undefined ? [] : [['default', usual] as const]), ...pairsIn(several)]
  return pairs.map(([what, own]) => `const ${own} = ${imports.aliasOf(what, from)};`).join(' ')
}

/** `a, b as c`: `[a, a]` and `[b, c]`. */
function pairsIn(names: string): [string, string][] {
  return names
    .split(', ')
    .filter((one) => one !== '')
    .map((one) => {
      const [name = '', as = name] = one.split(' as ')
      return [name, as]
    })
}
