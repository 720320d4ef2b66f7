import { readFileSync } from 'node:fs'
import type { LoadPlanFile } from '#spec/types/shapes.d'
import { validate } from '#spec/validators'
import { printable } from '#text/printable'
import { fileTrouble, usage } from '../stop.ts'

/** Reads the plan of a night. @throws Stop (2) naming what is wrong in it */
export function readNightPlan(file: string): LoadPlanFile {
  const value = parsed(file, read(file))
  const [error] = validate('meta/load-plan', value)
  if (error !== undefined) throw usage(printable(`the plan ${file}: ${error.message}`, 600))
  return value as LoadPlanFile
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usage(`the plan ${file} cannot be read: ${fileTrouble(error)}`)
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : '')?.[0] ?? ''
    throw usage(`the plan ${file} is not JSON ${place}`.trim())
  }
}
