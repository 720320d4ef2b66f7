import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Folder of the package: the nearest one above this file whose package.json is Greenroom's. Holds from `src/` in a
 * checkout and from `dist/` in an installed package.
 *
 * @throws Error when this file was moved out of the package.
 */
export function packageRoot(): string {
  return (root ??= findRoot(import.meta.dirname))
}

/**
 * One of our own files, by its name without its ending, which is `.ts` in a checkout and `.js` in a build.
 *
 * @param from `import.meta.url` of the file that the name starts from
 */
export function ownFile(name: string, from: string): URL {
  return new URL(`${name}${from.slice(from.lastIndexOf('.'))}`, from)
}

let root: string | undefined

function findRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (isGreenroom(join(folder, 'package.json'))) return folder
    if (dirname(folder) === folder) throw new Error(`No package.json of greenroom above ${start}`)
  }
}

function isGreenroom(file: string): boolean {
  if (!existsSync(file)) return false
  const content = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }
  return content.name === 'greenroom'
}
