import type { Json, JsonObject } from '#trace/json'
import { isObject } from '#trace/json'
import { schemaFiles, type ShapeName } from '#spec/schemas'

/** A payload with one fault. On the control channel no code is listed: an `error` of any kind is right (section 7). */
export interface Faulty {
  readonly value: JsonObject
  /** What is wrong, where. */
  readonly fault: string
  /** Codes that are legal for it; undefined for any. */
  readonly codes: undefined
}

/** Something that no enumeration of the interface holds. */
const unheardOf = 'of_no_known_kind'

/**
 * The payload with one fault each, as its schema tells them: a required member that is missing, a value outside its
 * enumeration, an empty text where there must be some, a member of another type.
 */
export function faultsOf(shape: ShapeName, value: JsonObject): readonly Faulty[] {
  const places = membersIn(schemaOf(shape), value, [])
  return places.flatMap(({ path, schema, required }) => {
    const at = `/${path.join('/')}`
    const faults: [string, Json | undefined][] = []
    if (required) faults.push([`${at} is missing`, undefined])
    if (schema.enum !== undefined) faults.push([`${at} is none of those listed`, unheardOf])
    if ((schema.minLength ?? 0) > 0) faults.push([`${at} is empty`, ''])
    if (schema.type === 'string') faults.push([`${at} is no string`, { text: 'an object' }])
    return faults.map(([fault, put]) => ({ value: replaced(value, path, put), fault, codes: undefined }))
  })
}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly Json[]
  readonly minLength?: number
  readonly required?: readonly string[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly items?: Schema
  readonly allOf?: readonly { readonly if?: Condition; readonly then?: { readonly required?: readonly string[] } }[]
}

interface Condition {
  readonly properties?: { readonly type?: { readonly const?: Json } }
}

interface Place {
  readonly path: readonly (string | number)[]
  readonly schema: Schema
  readonly required: boolean
}

/** The members of a value that its schema speaks of. */
function membersIn(schema: Schema, value: Json | undefined, path: readonly (string | number)[]): readonly Place[] {
  if (Array.isArray(value)) {
    const items = resolved(schema.items)
    return (value as readonly Json[]).flatMap((one, index) => membersIn(items, one, [...path, index]))
  }
  if (!isObject(value)) return []
  const required = new Set([...(schema.required ?? []), ...requiredFor(schema, value)])
  return Object.entries(value).flatMap(([name, member]) => {
    const known = schema.properties?.[name]
    if (known === undefined) return []
    const found = resolved(known)
    const here = [...path, name]
    return [{ path: here, schema: found, required: required.has(name) }, ...membersIn(found, member, here)]
  })
}

/** What is required of a value of its `type`. */
function requiredFor({ allOf = [] }: Schema, value: JsonObject): readonly string[] {
  return allOf.flatMap((one) => {
    const wanted = one.if?.properties?.type?.const
    return wanted !== undefined && wanted === value['type'] ? (one.then?.required ?? []) : []
  })
}

function resolved(schema: Schema | undefined): Schema {
  const name = schema?.$ref?.replace(/^(?:\.\.\/)?(?:common\/)?/, '').replace(/\.json$/, '')
  return name === undefined ? (schema ?? {}) : schemaOf(`common/${name}` as ShapeName)
}

function schemaOf(shape: ShapeName): Schema {
  return (schemaFiles().get(shape) ?? {}) as Schema
}

/** @param put undefined takes the member away */
function replaced(value: JsonObject, path: readonly (string | number)[], put: Json | undefined): JsonObject {
  return replacedIn(value, path, put) as JsonObject
}

function replacedIn(value: Json, path: readonly (string | number)[], put: Json | undefined): Json {
  const [step, ...rest] = path
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((one, index) => (index === step ? replacedIn(one, rest, put) : one))
  }
  if (!isObject(value) || step === undefined) return value
  if (rest.length > 0) return { ...value, [step]: replacedIn(value[step] ?? null, rest, put) }
  const others = Object.fromEntries(Object.entries(value).filter(([name]) => name !== String(step)))
  return put === undefined ? others : { ...others, [step]: put }
}
