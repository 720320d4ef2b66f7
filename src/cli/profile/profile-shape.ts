import type { Profile } from '#spec/profile'
import { schemaFiles } from '#spec/schemas'
import type { ShapeError } from '#spec/shape-error'
import { validate } from '#spec/validators'
import { isObject } from '#trace/json'
import { didYouMean } from '../did-you-mean.ts'

/** A value held against the schema of profiles. */
export interface Shaped {
  /** A sentence for each field that is wrong, those that nobody knows first: such a field explains a missing one. */
  readonly faults: readonly string[]
  /** The value without its wrong fields; undefined where too little is left of it. */
  readonly profile: Profile | undefined
}

export function shapeOfProfile(value: unknown): Shaped {
  const errors = validate('meta/profile', value).toSorted((a, b) => rank(a) - rank(b))
  return { faults: [...new Set(onePlaceOnce(errors).map(complaint))], profile: withoutFaulty(value, errors) }
}

function rank({ keyword }: ShapeError): number {
  return keyword === 'additionalProperties' ? 0 : 1
}

/** Two keywords may refuse the same value: one of them is enough to hear. */
function onePlaceOnce(errors: readonly ShapeError[]): readonly ShapeError[] {
  const places = new Set<string>()
  return errors.filter(({ pointer, property = '' }) => {
    const place = `${pointer}/${property}`
    if (places.has(place)) return false
    places.add(place)
    return true
  })
}

/** So that what else is wrong is told at once, too. */
function withoutFaulty(value: unknown, errors: readonly ShapeError[]): Profile | undefined {
  if (!isObject(value)) return undefined
  const faulty = new Set(errors.map(({ pointer, property }) => pointer.split('/')[1] ?? property))
  const left = Object.fromEntries(Object.entries(value).filter(([name]) => !faulty.has(name)))
  return validate('meta/profile', left).length === 0 ? (left as unknown as Profile) : undefined
}

function complaint({ pointer, keyword, expected, got }: ShapeError): string {
  const field = pointer.slice(1).replaceAll('/', '.')
  const place = field === '' ? 'the profile' : field
  const [, unknown] = keyword === 'additionalProperties' ? (/^no field "(.*)"$/.exec(expected) ?? []) : []
  if (unknown !== undefined) {
    const known = fieldsOf(pointer)
    const hint = didYouMean(unknown, known) || (known.length === 0 ? '' : `; there are ${known.join(', ')}`)
    return `${place} has an unknown field ${JSON.stringify(unknown)}${hint}`
  }
  // Whoever writes a secret where its variable's name belongs must not see it in a log.
  if (/^(keys|headers)\.|^proxy$/.test(field)) {
    return `${place} must be the name of an environment variable (letters, digits, _), never the value itself`
  }
  return `${place}: expected ${meant(field, keyword) ?? expected}, got ${got}`
}

/** Patterns in words. */
function meant(field: string, keyword: string): string | undefined {
  if (keyword === 'minLength') return 'a text that is not empty'
  if (keyword !== 'pattern' && keyword !== 'format') return undefined
  if (field === 'base_url') return 'an address such as https://host or https://host:8443, without query and fragment'
  if (field.startsWith('media.')) return 'an address that starts with https://'
  if (field.endsWith('.id')) return 'the id of a requirement (see "npx greenroom list")'
  return field.endsWith('.expires') ? 'a date such as 2026-12-31' : undefined
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
