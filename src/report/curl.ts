import { type ExchangeRecord, indexTrace, type TraceIndex } from '#judge/trace-index'
import type { Entry, RequestEntry } from '#trace/entry'
import { at, isObject, type Json } from '#trace/json'
import { keysIn, saysSpoiltKey } from '#trace/stand-ins'
import { shellWord, withVariable } from './shell-quote.ts'

/**
 * Makes the line that sends again what stands at some lines of a trace; undefined where no request was sent there.
 *
 * @param requirement whose first failure these lines are
 */
export type Resend = (lines: readonly number[], requirement?: string) => string | undefined

const longest = 4_000
const leftOut = new Set(['authorization', 'accept-encoding', 'content-length', 'user-agent'])

interface Setting {
  readonly index: TraceIndex
  readonly baseUrl: string
  /** As `results.json` shows it: names of environment variables, no values. */
  readonly profile: Json
  /** Folder of uploaded files, by their sha256. */
  readonly uploads: string | undefined
}

/**
 * @param profile as `results.json` shows it
 * @param uploads folder in which uploaded files are kept, as a reader would type it
 */
export function resender(entries: readonly Entry[], baseUrl: string, profile: Json, uploads?: string): Resend {
  const setting = { index: indexTrace(entries), baseUrl, profile, uploads }
  const isOfChannel = (line: number): boolean => 'channel' in (setting.index.entries[line - 1] ?? {})
  return (lines) => {
    // The session that a frame went to is closed: `greenroom replay` makes one of its own.
    if (lines.slice(0, 1).some(isOfChannel)) return undefined
    const [request] = lines.flatMap((line) => requestAt(line, setting.index) ?? [])
    // No shell takes letters out of a key: a script does.
    return request === undefined || saysSpoiltKey(request) ? undefined : curlLine(request, setting)
  }
}

function requestAt(line: number, index: TraceIndex): RequestEntry | undefined {
  const entry = index.entries[line - 1]
  if (entry?.kind !== 'request' && entry?.kind !== 'response' && entry?.kind !== 'failure') return undefined
  return requestOf(index.exchanges.get(entry.exchange), entry.attempt)
}

function requestOf(record: ExchangeRecord | undefined, attempt: number): RequestEntry | undefined {
  return record?.attempts[attempt - 1]?.request.entry
}

/** A `curl` command for one request; keys and gate headers are names of environment variables. */
function curlLine(request: RequestEntry, setting: Setting): string {
  const { baseUrl, profile } = setting
  const words = ['curl', '-sS', '-i']
  if (request.method !== 'GET') words.push('-X', shellWord(request.method))
  words.push(shellWord(address(baseUrl, request.path)), ...access(profile), ...headers(request, profile))
  return [...words, ...payload(request, setting)].join(' ')
}

function payload(request: RequestEntry, { index, uploads }: Setting): readonly string[] {
  const form = at(request.body, '/multipart')
  if (Array.isArray(form)) return form.flatMap((part: Json) => ['-F', shellWord(formPart(part, uploads))])
  const body = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
  return body === undefined ? [] : ['--data-raw', body.length > longest ? '"$BODY"' : freshWord(body, index)]
}

/**
 * The body with ids of its own: with the idempotency key of the run, a create would only repeat the run's session.
 * What stands for the run's id is as long as that.
 */
function freshWord(body: string, { header }: TraceIndex): string {
  const run = header?.run ?? ''
  if (!/^[a-z\d]{10}$/.test(run) || !body.includes(run)) return shellWord(body)
  return body.split(run).map(shellWord).join(`"$(date +%s%N | cut -c6-15)"`)
}

/** The trace holds a file's size and digest; its bytes are kept beside it. */
function formPart(part: Json, uploads: string | undefined): string {
  const text = (field: string): string | undefined => {
    const value = at(part, `/${field}`)
    return typeof value === 'string' ? value : undefined
  }
  const type = text('content_type')
  const [name, filename, digest] = [text('name') ?? 'file', text('filename'), text('sha256')]
  const file = uploads === undefined || digest === undefined ? filename : `${uploads}/${digest}`
  // A part without a file name is a plain field, whose text curl reads from a file.
  if (filename === undefined && file !== undefined) return `${name}=<${file}`
  const named = uploads === undefined ? '' : `;filename="${filename ?? 'FILE'}"`
  return `${name}=@${file ?? 'FILE'}${named}${type === undefined ? '' : `;type=${type}`}`
}

function address(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}`
}

function access(profile: Json): readonly string[] {
  const ca = at(profile, '/ca_file')
  const proxy = at(profile, '/proxy')
  return [
    ...(typeof ca === 'string' ? ['--cacert', shellWord(ca)] : []),
    ...(typeof proxy === 'string' ? ['--proxy', withVariable('', proxy, 'PROXY')] : []),
  ]
}

function headers(request: RequestEntry, profile: Json): readonly string[] {
  const gates = at(profile, '/headers')
  const gate = isObject(gates) ? gates : {}
  const gated = new Set(Object.keys(gate).map((name) => name.toLowerCase()))
  const isForm = at(request.body, '/multipart') !== undefined
  const own = Object.entries(request.headers)
    .filter(([name]) => !leftOut.has(name.toLowerCase()) && !gated.has(name.toLowerCase()))
    .filter(([name]) => !(isForm && name.toLowerCase() === 'content-type'))
    .flatMap(([name, value]) => ['-H', keyedWord(`${name}: ${value}`, profile)])
  const fromProfile = Object.entries(gate).flatMap(([name, variable]) => [
    '-H',
    withVariable(`${name}: `, variable, 'VALUE'),
  ])
  return [...authorization(request, profile), ...own, ...fromProfile]
}

function authorization(request: RequestEntry, profile: Json): readonly string[] {
  if (request.key === 'none') return []
  const literal = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  if (request.key === 'malformed')
    return literal === undefined ? [] : ['-H', keyedWord(`Authorization: ${literal}`, profile)]
  return ['-H', withVariable('Authorization: Bearer ', at(profile, `/keys/${request.key}`), 'API_KEY')]
}

/** A word with the values of keys where their stand-ins stood. */
function keyedWord(text: string, profile: Json): string {
  const [first, ...others] = keysIn(text)
  if (first === undefined) return shellWord(text)
  const [before = '', ...rest] = text.split(first.text)
  const after = rest.join(first.text)
  const variable = at(profile, `/keys/${first.key}`)
  if (others.length === 0) return withVariable(before, variable, 'API_KEY', after)
  return withVariable(before, variable, 'API_KEY') + keyedWord(after, profile)
}
