import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new, empty folder. In tests it goes with all others once they are over (`temporary-folder.ts`). */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'greenroom-test-'))

/** A new file, in a folder of its own. @returns its path */
export function newFile(name: string, text: string): string {
  const file = join(newFolder(), name)
  writeFileSync(file, text)
  return file
}

/** Does something in a new folder that is gone afterwards: for what runs outside of the tests, too. */
export async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = newFolder()
  try {
    return await action(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
