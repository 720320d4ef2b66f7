import { messageOf } from '#trace/message-of'
import { schemaFiles } from '#spec/schemas'
import type { ShapeError } from '#spec/shape-error'
import { idsOf, operations } from '#spec/tables'
import { validate } from '#spec/validators'
import { overrideOf, type Script } from '#target/script/script'
import type { TargetOptions } from '#target/start'
import { at, isObject, type Json } from '#trace/json'
import { didYouMean } from './did-you-mean.ts'
import { readNamedText } from './named-files.ts'
import { usage } from './stop.ts'

/** What the stand-in is to do by a script. @throws Stop (2) that tells all faults of the file at once */
export function readScript(file: string): NonNullable<TargetOptions['override']> {
  const value = parse(file, readNamedText(file, `--script ${file}`))
  const faults = [...new Set(validate('meta/script', value).map((error) => complaint(error, value)))]
  if (faults.length > 0) throw usage(`the script ${file}: ${faults.join('; ')}`)
  const script = value as unknown as Script
  if ([script.refuse, script.stall, script.break, script.expire].every((one = []) => one.length === 0)) {
    throw usage(`the script ${file} changes nothing: give it refuse, stall, break or expire (docs/stand-in.md)`)
  }
  return overrideOf(script)
}

function parse(file: string, text: string): Json {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usage(`the script ${file} is not JSON: ${messageOf(error)}`)
  }
}

function complaint({ pointer, property, keyword, expected, got }: ShapeError, value: Json): string {
  const place = pointer === '' ? 'the script' : pointer.slice(1).replaceAll('/', '.')
  const [, unknown] = keyword === 'additionalProperties' ? (/^no field "(.*)"$/.exec(expected) ?? []) : []
  if (unknown !== undefined) {
    return `${place} has an unknown field ${JSON.stringify(unknown)}${didYouMean(unknown, fieldsAt(pointer))}`
  }
  const shown = at(value, pointer)
  if (pointer.endsWith('/operation') && typeof shown === 'string') {
    return `${place} ${JSON.stringify(shown)} is no operation${didYouMean(shown, idsOf(operations))}`
  }
  if (property !== undefined) return `${place} lacks ${property}`
  return `${place}: expected ${expected}, got ${got}`
}

/** Names that the schema knows at a place. */
function fieldsAt(pointer: string): readonly string[] {
  const [group] = pointer.slice(1).split('/')
  const inGroup = pointer === '' ? '' : `/${group}/items/properties`
  const fields = at(schemaFiles().get('meta/script') as unknown as Json, `/properties${inGroup}`)
  return isObject(fields) ? Object.keys(fields) : []
}
