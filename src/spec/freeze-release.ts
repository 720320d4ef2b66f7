import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'
import { type Requirement, registerDigest, requirements } from './register.ts'

/** `suites/release.json`: the frozen set of requirements. */
export interface FrozenRelease {
  readonly version: string
  /** sha256 hex of its rows. */
  readonly digest: string
  /** What each row promises, as the beginning of a sha256. */
  readonly rows: { readonly [id: string]: string }
}

/** Freezes every row that is not `unscored`. */
export function freeze(version: string, all: Iterable<Requirement> = requirements.values()): FrozenRelease {
  const rows = [...all].filter((row) => row.unscored !== true)
  const promises = rows.map((row): [string, string] => [row.id, promiseOf(row)])
  return {
    version,
    digest: registerDigest(rows),
    rows: Object.fromEntries(promises.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Changes with what the row promises, and with nothing else. */
export function promiseOf({ id, section, level, text }: Requirement): string {
  const promise = JSON.stringify({ id, section, level, text })
  return createHash('sha256').update(promise).digest('hex').slice(0, 16)
}

function main(version: string | undefined): void {
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
    process.stderr.write('Name the version of the requirement set: npm run freeze -- 1.1.0\n')
    process.exitCode = 2
    return
  }
  const file = join(packageRoot(), 'suites/release.json')
  writeFileSync(file, `${JSON.stringify(freeze(version), undefined, 2)}\n`)
}

if (import.meta.main) main(process.argv[2])
