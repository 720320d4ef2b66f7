import { type ChannelRecord, type ExchangeRecord, indexTrace, type TraceIndex } from '#judge/trace-index'
import type { ChannelOpenEntry, Entry, FrameSentEntry, RequestEntry } from '#trace/entry'
import { at, isObject, type Json } from '#trace/json'
import { shellWord, withVariable } from './shell-quote.ts'

/** Makes the line that sends again what stands at some lines of a trace; undefined where nothing was sent there. */
export type Resend = (lines: readonly number[]) => string | undefined

const longest = 4_000
const sessionSecret = 'CONTROL_CLIENT_SECRET'
const leftOut = new Set(['authorization', 'accept-encoding', 'content-length', 'user-agent'])

/** @param profile as `results.json` shows it: names of environment variables, no values */
export function resender(entries: readonly Entry[], baseUrl: string, profile: Json): Resend {
  const index = indexTrace(entries)
  return (lines) => {
    for (const line of lines) {
      const found = sendAgain(index, line, baseUrl, profile)
      if (found !== undefined) return found
    }
    return undefined
  }
}

function sendAgain(index: TraceIndex, line: number, baseUrl: string, profile: Json): string | undefined {
  const entry = index.entries[line - 1]
  if (entry === undefined) return undefined
  if (entry.kind === 'request' || entry.kind === 'response' || entry.kind === 'failure') {
    const request = requestOf(index.exchanges.get(entry.exchange), entry.attempt)
    return request === undefined ? undefined : curlLine(request, baseUrl, profile)
  }
  if (!('channel' in entry)) return undefined
  const channel = index.channels.get(entry.channel)
  return channel === undefined ? undefined : channelLine(channel.open.entry, lastSent(index, channel, line), profile)
}

function requestOf(record: ExchangeRecord | undefined, attempt: number): RequestEntry | undefined {
  return record?.attempts[attempt - 1]?.request.entry
}

/** The frame at this line if we sent it, else the last that we sent before. */
function lastSent(index: TraceIndex, channel: ChannelRecord, line: number): FrameSentEntry | undefined {
  const frame = channel.frames.findLast((one) => one.direction === 'sent' && one.line <= line)
  const entry = frame === undefined ? undefined : index.entries[frame.line - 1]
  return entry?.kind === 'frame-sent' ? entry : undefined
}

/** A `curl` command for one request; keys and gate headers are names of environment variables. */
function curlLine(request: RequestEntry, baseUrl: string, profile: Json): string {
  const words = ['curl', '-sS', '-i']
  if (request.method !== 'GET') words.push('-X', shellWord(request.method))
  words.push(shellWord(address(baseUrl, request.path)), ...access(profile), ...headers(request, profile))
  return [...words, ...payload(request)].join(' ')
}

function payload(request: RequestEntry): readonly string[] {
  const form = at(request.body, '/multipart')
  if (Array.isArray(form)) return form.flatMap((part: Json) => ['-F', shellWord(formPart(part))])
  const body = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
  return body === undefined ? [] : ['--data-raw', body.length > longest ? '"$BODY"' : shellWord(body)]
}

/** The trace holds a file's size and digest, not its bytes. */
function formPart(part: Json): string {
  const text = (field: string): string | undefined => {
    const value = at(part, `/${field}`)
    return typeof value === 'string' ? value : undefined
  }
  const type = text('content_type')
  return `${text('name') ?? 'file'}=@${text('filename') ?? 'FILE'}${type === undefined ? '' : `;type=${type}`}`
}

/** A `wscat` command for one control connection and, where one was sent, its event. */
function channelLine(open: ChannelOpenEntry, sent: FrameSentEntry | undefined, profile: Json): string {
  const words = ['wscat', '-c', channelWord(open)]
  const ca = at(profile, '/ca_file')
  if (typeof ca === 'string') words.push('--ca', shellWord(ca))
  if (open.credential === 'header') words.push('-H', withVariable('Authorization: Bearer ', undefined, sessionSecret))
  const event = sent?.text ?? (sent?.data === undefined ? undefined : JSON.stringify(sent.data))
  if (event !== undefined) words.push('-w', '5', '-x', event.length > longest ? '"$EVENT"' : shellWord(event))
  return words.join(' ')
}

/** The URL, with a variable in the place of the token that the trace does not hold. */
function channelWord(open: ChannelOpenEntry): string {
  const token = /^(.*[?&]token=)[^&#]*(.*)$/s.exec(open.url)
  return token === null ? shellWord(open.url) : withVariable(token[1] ?? '', undefined, sessionSecret, token[2])
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
    .flatMap(([name, value]) => ['-H', shellWord(`${name}: ${value}`)])
  const fromProfile = Object.entries(gate).flatMap(([name, variable]) => [
    '-H',
    withVariable(`${name}: `, variable, 'VALUE'),
  ])
  return [...authorization(request, profile), ...own, ...fromProfile]
}

function authorization(request: RequestEntry, profile: Json): readonly string[] {
  if (request.key === 'none') return []
  const literal = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  if (request.key === 'malformed') return literal === undefined ? [] : ['-H', shellWord(`Authorization: ${literal}`)]
  return ['-H', withVariable('Authorization: Bearer ', at(profile, `/keys/${request.key}`), 'API_KEY')]
}
