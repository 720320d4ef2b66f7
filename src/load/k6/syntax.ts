/** A part of a parsed module, of which no more is known than what every part has. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'
}

/** Whatever stands directly in a part. */
export function partsOf(node: Node): readonly Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))
}

/** Names that a part reads, and does not declare itself. */
export function freeIn(node: unknown): ReadonlySet<string> {
  if (!isNode(node)) return new Set()
  if (node.type === 'Identifier') return new Set([String(node['name'])])
  const own = new Set(declaredWithin(node))
  const skipped = node['computed'] === true ? undefined : (node['key'] ?? node['property'])
  const read = partsOf(node).filter((part) => part !== skipped)
  return new Set(read.flatMap((part) => [...freeIn(part)]).filter((name) => !own.has(name)))
}

/** Names that mean something of its own in all of a function, block, loop or clause. */
export function declaredWithin(node: Node): readonly string[] {
  const { type, body, params, param, init, left, id } = node
  if (/Function/.test(type)) return [...each(params).flatMap(namesIn), ...namesIn(id)]
  if (type === 'ClassExpression') return namesIn(id)
  if (type === 'CatchClause') return namesIn(param)
  if (type.startsWith('For')) return [init, left].flatMap(namesDeclaredBy)
  return type === 'BlockStatement' ? each(body).flatMap(namesDeclaredBy) : []
}

function namesDeclaredBy(statement: unknown): readonly string[] {
  if (!isNode(statement)) return []
  const { type, declarations, id } = statement
  if (type === 'VariableDeclaration') return each(declarations).flatMap((one) => namesIn(one['id']))
  return type === 'FunctionDeclaration' || type === 'ClassDeclaration' ? namesIn(id) : []
}

/** The names in what a parameter or a variable is called, which may be a pattern. */
function namesIn(pattern: unknown): readonly string[] {
  if (!isNode(pattern)) return []
  const { type, name, properties, elements, value, left, argument } = pattern
  if (type === 'Identifier') return [String(name)]
  if (type === 'ObjectPattern') return each(properties).flatMap(namesIn)
  if (type === 'ArrayPattern') return each(elements).flatMap(namesIn)
  return namesIn(type === 'Property' ? value : (left ?? argument))
}

const each = (list: unknown): readonly Node[] => (Array.isArray(list) ? list.filter(isNode) : [])
