import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunPlan } from '../plan/run-plan.ts'

/** What another process needs to know to take part in a run. */
export interface RunPart {
  readonly plan: RunPlan
  /** Files that exist already. */
  readonly trace: string
  readonly journal: string
  /** URL of the folder of the suites, where they aren't Greenroom's own. */
  readonly suites?: string
  /** Folder in which allure-vitest records the tests, where it is asked to. */
  readonly allure?: string
}

/** The environment variable that holds the path of a part. */
export const partVariable = 'GREENROOM_PART'

/** Writes a part where only this user can read it. `remove` forgets it. */
export function writePart(part: RunPart): { readonly file: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'greenroom-'))
  const file = join(folder, 'part.json')
  writeFileSync(file, JSON.stringify(part), { mode: 0o600 })
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** @throws when the environment names no part */
export function readPart(environment: { readonly [name: string]: string | undefined }): RunPart {
  const file = environment[partVariable]
  if (file === undefined) throw new Error(`${partVariable} is not set: this is started by greenroom only`)
  return JSON.parse(readFileSync(file, 'utf8')) as RunPart
}
