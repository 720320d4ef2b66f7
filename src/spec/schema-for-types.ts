type Schema = { readonly [keyword: string]: unknown }

/** Keywords that say nothing about a type, or that the generator would turn into a worse one. */
const silent = new Set(['$id', '$comment', 'if', 'then', 'else', 'not', 'contains', 'minItems', 'maxItems', 'default'])

/**
 * A copy of a schema that the type generator understands: no `$id` (it can't follow absolute ones), no conditions, and
 * no `description` beside a `$ref` (it would declare the same type again for each).
 */
export function schemaForTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaForTypes)
  if (!isSchema(schema)) return schema
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] }
  if (isOpenObject(schema)) return { ...schema, additionalProperties: true }
  if (saysNothing(schema)) return { ...schema, tsType: 'unknown' }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(isTelling)
      .map(([name, value]) => [name, copy(name, value)]),
  )
}

function copy(keyword: string, value: unknown): unknown {
  if (keyword === 'properties' || keyword === '$defs') {
    return Object.fromEntries(Object.entries(value as Schema).map(([name, schema]) => [name, schemaForTypes(schema)]))
  }
  return keyword === 'enum' || keyword === 'const' ? value : schemaForTypes(value)
}

function isTelling([keyword, value]: [string, unknown]): boolean {
  return !silent.has(keyword) && !(keyword === 'anyOf' && (value as Schema[]).every(isBareRule))
}

/** A branch such as `{ "required": ["vocal"] }`, which is a rule about its parent's type and no type of its own. */
function isBareRule(branch: Schema): boolean {
  return !('type' in branch || '$ref' in branch)
}

function isOpenObject(schema: Schema): boolean {
  return (
    [schema['type']].flat().includes('object') &&
    !['properties', 'allOf', 'additionalProperties'].some((name) => name in schema)
  )
}

function saysNothing(schema: Schema): boolean {
  return Object.keys(schema).every((name) => name === 'description')
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}
