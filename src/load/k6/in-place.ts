import { parseSync } from 'rolldown/utils'
import { declaredWithin, freeIn, isNode, type Node, partsOf } from './syntax.ts'

/**
 * The way of every event, and of every number that is handed over: it has no time to make functions, and what holds a
 * function is slower itself. A test holds that all of these are there.
 */
export const wayOfEvents: readonly string[] = ['heard', 'more', 'record', 'bucketOf', '#spoke', 'count', 'addTo']

/** How many characters a function may add to the script by standing in several places, with all that stands in it. */
const COPIED = 8_000

/** A function or private method. */
interface Callee {
  readonly node: Node
  /** What it is called: a method's name begins with `#`. */
  readonly name: string
  /** What knows it by this name: the body of its class, the module, or the block that it is declared in. */
  readonly home: Node
  /** Its parameters and body. */
  readonly code: Node
}

/** Where something is named, and what stands around that, innermost first. */
interface Mention {
  readonly node: Node
  readonly around: readonly Node[]
}

/** What stands in other places, and in which. */
type Moved = ReadonlyMap<Callee, readonly Mention[]>

/**
 * A module in which functions and private methods stand in every place that calls them: k6 pays most of a kilobyte in every
 * virtual user for each function and method, and what stands where it is called is there only while it runs. Its code may
 * stand there often, since all users of a process share that.
 */
export function inPlace(module: string): string {
  const program = parseSync('module.js', module).program as unknown as Node
  const mentions = mentionsIn(program)
  const moved = new Map<Callee, readonly Mention[]>()
  for (const callee of calleesIn(program)) {
    const own = (mentions.get(callee.name) ?? []).filter(({ around }) => around.includes(callee.home))
    if (own.length > 0 && own.every((mention) => isCall(callee, mention))) moved.set(callee, own)
  }
  for (let left = Number.POSITIVE_INFINITY; left !== moved.size; ) {
    left = moved.size
    for (const [callee, own] of moved) if (!mayStandIn(own, callee, moved)) moved.delete(callee)
  }
  for (const [callee, own] of moved)
    if (own.length > 1 && lengthOf(callee, moved) * (own.length - 1) > COPIED) moved.delete(callee)
  return written(module, program, moved)
}

/** Private methods, and functions that blocks or the module declare. */
function calleesIn(program: Node): readonly Callee[] {
  const found: Callee[] = []
  const look = (node: Node, home: Node): void => {
    if (node.type === 'MethodDefinition' && node['kind'] === 'method' && node['static'] !== true) {
      const { key, value } = node as unknown as { key: Node; value: Node }
      if (key.type === 'PrivateIdentifier') found.push({ node, name: `#${String(key['name'])}`, home, code: value })
    } else if (['Program', 'BlockStatement'].includes(home.type)) {
      const own = functionIn(node)
      if (own !== undefined && !usesThis(own.code)) found.push({ node, home, ...own })
    }
    for (const part of partsOf(node)) look(part, node)
  }
  look(program, program)
  return found.filter(({ name, code }) => name !== '' && isPlain(code))
}

/** The function that a statement declares, where that is all that it does. */
function functionIn(node: Node): Pick<Callee, 'name' | 'code'> | undefined {
  if (node.type === 'FunctionDeclaration') return { name: nameOf(node['id']), code: node }
  if (node.type !== 'VariableDeclaration') return undefined
  const [only, other] = node['declarations'] as readonly Node[]
  const init = other === undefined ? only?.['init'] : undefined
  if (!isNode(init) || init.type !== 'ArrowFunctionExpression') return undefined
  return { name: nameOf(only?.['id']), code: init }
}

/** Whether an arrow function does the same. */
function isPlain(code: Node): boolean {
  const names = freeIn(code)
  return code['generator'] !== true && !names.has('arguments') && !isIn(code, 'Super') && !isIn(code, 'MetaProperty')
}

/** Whether it means an object by `this`, other than one of its own classes does. */
const usesThis = (node: Node): boolean =>
  node.type === 'ThisExpression' || partsOf(node).some((part) => part.type !== 'ClassBody' && usesThis(part))

const isIn = (node: Node, type: string): boolean => node.type === type || partsOf(node).some((part) => isIn(part, type))

