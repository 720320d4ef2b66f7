import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'

interface Row {
  readonly level: string
  readonly standing: string
}

/** All rows of the register, by id. */
export function requirementRows(): ReadonlyMap<string, Row> {
  const files = globSync('suites/*/requirements.json', { cwd: packageRoot() })
  return new Map(
    files.flatMap((file) => {
      const text = readFileSync(join(packageRoot(), file), 'utf8')
      return Object.entries((JSON.parse(text) as { requirements: { [id: string]: Row } }).requirements)
    }),
  )
}
