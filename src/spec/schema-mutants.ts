type Schema = { readonly [keyword: string]: unknown }

/** A schema with one keyword made weaker or sharper. Some exhibit must notice each. */
export interface Mutant {
  /** JSON Pointer to the subschema, and what was done to it. */
  readonly change: string
  readonly schema: Schema
}

interface Place {
  readonly node: Schema
  readonly pointer: string
  /** Whether the subschema describes a value for itself, and is not a condition or an addition to another one. */
  readonly whole: boolean
  /** Whether it is the condition of a `then` alone. Presence and type only keep that from speaking of what is wrong anyway. */
  readonly guard: boolean
  /** The root with another node in this place. */
  readonly put: (node: Schema) => Schema
}

type Change = readonly [name: string, node: Schema]

const removable = ['type', 'enum', 'const', 'pattern', 'format', '$ref', 'not', 'anyOf'].concat([
  'items',
  'contains',
  'uniqueItems',
  'propertyNames',
  'additionalProperties',
])
const lower = ['minimum', 'minLength', 'minItems']
const upper = ['maximum', 'maxLength', 'maxItems']

/** All mutants of a schema, in the order of its file. */
export function* mutants(root: Schema): Generator<Mutant> {
  for (const place of places({
    node: root,
    pointer: '#',
    whole: !extendsAnother(root),
    guard: false,
    put: (node) => node,
  })) {
    for (const [name, node] of changes(place)) yield { change: `${place.pointer} ${name}`, schema: place.put(node) }
  }
}

function* changes({ node, whole, guard }: Place): Generator<Change> {
  for (const keyword of removable) if (keyword in node && !(guard && keyword === 'type')) yield without(node, keyword)
  for (const keyword of [...lower, ...upper]) if (keyword in node) yield* bounds(node, keyword)
  for (const keyword of guard ? ['enum'] : ['required', 'allOf', 'enum', 'anyOf']) yield* shorter(node, keyword)
  for (const keyword of ['then', 'else']) if (keyword in node) yield unconditional(node, keyword)
  yield* types(node)
  yield* prohibitions(node)
  if (whole && 'properties' in node) yield* sharper(node)
}

function without(node: Schema, keyword: string): Change {
  const { [keyword]: _, ...rest } = node
  return [`without ${keyword}`, rest]
}

/** Without one branch of a condition, and without the condition when no branch is left. */
function unconditional(node: Schema, keyword: string): Change {
  const [name, rest] = without(node, keyword)
  return 'then' in rest || 'else' in rest ? [name, rest] : [name, without(rest, 'if')[1]]
}

/** A bound moved by one step either way. */
function* bounds(node: Schema, keyword: string): Generator<Change> {
  const bound = node[keyword] as number
  const step = node['type'] === 'number' ? 0.01 : 1
  for (const moved of [bound - step, bound + step]) yield [`${keyword} ${moved}`, { ...node, [keyword]: moved }]
}

/** A list without each of its members. */
function* shorter(node: Schema, keyword: string): Generator<Change> {
  const list = node[keyword]
  if (!Array.isArray(list)) return
  for (const [index, member] of list.entries()) {
    yield [`${keyword} without ${JSON.stringify(member)}`, { ...node, [keyword]: list.toSpliced(index, 1) }]
  }
}

function* types(node: Schema): Generator<Change> {
  const type = node['type']
  if (type === 'integer') yield ['type number', { ...node, type: 'number' }]
  if (!Array.isArray(type)) return
  for (const name of type) yield [`type without ${name}`, { ...node, type: type.filter((other) => other !== name) }]
}

/** Fields that must be absent, allowed. */
function* prohibitions(node: Schema): Generator<Change> {
  const properties = (node['properties'] ?? {}) as Schema
  for (const name of Object.keys(properties).filter((key) => properties[key] === false)) {
    const { [name]: _, ...rest } = properties
    yield [`${name} allowed`, { ...node, properties: rest }]
  }
}

/** Demands that the schema must not make: no unknown fields, and all fields present. */
function* sharper(node: Schema): Generator<Change> {
  if (!('additionalProperties' in node)) yield ['closed', { ...node, unevaluatedProperties: false }]
  const required = (node['required'] ?? []) as readonly string[]
  for (const name of Object.keys(node['properties'] as Schema)) {
    if (!required.includes(name)) yield [`${name} required`, { ...node, required: [...required, name] }]
  }
}

const wholes = ['items', 'additionalProperties']
const conditions = ['contains', 'propertyNames', 'if', 'then', 'else', 'not']

function* places(here: Place): Generator<Place> {
  yield here
  for (const keyword of [...wholes, ...conditions]) {
    if (isSchema(here.node[keyword])) yield* below(here, [keyword], here.whole && wholes.includes(keyword))
  }
  for (const keyword of ['properties', '$defs', 'allOf', 'anyOf']) {
    const members = here.node[keyword]
    if (typeof members !== 'object' || members === null) continue
    for (const name of Object.keys(members)) yield* below(here, [keyword, name], here.whole && !Array.isArray(members))
  }
}

function* below(here: Place, path: readonly string[], whole: boolean): Generator<Place> {
  const node = path.reduce<unknown>((value, name) => (value as Schema)[name], here.node)
  if (!isSchema(node)) return
  const put = (changed: Schema): Schema => here.put(replaced(here.node, path, changed) as Schema)
  const guard = here.guard || (path[0] === 'if' && !('else' in here.node) && 'properties' in node)
  yield* places({
    node,
    pointer: `${here.pointer}/${path.join('/')}`,
    whole: whole && !extendsAnother(node),
    guard,
    put,
  })
}

/** Whether the subschema only adds to one that it refers to. */
function extendsAnother(node: Schema): boolean {
  return Array.isArray(node['allOf']) && node['allOf'].some((part: Schema) => '$ref' in part)
}

function replaced(value: unknown, [name, ...rest]: readonly string[], changed: Schema): unknown {
  if (name === undefined) return changed
  if (Array.isArray(value)) return value.with(Number(name), replaced(value[Number(name)], rest, changed))
  return { ...(value as Schema), [name]: replaced((value as Schema)[name], rest, changed) }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