/** Every place where a name stands that could be one of a function, or of a private method; not where it is declared. */
function mentionsIn(program: Node): ReadonlyMap<string, readonly Mention[]> {
  const mentions = new Map<string, Mention[]>()
  const look = (node: Node, around: readonly Node[]): void => {
    const name = mentioned(node, around[0])
    if (name !== undefined) mentions.set(name, [...(mentions.get(name) ?? []), { node, around }])
    for (const part of partsOf(node)) look(part, [node, ...around])
  }
  look(program, [])
  return mentions
}

function mentioned(node: Node, within: Node | undefined): string | undefined {
  if (within === undefined) return undefined
  const { id, key, property, computed, shorthand } = within
  if (node.type === 'PrivateIdentifier') return key === node ? undefined : `#${String(node['name'])}`
  if (node.type !== 'Identifier') return undefined
  if (node === id || (computed !== true && shorthand !== true && (node === key || node === property))) return undefined
  return String(node['name'])
}

/** Whether it is called there, by its own name, and not by the way of every event. */
function isCall({ name, home }: Callee, { node, around }: Mention): boolean {
  const [within] = around
  const isMethod = name.startsWith('#')
  const called = isMethod ? within : node
  const call = isMethod ? around[1] : within
  if (call?.type !== 'CallExpression' || call['callee'] !== called) return false
  if (isMethod && (within?.['object'] as Node | undefined)?.type !== 'ThisExpression') return false
  if ([name, ...around.map(keyOf)].some((one) => wayOfEvents.includes(one))) return false
  return isMethod ? around.find(({ type }) => type === 'ClassBody') === home : !hiddenAt(around, home).has(name)
}

/** Whether it does not call itself, and all that it reads means the same in these places. */
function mayStandIn(places: readonly Mention[], callee: Callee, moved: Moved): boolean {
  const read = new Set<string>()
  const seen = new Set<Callee>()
  const look = (one: Callee): boolean => {
    if (seen.has(one)) return true
    seen.add(one)
    for (const name of freeIn(one.code)) read.add(name)
    return [...moved].every(
      ([other, own]) => !own.some(({ around }) => around.includes(one.code)) || (other !== callee && look(other)),
    )
  }
  if (!look(callee)) return false
  return places.every(({ around }) => {
    const hidden = hiddenAt(around, callee.home)
    return [...read].every((name) => !hidden.has(name))
  })
}

/** How many characters its code has with all that stands in it. */
function lengthOf({ code }: Callee, moved: Moved): number {
  let length = code.end - code.start
  for (const [other, own] of moved)
    for (const { around } of own) if (around.includes(code)) length += lengthOf(other, moved)
  return length
}

/** Names that mean something of their own somewhere between a place and what stands around it. */
function hiddenAt(around: readonly Node[], home: Node): ReadonlySet<string> {
  return new Set(around.slice(0, around.indexOf(home)).flatMap(declaredWithin))
}

function written(module: string, program: Node, moved: Moved): string {
  const edits = [...moved].flatMap(([{ node, name, code }, places]) => [
    { ...range(node), text: () => '' },
    ...places.map(({ node: at, around }) => ({
      ...range(name.startsWith('#') ? (around[0] ?? at) : at),
      text: () => `(${arrow(code)})`,
    })),
  ])
  edits.sort((left, right) => left.start - right.start)
  const text = (start: number, end: number): string => {
    let [out, at] = ['', start]
    for (const edit of edits) {
      if (edit.start < at || edit.end > end) continue
      out += module.slice(at, edit.start) + edit.text()
      at = edit.end
    }
    return out + module.slice(at, end)
  }
  const arrow = (code: Node): string => {
    if (code.type === 'ArrowFunctionExpression') return text(code.start, code.end)
    const { params, body } = code as unknown as { params: readonly Node[]; body: Node }
    const [first, last] = [params[0], params.at(-1)]
    const listed = first === undefined || last === undefined ? '' : text(first.start, last.end)
    return `${code['async'] === true ? 'async ' : ''}(${listed}) => ${text(body.start, body.end)}`
  }
  return text(program.start, module.length)
}

const range = ({ start, end }: Node): { start: number; end: number } => ({ start, end })

/** What a method or function is called; empty for everything else. */
function keyOf({ type, key, id }: Node): string {
  if (type === 'FunctionDeclaration') return nameOf(id)
  if (type !== 'MethodDefinition' || !isNode(key)) return ''
  return key.type === 'PrivateIdentifier' ? `#${String(key['name'])}` : nameOf(key)
}

const nameOf = (id: unknown): string => (isNode(id) && id.type === 'Identifier' ? String(id['name']) : '')
