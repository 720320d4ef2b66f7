import { readdirSync } from 'node:fs'

/** Names of what lies in a folder; none where it cannot be read, as where it was never made. */
export function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
