import type { Profile } from '#spec/profile'
import { schemaFiles } from '#spec/schemas'
import type { ShapeError } from '#spec/shape-error'
import { validate } from '#spec/validators'
import { isObject } from '#trace/json'
import { printable } from '#text/printable'
import { didYouMean } from '../did-you-mean.ts'
import { usage } from '../stop.ts'

/**
 * @param source file or option that the value came from, for the message
 * @throws Stop (2) naming the first field that is wrong
 */
export function checkProfileShape(value: unknown, source: string): asserts value is Profile {
  const [error] = validate('meta/profile', value).toSorted((a, b) => rank(a) - rank(b))
  if (error !== undefined) throw usage(printable(`${subject(source)}: ${complaint(error)}`, 600))
}

/** A field that nobody knows explains a missing one, so it comes first. */
function rank({ keyword }: ShapeError): number {
  return keyword === 'additionalProperties' ? 0 : 1
}

function subject(source: string): string {
  return source === '--target' ? source : `the profile ${source}`
}

function complaint({ pointer, keyword, expected, got }: ShapeError): string {
  const field = pointer.slice(1).replaceAll('/', '.')
  const place = field === '' ? 'the profile' : field
  const [, unknown] = keyword === 'additionalProperties' ? (/^no field "(.*)"$/.exec(expected) ?? []) : []
  if (unknown !== undefined) {
    return `${place} has an unknown field ${JSON.stringify(unknown)}${didYouMean(unknown, fieldsOf(pointer))}`
  }
  // Whoever writes a secret where its variable's name belongs must not see it in a log.
  if (/^(keys|headers)\.|^proxy$/.test(field)) {
    return `${place} must be the name of an environment variable (letters, digits, _), never the value itself`
  }
  return `${place}: expected ${expected}, got ${got}`
}

/** Names of the fields that may stand at a place of a profile. */
function fieldsOf(pointer: string): readonly string[] {
  let schema: unknown = schemaFiles().get('meta/profile')
  for (const name of pointer.split('/').slice(1)) schema = propertiesOf(schema)[name]
  return Object.keys(propertiesOf(schema))
}

function propertiesOf(schema: unknown): { readonly [name: string]: unknown } {
  const properties = isObject(schema) ? schema['properties'] : undefined
  return isObject(properties) ? properties : {}
}
