import type { LoadPlanFile } from '#spec/types/shapes.d'
import { schemaFiles } from '#spec/schemas'
import type { ShapeError } from '#spec/shape-error'
import { validate } from '#spec/validators'
import { printable } from '#text/printable'
import { at, isObject, type Json } from '#trace/json'
import { didYouMean } from '../did-you-mean.ts'
import { readNamedText } from '../named-files.ts'
import { usage } from '../stop.ts'

/** Reads the plan of a night. @throws Stop (2) naming what is wrong in it */
export function readNightPlan(file: string): LoadPlanFile {
  const value = parsed(file, readNamedText(file, `the plan ${file}`))
  const [error] = validate('meta/load-plan', value)
  if (error !== undefined) throw usage(printable(`the plan ${file}${complaint(error)}`, 600))
  return value as LoadPlanFile
}

/** What stands wrong, and where: `, run 2, has an unknown field "weight"; did you mean "weights"?`. */
function complaint({ pointer, keyword, expected, message }: ShapeError): string {
  const [, nth] = /^\/runs\/(\d+)/.exec(pointer) ?? []
  const [, unknown] = keyword === 'additionalProperties' ? (/^no field "(.*)"$/.exec(expected) ?? []) : []
  if (unknown === undefined) return `: ${message}`
  const known = fieldsAt(nth === undefined ? '/properties' : '/properties/runs/items/properties')
  const hint = didYouMean(unknown, known) || `; there are ${known.join(', ')}`
  return `${nth === undefined ? '' : `, run ${Number(nth) + 1},`} has an unknown field ${JSON.stringify(unknown)}${hint}`
}

function fieldsAt(pointer: string): readonly string[] {
  const fields = at(schemaFiles().get('meta/load-plan') as unknown as Json, pointer)
  return isObject(fields) ? Object.keys(fields) : []
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : '')?.[0] ?? ''
    throw usage(`the plan ${file} is not JSON ${place}`.trim())
  }
}
