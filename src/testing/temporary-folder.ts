import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Everything that tests make for a moment lies in one folder, which is gone when they are over, however they end. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-tests-'))
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
