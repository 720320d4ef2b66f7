import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InputOptions, type Plugin, rolldown } from 'rolldown'
import { packageRoot } from '#spec/package-root'
import { inPlace } from './in-place.ts'
import { joinSides } from './sides.ts'
import { sunk } from './sunk.ts'
import { withoutUnusedMethods } from './unused-methods.ts'

/** k6's `open` with the name of a file; scenarios have functions of that name, which take none. */
const readsFiles = /import\.meta|(?<![.\w])open\(\s*['"`]/

/** A ConfigMap takes no more than this. */
const mostBytes = 1024 * 1024

/**
 * Puts a k6 script and everything that it imports into one file: a ConfigMap holds single files, Grafana Cloud k6 takes
 * one as well, and every virtual user pays for every file, some 5 kB. What k6 brings itself stays an import. The side of
 * virtual users and the other one (`load/k6/prepare.ts`) stand apart, so that users don't pay for judging.
 *
 * @param script below `load/`
 * @throws Error when the bundle would not run on its own, or is too large for a ConfigMap
 */
export async function bundleOf(script: string): Promise<string> {
  const code = joinSides({ outside: await sideOf(script, 'outside'), user: await sideOf(script, 'user') })
  if (readsFiles.test(code)) throw new Error(`${script} reads files, which a bundle does not bring`)
  if (Buffer.byteLength(code) > mostBytes) throw new Error(`the bundle of ${script} is larger than a ConfigMap may be`)
  return code
}

async function sideOf(script: string, side: 'outside' | 'user'): Promise<string> {
  const whole = await bundled(join(packageRoot(), 'load', script), script, {
    // `prepare` asks which side it is, and what only the other one needs falls away.
    transform: { define: { __VU: side === 'outside' ? '0' : '1' } },
    plugins: side === 'outside' ? [words] : [words, withoutJudging],
  })
  if (side === 'outside') return whole
  const used: Plugin = { name: 'used', load: (id) => (id === USED ? withoutUnusedMethods(whole) : undefined) }
  const needed = await bundled(USED, script, {
    plugins: [{ ...used, resolveId: (id) => (id === USED ? id : undefined) }],
  })
  return inPlace(sunk(needed))
}

/** The name of what is bundled once more, without what only unused methods needed. */
const USED = 'used.js'

async function bundled(input: string, script: string, options: InputOptions): Promise<string> {
  const bundle = await rolldown({
    ...options,
    input,
    external: /^k6(?:\/|$)/,
    logLevel: 'silent',
    treeshake: { propertyReadSideEffects: false },
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  if (output.length > 1) throw new Error(`${script} came out as ${output.length} files`)
  return output[0].code
}

/** Writes the bundle of a scenario, or of `mix`. @returns its path */
export async function writeBundle(name: string, folder: string): Promise<string> {
  const file = join(folder, `${name}.js`)
  writeFileSync(file, await bundleOf(`${name}.ts`))
  return file
}

/** The words of the interface are read from `schemas/` by k6; in a bundle they stand in its code. */
const words: Plugin = {
  name: 'words',
  load: (id) => {
    if (!/[\\/]load[\\/]k6[\\/]words\.ts$/.test(id)) return undefined
    const { server_events } = table('server-events') as { server_events: object }
    const { error_codes } = table('error-codes') as { error_codes: { [name: string]: { code: number } } }
    const read = {
      serverEvents: Object.keys(server_events),
      errorCodes: [...new Set(Object.values(error_codes).map(({ code }) => String(code)))],
    }
    return `export const readWords = () => () => (${JSON.stringify(read)})\n`
  },
}

/** What users never ask a scenario for. */
const asked = new Set(['about', 'price', 'judge', 'needs', 'lasts'])

/** Scenarios as users need them; all that only their judging needs is then imported by nobody. */
const withoutJudging: Plugin = {
  name: 'without-judging',
  transform(code, id) {
    if (!/[\\/]load[\\/]scenarios[\\/][\w-]+\.ts$/.test(id)) return undefined
    const cuts: { readonly start: number; readonly end: number }[] = []
    for (const statement of this.parse(code, { lang: 'ts' }).body) {
      if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration') continue
      for (const { init } of statement.declaration.declarations) {
        if (init?.type !== 'ObjectExpression') continue
        const named = init.properties.flatMap((one) =>
          one.type === 'Property' && one.key.type === 'Identifier' ? [{ ...one, name: one.key.name }] : [],
        )
        if (named.some(({ name }) => name === 'iterate')) cuts.push(...named.filter(({ name }) => asked.has(name)))
      }
    }
    const kept = cuts.reduceRight(
      (text, { start, end }) => text.slice(0, start) + text.slice(end).replace(/^,/, ''),
      code,
    )
    return cuts.length === 0 ? undefined : { code: kept, map: null }
  },
}

function table(name: string): unknown {
  return JSON.parse(readFileSync(join(packageRoot(), 'schemas', `${name}.json`), 'utf8'))
}
