import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'

/** The files that a page tells its reader to write ("Write `name`:", then a block), by name. */
export function writtenIn(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(packageRoot(), page), 'utf8')
  const blocks = text.matchAll(/\bWrite `([\w.-]+)`[^\n]*:\n\n```\w+\n(.*?)^```$/gms)
  return new Map([...blocks].map(([, name = '', block = '']) => [name, block]))
}
