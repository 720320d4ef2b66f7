import { parseSync } from 'rolldown/utils'
import { isNode, type Node } from './syntax.ts'

/** A method, getter or setter, and what its own code names. */
interface Method {
  readonly node: Node
  readonly name: string
}

/** What the language itself calls. */
const called = ['toJSON', 'toString', 'valueOf', 'then']

/**
 * A module without the methods of its classes that nothing in it calls. A bundler drops functions that nobody calls, but
 * takes a class whole, since it can't know who else has one of its objects; nobody else has those of a load script.
 */
export function withoutUnusedMethods(module: string): string {
  const program = parseSync('module.js', module).program as unknown as Node
  const named = new Set<string>(called)
  let waiting: Method[] = []
  const look = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node as readonly unknown[]) look(one)
    else if (isNode(node)) {
      const method = methodOf(node)
      if (method !== undefined) waiting.push(method)
      else {
        for (const name of namesIn(node)) named.add(name)
        for (const child of Object.values(node)) look(child)
      }
    }
  }
  look(program)
  for (let found = -1; found !== named.size; ) {
    found = named.size
    const reached = waiting.filter(({ name }) => named.has(name))
    waiting = waiting.filter(({ name }) => !named.has(name))
    for (const { node } of reached) look(node['value'])
  }
  return waiting
    .toSorted((left, right) => right.node.start - left.node.start)
    .reduce((text, { node: { start, end } }) => text.slice(0, start) + text.slice(end), module)
}

function methodOf(node: Node): Method | undefined {
  if (node.type !== 'MethodDefinition' || node['kind'] === 'constructor' || node['computed'] === true) return undefined
  const name = nameOf(node['key'])
  return name === undefined ? undefined : { node, name }
}

/** What a node names that could be a method: a member, a part of an object that is taken apart, a text. */
function namesIn(node: Node): readonly string[] {
  if (node.type === 'MemberExpression' && node['computed'] !== true) return some(nameOf(node['property']))
  if (node.type === 'PrivateInExpression') return some(nameOf(node['left']))
  if (node.type === 'Property') return some(nameOf(node['key']))
  return node.type === 'Literal' && typeof node['value'] === 'string' ? [node['value']] : []
}

const some = (name: string | undefined): readonly string[] => (name === undefined ? [] : [name])

function nameOf(key: unknown): string | undefined {
  if (!isNode(key)) return undefined
  if (key.type === 'Identifier') return String(key['name'])
  if (key.type === 'PrivateIdentifier') return `#${String(key['name'])}`
  return key.type === 'Literal' ? String(key['value']) : undefined
}
