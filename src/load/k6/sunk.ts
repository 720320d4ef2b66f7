import { parseSync } from 'rolldown/utils'
import { declaredWithin, freeIn, isNode, type Node, partsOf } from './syntax.ts'

/** A statement of a module, and what this needs to know of it. */
interface Statement {
  readonly node: Node
  /** What it declares, where it declares one thing that is the same wherever it is made. */
  readonly name: string | undefined
  readonly isClass: boolean
  /** The function that it is, if one that others may stand in. */
  readonly host: Host | undefined
  /** Names that it reads, and does not declare itself. */
  readonly names: ReadonlySet<string>
}

interface Host {
  readonly isAsync: boolean
  /** Where its body begins. */
  readonly at: number
  /** Names that mean something of its own, throughout its body. */
  readonly bound: ReadonlySet<string>
  /** Names that it reads outside of its body, to begin with. */
  readonly before: ReadonlySet<string>
}

/** By what stands elsewhere now, where. */
type Homes = ReadonlyMap<Statement, Statement>

/**
 * A module in which what a single function needs stands in that function: k6 pays most of a kilobyte in every virtual user
 * for each function, array and object of a module, and what stands in a function is there only while that runs. Only
 * functions take something in, no methods: those are the way of every event, which has no time to make functions. A class
 * is too dear to be made for each call of a function that waits.
 */
export function sunk(module: string): string {
  const { body } = parseSync('module.js', module).program as unknown as { readonly body: readonly Node[] }
  const statements = body.map(statementOf)
  const stuck = new Set<Statement>()
  for (;;) {
    const homes = homesOf(statements, stuck)
    const misread = [...homes.keys()].filter((one) => isMisread(one, homes))
    if (misread.length === 0) return written(module, statements, homes)
    for (const one of misread) stuck.add(one)
  }
}

/** Where everything can stand that may: the innermost function that holds all that reads it. */
function homesOf(statements: readonly Statement[], stuck: ReadonlySet<Statement>): Homes {
  const homes = new Map<Statement, Statement>()
  for (let found = -1; found !== homes.size; ) {
    found = homes.size
    for (const one of statements) {
      const { name } = one
      if (name === undefined || homes.has(one) || stuck.has(one)) continue
      const readers = statements.filter((other) => other !== one && other.names.has(name))
      const around = readers.map((reader) => hostsAround(reader, name, homes))
      const home = around[0]?.find((host) => around.every((hosts) => hosts.includes(host)))
      if (home !== undefined && takes(home, one) && !chainOf(home, homes).includes(one)) homes.set(one, home)
    }
  }
  return homes
}

/** The functions around what reads a name, innermost first. */
function hostsAround(reader: Statement, name: string, homes: Homes): readonly Statement[] {
  const chain = chainOf(reader, homes)
  return reader.host === undefined || reader.host.before.has(name) ? chain.slice(1) : chain
}

function chainOf(one: Statement, homes: Homes): readonly Statement[] {
  const home = homes.get(one)
  return home === undefined ? [one] : [one, ...chainOf(home, homes)]
}

const takes = ({ host }: Statement, { isClass }: Statement): boolean => host !== undefined && !(isClass && host.isAsync)

/** Whether a function around it means something else by one of its names. */
function isMisread(one: Statement, homes: Homes): boolean {
  const [, ...around] = chainOf(one, homes)
  return around.some(({ host }) => host !== undefined && [...one.names].some((name) => host.bound.has(name)))
}

function written(module: string, statements: readonly Statement[], homes: Homes): string {
  const text = (one: Statement): string => {
    const { start, end } = one.node
    const inside = statements.filter((other) => homes.get(other) === one).map(text)
    if (one.host === undefined || inside.length === 0) return module.slice(start, end)
    return [module.slice(start, one.host.at), ...inside, module.slice(one.host.at, end)].join('\n')
  }
  return `${statements
    .filter((one) => !homes.has(one))
    .map(text)
    .join('\n')}\n`
}

function statementOf(node: Node): Statement {
  const names = freeIn(node)
  const none = { node, name: undefined, isClass: false, host: undefined, names }
  if (node.type === 'FunctionDeclaration') return { ...none, name: nameOf(node['id']), host: hostOf(node) }
  const declared = node.type === 'VariableDeclaration' ? (node['declarations'] as readonly Node[]) : []
  const [only] = declared
  if (declared.length !== 1 || only === undefined || !isNode(only['init'])) return none
  const { init } = only as unknown as { init: Node }
  if (!isSameAnywhere(init)) return none
  return { ...none, name: nameOf(only['id']), isClass: init.type === 'ClassExpression', host: hostOf(init) }
}

/** Whether it does not matter when it is made, nor how often. Nothing of a load script changes such a thing. */
function isSameAnywhere(node: Node): boolean {
  switch (node.type) {
    case 'ArrowFunctionExpression':
      return true
    case 'ClassExpression':
      return node['superClass'] === null && !partsOf(node['body'] as Node).some((part) => part['static'] === true)
    case 'ArrayExpression':
    case 'ObjectExpression':
      return partsOf(node).length > 0 && partsOf(node).every(isPlain)
    default:
      return node.type === 'Literal' && 'regex' in node
  }
}

const isPlain = (node: Node): boolean =>
  ['Literal', 'Identifier'].includes(node.type) ||
  (['ArrayExpression', 'ObjectExpression', 'Property', 'SpreadElement', 'UnaryExpression'].includes(node.type) &&
    partsOf(node).every(isPlain))

function hostOf(node: Node): Host | undefined {
  const { body, params } = node as unknown as { body: Node; params: readonly Node[] }
  if (!isNode(body) || body.type !== 'BlockStatement') return undefined
  return {
    isAsync: node['async'] === true,
    at: body.start + 1,
    bound: new Set([...declaredWithin({ ...node, id: null }), ...declaredWithin(body)]),
    before: new Set(params.flatMap((param) => [...freeIn(param)])),
  }
}

function nameOf(id: unknown): string | undefined {
  return isNode(id) && id.type === 'Identifier' ? String(id['name']) : undefined
}
