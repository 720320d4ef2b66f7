import * as fc from 'fast-check'
import { type SchemaFile, schemaFiles, type ShapeName } from '#spec/schemas'
import type { Json, JsonObject } from '#trace/json'
import { isObject } from '#trace/json'
import { text } from './text.ts'

// By a pointer into a value (`/tools/*/name`): what stands there in the place of what the schema says, or whether it does.
export type Overrides = { readonly [pointer: string]: fc.Arbitrary<Json> | 'absent' | 'always' }

/** The longest text, in characters, where the schema sets no bound, and the most members of a list. */
const mostCharacters = 60
const mostItems = 3

/**
 * Values of a shape of `schemas/`: everything that is optional in and out, numbers up to their bounds, texts of every
 * script. Of what a schema says of several members together (`allOf`, `if`) nothing is known here.
 *
 * @param overrides narrower values, where the interface says more than the schema
 * @throws Error for a schema that this reads no value from
 */
export function fromSchema(shape: ShapeName, overrides: Overrides = {}): fc.Arbitrary<Json> {
  const file = schemaFiles().get(shape)
  if (file === undefined) throw new Error(`there is no shape ${shape}`)
  return valueOf(file, { overrides, at: '', base: shape })
}

interface Place {
  readonly overrides: Overrides
  readonly at: string
  /** Shape from which references are read. */
  readonly base: ShapeName
}

type Schema = SchemaFile | JsonObject

function valueOf(schema: Schema, place: Place): fc.Arbitrary<Json> {
  const other = place.overrides[place.at]
  if (other !== undefined && other !== 'absent' && other !== 'always') return other
  const { $ref, const: only, enum: some, type } = schema as JsonObject
  if (typeof $ref === 'string') return referenced($ref, place)
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(some)) return fc.constantFrom(...(some as readonly Json[]))
  switch (type) {
    case 'object':
      return objectOf(schema, place)
    case 'array':
      return listOf(schema, place)
    case 'string':
      return text(mostCharacters)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return numberOf(schema as JsonObject, type)
    default:
      throw new Error(`${place.base}${place.at}: a schema from which no value can be made`)
  }
}

function referenced(reference: string, place: Place): fc.Arbitrary<Json> {
  const { pathname } = new URL(reference, `http://any/${place.base}`)
  const base = pathname.slice(1).replace(/\.json$/, '') as ShapeName
  const file = schemaFiles().get(base)
  if (file === undefined) throw new Error(`there is no shape ${base}`)
  return valueOf(file, { ...place, base })
}

function objectOf(schema: Schema, place: Place): fc.Arbitrary<Json> {
  const { properties = {}, required = [] } = schema as { properties?: JsonObject; required?: readonly string[] }
  const wanted = Object.entries(properties).filter(([name]) => place.overrides[`${place.at}/${name}`] !== 'absent')
  const members = wanted.flatMap(([name, one]) =>
    isObject(one) ? [[name, valueOf(one, { ...place, at: `${place.at}/${name}` })] as const] : [],
  )
  const needed = members.flatMap(([name]) =>
    required.includes(name) || place.overrides[`${place.at}/${name}`] === 'always' ? [name] : [],
  )
  return fc.record(Object.fromEntries(members), { requiredKeys: needed }) as fc.Arbitrary<Json>
}

function listOf(schema: Schema, place: Place): fc.Arbitrary<Json> {
  const { items, minItems = 0 } = schema as { items?: Json; minItems?: number }
  if (!isObject(items)) throw new Error(`${place.base}${place.at}: a list of anything`)
  const item = valueOf(items, { ...place, at: `${place.at}/*` })
  return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, mostItems), size: 'max' })
}

/** Bounds themselves come as often as all that lies between them. */
function numberOf(schema: JsonObject, type: 'integer' | 'number'): fc.Arbitrary<Json> {
  const { anyOf = [], ...bounds } = schema
  const branches = (Array.isArray(anyOf) ? (anyOf as readonly Json[]) : []).filter(isObject)
  const [first = {}, ...others] = branches
  return fc.oneof(...[first, ...others].map((branch: JsonObject) => branchOf({ ...bounds, ...branch }, type)))
}

function branchOf({ const: only, minimum, maximum }: JsonObject, type: 'integer' | 'number'): fc.Arbitrary<Json> {
  if (only !== undefined) return fc.constant(only)
  const [min, max] = [Number(minimum ?? 0), Number(maximum ?? 1_000)]
  const between = type === 'integer' ? fc.integer({ min, max }) : fc.integer({ min: min * 4, max: max * 4 })
  const value = type === 'integer' ? between : between.map((quarters) => quarters / 4)
  return fc.oneof(value, fc.constantFrom(min, max))
}
