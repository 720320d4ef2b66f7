import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { packageRoot } from '#spec/package-root'

/** k6's `open` with the name of a file; scenarios have functions of that name, which take none. */
const readsFiles = /import\.meta|(?<![.\w])open\(\s*['"`]/

/** A ConfigMap takes no more than this. */
const mostBytes = 1024 * 1024

/**
 * Puts a k6 script and everything that it imports into one file: a ConfigMap holds single files, Grafana Cloud k6 takes
 * one as well, and every virtual user pays for every file, some 5 kB. What k6 brings itself stays an import.
 *
 * @param script below `load/`
 * @throws Error when the bundle would not run on its own, or is too large for a ConfigMap
 */
export async function bundleOf(script: string): Promise<string> {
  const bundle = await rolldown({
    input: join(packageRoot(), 'load', script),
    external: /^k6(?:\/|$)/,
    plugins: [{ name: 'words', load: inlined }],
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const code = output[0].code
  if (output.length > 1) throw new Error(`${script} came out as ${output.length} files`)
  if (readsFiles.test(code)) throw new Error(`${script} reads files, which a bundle does not bring`)
  if (Buffer.byteLength(code) > mostBytes) throw new Error(`the bundle of ${script} is larger than a ConfigMap may be`)
  return code
}

/** Writes the bundle of a scenario, or of `mix`. @returns its path */
export async function writeBundle(name: string, folder: string): Promise<string> {
  const file = join(folder, `${name}.js`)
  writeFileSync(file, await bundleOf(`${name}.ts`))
  return file
}

/** The words of the interface are read from `schemas/` by k6; in a bundle they stand in its code. */
function inlined(id: string): string | undefined {
  if (!/[\\/]load[\\/]k6[\\/]words\.ts$/.test(id)) return undefined
  const { server_events } = table('server-events') as { server_events: object }
  const { error_codes } = table('error-codes') as { error_codes: { [name: string]: { code: number } } }
  const words = {
    serverEvents: Object.keys(server_events),
    errorCodes: [...new Set(Object.values(error_codes).map(({ code }) => String(code)))],
  }
  return `const words = ${JSON.stringify(words)}\nexport const readWords = () => words\n`
}

function table(name: string): unknown {
  return JSON.parse(readFileSync(join(packageRoot(), 'schemas', `${name}.json`), 'utf8'))
}
