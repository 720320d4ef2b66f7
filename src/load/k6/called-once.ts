import { parseSync } from 'rolldown/utils'
import { declaredWithin, freeIn, isNode, type Node, partsOf } from './syntax.ts'

/**
 * The way of every event: it has no time to make functions, and what holds a function is slower itself. A test holds that
 * all of these are there.
 */
export const wayOfEvents: readonly string[] = ['heard', 'more', 'record', 'bucketOf', '#spoke', 'count']

/** A function or method, and where it is called. */
interface Callee {
  readonly node: Node
  /** What it is called: a method's name begins with `#`. */
  readonly name: string
  /** What knows it by this name: the body of its class, or the module. */
  readonly home: Node
  /** Its parameters and body. */
  readonly code: Node
}

/** Where something is named, and what stands around that, innermost first. */
interface Mention {
  readonly node: Node
  readonly around: readonly Node[]
  /** Of a private name, the class that it may be of. */
  readonly home: Node
}

/**
 * A module in which what only one place calls stands in that place: k6 pays most of a kilobyte in every virtual user for
 * each function and method, and what stands where it is called is there only while it runs. That goes for private methods,
 * which nobody else can call, and for functions that a method calls; functions that functions call are `sunk`.
 */
export function calledOnce(module: string): string {
  const program = parseSync('module.js', module).program as unknown as Node
  const mentions = mentionsIn(program)
  const moved = new Map<Callee, Mention>()
  for (const callee of calleesIn(program)) {
    const [only, other] = (mentions.get(callee.name) ?? []).filter(({ home }) => home === callee.home)
    if (only !== undefined && other === undefined && mayStandAt(callee, only)) moved.set(callee, only)
  }
  return written(module, program, moved)
}

/** Private methods, and functions of the module. */
function calleesIn(program: Node): readonly Callee[] {
  const found: Callee[] = []
  const look = (node: Node, home: Node): void => {
    if (node.type === 'MethodDefinition' && node['kind'] === 'method' && node['static'] !== true) {
      const { key, value } = node as unknown as { key: Node; value: Node }
      if (key.type === 'PrivateIdentifier') found.push({ node, name: `#${String(key['name'])}`, home, code: value })
    }
    for (const part of partsOf(node)) look(part, node)
  }
  look(program, program)
  for (const node of program['body'] as readonly Node[])
    if (node.type === 'FunctionDeclaration') found.push({ node, name: nameOf(node['id']), home: program, code: node })
  return found.filter(({ code }) => isPlain(code))
}

/** Whether an arrow function does the same. */
function isPlain(code: Node): boolean {
  const names = freeIn(code)
  return code['generator'] !== true && !names.has('arguments') && !isIn(code, 'Super') && !isIn(code, 'MetaProperty')
}

const isIn = (node: Node, type: string): boolean => node.type === type || partsOf(node).some((part) => isIn(part, type))

/** Every place where a name stands that could be one of a function, or of a private method; not where it is declared. */
function mentionsIn(program: Node): ReadonlyMap<string, readonly Mention[]> {
  const mentions = new Map<string, Mention[]>()
  const look = (node: Node, around: readonly Node[]): void => {
    const name = mentioned(node, around[0])
    if (name !== undefined) {
      const home = (name.startsWith('#') && around.find((one) => isClassOf(name, one))) || program
      mentions.set(name, [...(mentions.get(name) ?? []), { node, around, home }])
    }
    for (const part of partsOf(node)) look(part, [node, ...around])
  }
  look(program, [])
  return mentions
}

const isClassOf = (name: string, { type, body }: Node): boolean =>
  type === 'ClassBody' && (body as readonly Node[]).some((member) => keyOf(member) === name)

function mentioned(node: Node, within: Node | undefined): string | undefined {
  if (within === undefined) return undefined
  const { id, key, property, computed, shorthand } = within
  if (node.type === 'PrivateIdentifier') return key === node ? undefined : `#${String(node['name'])}`
  if (node.type !== 'Identifier') return undefined
  if (node === id || (computed !== true && shorthand !== true && (node === key || node === property))) return undefined
  return String(node['name'])
}

function mayStandAt({ name, code }: Callee, { node, around }: Mention): boolean {
  const [within] = around
  const isMethod = name.startsWith('#')
  const callee = isMethod ? within : node
  const call = isMethod ? around[1] : within
  if (call?.type !== 'CallExpression' || call['callee'] !== callee || around.includes(code)) return false
  if (isMethod && (within?.['object'] as Node | undefined)?.type !== 'ThisExpression') return false
  const method = around.find(({ type }) => type === 'MethodDefinition')
  if (method === undefined || [name, keyOf(method)].some((one) => wayOfEvents.includes(one))) return false
  const hidden = new Set(around.filter(({ type }) => type !== 'Program').flatMap(declaredWithin))
  return [...freeIn(code)].every((free) => !hidden.has(free))
}

function written(module: string, program: Node, moved: ReadonlyMap<Callee, Mention>): string {
  const edits = [...moved].flatMap(([{ node, name, code }, { node: at, around }]) => {
    const callee = name.startsWith('#') ? (around[0] ?? at) : at
    return [
      { ...range(node), text: () => '' },
      { ...range(callee), text: () => arrow(code) },
    ]
  })
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
    const { params, body } = code as unknown as { params: readonly Node[]; body: Node }
    const [first, last] = [params[0], params.at(-1)]
    const listed = first === undefined || last === undefined ? '' : text(first.start, last.end)
    return `(${code['async'] === true ? 'async ' : ''}(${listed}) => ${text(body.start, body.end)})`
  }
  return text(program.start, module.length)
}

const range = ({ start, end }: Node): { start: number; end: number } => ({ start, end })

function keyOf(member: Node): string {
  const { key } = member
  if (!isNode(key)) return ''
  return key.type === 'PrivateIdentifier' ? `#${String(key['name'])}` : nameOf(key)
}

const nameOf = (id: unknown): string => (isNode(id) && id.type === 'Identifier' ? String(id['name']) : '')
