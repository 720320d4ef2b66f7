import { type OperationId, operations } from '#spec/tables'
import type { RequestEntry } from '#trace/entry'
import { at, type Json, stringAt } from '#trace/json'
import { usual } from '../send/call-of.ts'
import { literal, quoted, type Say } from './literal.ts'

/** What a script knows beside the recording. */
export interface CallSetting {
  /** Names of headers that the profile puts on every request, in lower case. */
  readonly gates: ReadonlySet<string>
}

/** `call('GET', '/v1/voices', { key: keys.primary })`. @param until whether to ask until what is under way has ended */
export function callLine(request: RequestEntry, until: boolean, say: Say, setting: CallSetting): string {
  const options = [...access(request, say), ...headersOf(request, say, setting), ...bodyOf(request, say)]
  const given = options.length === 0 ? '' : `, { ${options.join(', ')} }`
  const path = pathOf(request, say)
  return until ? `settled(${path}${given})` : `call(${quoted(request.method)}, ${path}${given})`
}

/** The path as it was sent, with the ids of this time. */
function pathOf({ path, operation }: RequestEntry, say: Say): string {
  const route = operation === null ? '' : operations[operation as OperationId].path
  return route.includes('{') || path.includes('?') ? say(path) : quoted(path)
}

function access({ key, headers }: RequestEntry, say: Say): readonly string[] {
  if (key === 'none') return []
  if (key !== 'malformed') return [`key: keys.${key}`]
  const literalHeader = headers['authorization']
  return literalHeader === undefined ? [] : [`authorization: ${say(literalHeader)}`]
}

function headersOf({ headers, body, text }: RequestEntry, say: Say, { gates }: CallSetting): readonly string[] {
  const own = Object.entries(headers).filter(([name]) => !usual.has(name) && !gates.has(name))
  const type = headers['content-type']
  const isForm = at(body, '/multipart') !== undefined && type?.startsWith('multipart/') === true
  const odd = type !== undefined && !isForm && (text !== undefined || type !== 'application/json')
  const all = [...own, ...(odd ? [['content-type', type] as const] : [])]
  return all.length === 0 ? [] : [`headers: ${literal(Object.fromEntries(all), say)}`]
}

function bodyOf({ body, text, headers }: RequestEntry, say: Say): readonly string[] {
  if (text !== undefined) return [`text: ${say(text)}`]
  const form = at(body, '/multipart')
  if (Array.isArray(form) && headers['content-type']?.startsWith('multipart/') === true) {
    return [`form: await form([${(form as readonly Json[]).map((part) => partOf(part)).join(', ')}])`]
  }
  return body === undefined ? [] : [`body: ${literal(body, say)}`]
}

function partOf(part: Json): string {
  const [filename, type] = [stringAt(part, '/filename'), stringAt(part, '/content_type')]
  const fields = {
    name: stringAt(part, '/name') ?? '',
    file: stringAt(part, '/sha256') ?? '',
    ...(filename === undefined ? {} : { filename }),
    ...(type === undefined ? {} : { type }),
  }
  return literal(fields, quoted)
}
