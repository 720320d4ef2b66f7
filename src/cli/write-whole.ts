import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a file so that a reader sees all of it or what was there before. */
export function writeWhole(file: string, content: string): void {
  const part = `${file}.part`
  try {
    writeFileSync(part, content)
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}
