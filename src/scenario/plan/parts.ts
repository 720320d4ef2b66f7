import { existsSync, readdirSync } from 'node:fs'

/** Where the suites stand, in a checkout and in a build alike. */
const ownSuites = new URL('../../../suites/', import.meta.url).href

/** `.ts` in a checkout, `.js` in a build. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))

/**
 * Loads one kind of file from every part that has it, in the order of the parts' names, and joins what they export under
 * that name.
 *
 * @param suites URL of the folder that holds a folder a part
 * @throws when a part's file does not load, or exports no such list
 */
export async function loadFromParts<One>(name: 'scenarios' | 'rules', suites = ownSuites): Promise<readonly One[]> {
  const folders = readdirSync(new URL(suites), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const files = folders
    .map((folder) => folder.name)
    .toSorted()
    .map((part) => new URL(`${part}/${name}${extension}`, suites))
  const lists = await Promise.all(files.filter((file) => existsSync(file)).map((file) => load<One>(file, name)))
  return lists.flat()
}

async function load<One>(file: URL, name: string): Promise<readonly One[]> {
  const module = (await import(file.href)) as { readonly [name: string]: readonly One[] | undefined }
  const list = module[name]
  if (!Array.isArray(list)) throw new Error(`${file.pathname} exports no ${name}`)
  return list
}
