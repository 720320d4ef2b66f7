import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openOutFolder } from '../check/out-folder.ts'

/** Where a recording is written. */
export interface RecordingFolder {
  readonly trace: string
  /** Undefined where nothing is kept. */
  readonly results: string | undefined
  release(): void
}

/** @param out undefined for a folder that is gone once the verdict is told @throws Stop (2) where it cannot be written */
export function openRecordingFolder(out: string | undefined): RecordingFolder {
  if (out !== undefined) {
    const kept = openOutFolder(out)
    return { trace: kept.trace, results: kept.results, release: () => kept.release() }
  }
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-recording-'))
  const release = (): void => rmSync(folder, { recursive: true, force: true })
  return { trace: join(folder, 'trace.ndjson'), results: undefined, release }
}
