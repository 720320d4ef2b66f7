import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// `npm run bench [-- --full]` says what Greenroom costs; `npm run bench -- <name> …` runs another measurement, and a name
// that there is not lists them.
const others = new Map([
  ['diff', 'diff-pairs.ts'],
  ['gate-kills', 'gate-kills.ts'],
  ['judge', 'judge-speed.ts'],
  ['judge-calls', 'judge-calls.ts'],
  ['narrow', 'narrow-runs.ts'],
  ['prices', 'row-prices.ts'],
  ['watch', 'watch/load.ts'],
  ['watch-clients', 'watch/careless-clients-series.ts'],
  ['watch-har', 'watch/har-memory.ts'],
  ['watch-rules', 'watch/watched-series.ts'],
  ['watch-variations', 'watch/stripped-series.ts'],
])

const [name, ...rest] = process.argv.slice(2)
if (name === undefined || name.startsWith('-')) run('costs.ts', process.argv.slice(2))
const file = others.get(name ?? '')
if (file === undefined) {
  const names = [...others.keys()].join(', ')
  console.error(
    `No measurement is named '${name}': npm run bench [-- --full], or npm run bench -- with one of ${names}`,
  )
  process.exit(2)
}
run(file, rest)

function run(script: string, words: readonly string[]): never {
  const path = fileURLToPath(new URL(script, import.meta.url))
  process.exit(spawnSync(process.execPath, [path, ...words], { stdio: 'inherit' }).status ?? 1)
}
