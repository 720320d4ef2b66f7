import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FormPart, RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import { operations, type OperationId } from '#spec/tables'
import type { RequestEntry } from '#trace/entry'
import { at, type Json, stringAt } from '#trace/json'
import { keysIn } from '#trace/stand-ins'
import type { Bindings } from './bindings.ts'

/** Headers that every request of a run carries, or that its body brings along. */
export const usual = new Set([
  'user-agent',
  'accept',
  'accept-encoding',
  'content-length',
  'authorization',
  'content-type',
])

/** What the sender of requests knows beside the recording. */
export interface CallTools {
  readonly bindings: Bindings
  /** Folder of uploaded files, by their sha256. */
  readonly uploads: string
  /** Names of headers that the profile puts on every request, in lower case. */
  readonly gates: ReadonlySet<string>
}

/**
 * The call that sends a recorded request again.
 *
 * @throws the system's error where an uploaded file is not there
 */
export function callOf(request: RequestEntry, tools: CallTools): RestCall {
  const { bindings, gates } = tools
  const { path, key, headers, manner = {} } = request
  const own = Object.entries(headers).filter(([name]) => !usual.has(name) && !gates.has(name))
  return {
    ...placed(request.operation as OperationId, path, bindings),
    ...bodyOf(request, tools),
    ...manner,
    key: key as KeyName,
    ...(own.length === 0 ? {} : { headers: Object.fromEntries(own.map(([name, value]) => [name, literal(value)])) }),
    ...(key === 'malformed' ? { authorization: literal(bindings.text(headers['authorization'] ?? '')) } : {}),
    unmarked: true,
  }
}

/** A header in which keys stand as the client writes them: `{primary}`, `{primary:cut}`. */
function literal(text: string): string {
  return keysIn(text).reduce(
    (said, { text: standIn, key, way }) => said.replace(standIn, `{${key}${way === undefined ? '' : `:${way}`}}`),
    text,
  )
}

/** Parameters and query of a path, by the row of its operation. */
function placed(operation: OperationId, path: string, bindings: Bindings): Pick<RestCall, 'params' | 'query'> {
  const [route = '', search = ''] = path.split(/\?(.*)/s)
  const names = [...operations[operation].path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const pattern = new RegExp(`^${operations[operation].path.replaceAll(/\{\w+\}/g, '([^/]*)')}$`)
  const values = pattern.exec(route)?.slice(1) ?? []
  const params = names.map((name, place) => [name, bindings.text(decodeURIComponent(values[place] ?? ''))])
  const query = [...new URLSearchParams(search)].map(([name, value]) => [name, bindings.text(value)])
  return {
    ...(params.length === 0 ? {} : { params: Object.fromEntries(params) }),
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
  }
}

type Body = Pick<RestCall, 'body' | 'text' | 'multipart' | 'content_type'>

function bodyOf({ body, text, headers }: RequestEntry, { bindings, uploads }: CallTools): Body {
  const type = headers['content-type']
  const odd = type === undefined || type === 'application/json' ? {} : { content_type: type }
  if (text !== undefined) return { text: bindings.text(text), ...odd }
  const form = at(body, '/multipart')
  if (Array.isArray(form) && type?.startsWith('multipart/') === true) {
    return { multipart: (form as readonly Json[]).map((part) => partOf(part, uploads)) }
  }
  return body === undefined ? {} : { body: bindings.json(body), ...odd }
}

function partOf(part: Json, uploads: string): FormPart {
  const [filename, content_type] = [stringAt(part, '/filename'), stringAt(part, '/content_type')]
  return {
    name: stringAt(part, '/name') ?? '',
    ...(filename === undefined ? {} : { filename }),
    ...(content_type === undefined ? {} : { content_type }),
    data: readFileSync(join(uploads, stringAt(part, '/sha256') ?? '')),
  }
}
