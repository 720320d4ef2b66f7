import type { Operand } from '#trace/claim'
import { at, below, isObject, type Json, type JsonObject } from '#trace/json'
import { equal } from '#trace/match'
import { answerOf, finalAttempt } from '../answers.ts'
import type { Answer } from '../answer.ts'
import { stateBySecret } from './admission.ts'
import { findEvent } from './points.ts'
import { stateIn } from '../sessions/session-end.ts'
import { sessionIn } from '../sessions/session-in.ts'
import type { Attempt, TraceIndex } from '../trace-index.ts'
import type { ReasonCode } from '#trace/entry'
import { show } from '../show.ts'

/** What an operand stands for in this run. */
export type Resolved =
  | { readonly found: 'value'; readonly value: Json; readonly lines: readonly number[] }
  | { readonly found: 'absent'; readonly lines: readonly number[] }
  | { readonly found: 'several'; readonly values: readonly Json[]; readonly lines: readonly number[] }
  | { readonly found: 'nothing'; readonly code: ReasonCode; readonly why: string; readonly lines: readonly number[] }

/** Looks an operand up. `one_of` and a path that ends in `/**` give several values. */
export function resolve(trace: TraceIndex, operand: Operand): Resolved {
  if ('value' in operand) return { found: 'value', value: operand.value, lines: [] }
  if ('one_of' in operand) return { found: 'several', values: operand.one_of, lines: [] }
  if ('absent' in operand) return { found: 'absent', lines: [] }
  if ('exchange' in operand) return ofExchange(trace, operand)
  if ('channel' in operand) return ofOpening(trace, operand.channel)
  if ('sent' in operand) {
    const frame = trace.frames.get(operand.sent)
    return frame === undefined
      ? nothing('prerequisite', 'the event was not sent')
      : pick(frame.data, operand.path, frame.line)
  }
  const frame = findEvent(trace, operand.event)
  return frame === undefined
    ? nothing('prerequisite', `no ${operand.event.match.type ?? 'matching event'} came`)
    : pick(frame.data, operand.path, frame.line)
}

function ofExchange(trace: TraceIndex, operand: Extract<Operand, { exchange: number }>): Resolved {
  const record = trace.exchanges.get(operand.exchange)
  const attempt = record === undefined ? undefined : finalAttempt(record)
  if (attempt === undefined) return nothing('prerequisite', 'the request was not sent')
  if (operand.part === 'request') return pick(attempt.request.entry.body, operand.path, attempt.request.line)
  const response = attempt.response
  if (response === undefined) return nothing('network', 'no response came')
  if (operand.part === 'status') return { found: 'value', value: response.entry.status, lines: [response.line] }
  if (operand.part === 'headers') return pick(response.entry.headers, operand.path, response.line)
  const answer = answerOf(record)
  if (answer.kind === 'transport-failure')
    return nothing('network', 'no answer of the target itself came', response.line)
  if (operand.part === 'state') return stateTold(attempt, answer, response.line)
  if (operand.path.startsWith('/data') && answer.kind !== 'success') {
    return nothing('prerequisite', `the request did not succeed (${described(answer)})`, response.line)
  }
  const found = pick(response.entry.body, operand.path, response.line)
  return operand.path === '/data/mime_type' ? withoutParameters(found) : found
}

/** Of a media type its name, in small letters: parameters, such as `; charset=binary`, and capitals make no other type of it. */
function withoutParameters(found: Resolved): Resolved {
  if (found.found !== 'value' || typeof found.value !== 'string') return found
  const [name = ''] = found.value.toLowerCase().split(';')
  return { ...found, value: name.trim() }
}

/** What Get says of the session that was asked for. Its payload is not shown (4.1), so that it may say nothing of it. */
function stateTold({ request }: Attempt, answer: Answer, line: number): Resolved {
  if (answer.kind === 'failure' && answer.code === 20005) return { found: 'value', value: 'not found', lines: [line] }
  if (answer.kind !== 'success')
    return nothing('prerequisite', `the request did not succeed (${described(answer)})`, line)
  const state = stateIn(answer.data, sessionIn(request.entry.path))
  if (state === undefined) return nothing('model_choice', 'Get shows no status of the session', line)
  return { found: 'value', value: state, lines: [line] }
}

/** What an opening with the session's own secret says of it: it is "valid until the session ends" (5.3). */
function ofOpening(trace: TraceIndex, number: number): Resolved {
  const channel = trace.channels.get(number)
  if (channel === undefined) return nothing('prerequisite', 'the channel was not opened')
  const state = stateBySecret(trace, channel)
  const line = (channel.refused ?? channel.opened ?? channel.open).line
  if (state === undefined) return nothing('network', 'the opening does not tell whether the session goes on', line)
  return { found: 'value', value: state, lines: [channel.open.line, line] }
}

function described(answer: { readonly kind: string; readonly code?: number }): string {
  return answer.code === undefined ? 'no envelope' : `code ${answer.code}`
}

function pick(from: Json | undefined, path: string, line: number): Resolved {
  if (path.endsWith('/**')) {
    return { found: 'several', values: below(at(from, path.slice(0, -3))), lines: [line] }
  }
  const value = at(from, path)
  return value === undefined ? { found: 'absent', lines: [line] } : { found: 'value', value, lines: [line] }
}

function nothing(code: ReasonCode, why: string, line?: number): Resolved {
  return { found: 'nothing', code, why, lines: line === undefined ? [] : [line] }
}

/** Names whose values a target may leave out or mask anywhere. */
const secretNames = new Set(['tts_api_key', 'llm_api_key', 'api_key', 'client_secret', 'token', 'user_sig'])
const none: ReadonlySet<string> = new Set()
const idNames = ['avatar_id', 'asset_id', 'source_image_id', 'name']

/**
 * Whether `left` carries everything that `right` has: more fields, filled-in values, addresses rewritten, and secrets left
 * out or masked are fine; list items are matched by their id where they have one, else by place.
 */
export function carries(left: Json | undefined, right: Json): boolean {
  if (isObject(right)) {
    if (Object.keys(right).length === 0) return left === undefined || isObject(left)
    if (!isObject(left)) return false
    const mayDiffer = isMoved(left, right) ? formatNames : none
    return Object.keys(right).every((name) => {
      const wanted = right[name] ?? null
      return carriesMember(left, name, wanted) || (mayDiffer.has(name) && isOfKind(left[name], wanted))
    })
  }
  if (Array.isArray(right)) return carriesList(left, right as readonly Json[])
  // An empty text is what clients write for none, and may come back as none.
  if (right === '' && (left === undefined || left === null)) return true
  return left !== undefined && equal(left, right)
}

/** Members that say where an image or an asset comes from: a service may fetch it, and show where it keeps it. */
const addressNames = new Set(['url', 'image_url'])

/** What was fetched may be kept in another format of its kind, and said to be so: an image, or audio. */
const formatNames = new Set(['media_type', 'mime_type'])

/** Texts that may be empty, and may not be missing (2.9). */
const requiredTexts = new Set(['output', 'text', 'arguments'])

/** Whether what is shown is kept elsewhere than what was sent. */
export function isMoved(shown: JsonObject, sent: JsonObject): boolean {
  return [...addressNames].some((name) => {
    const [here, there] = [shown[name], sent[name]]
    return isAddress(here) && isAddress(there) && withoutFragment(here ?? null) !== withoutFragment(there ?? null)
  })
}

export function withoutFragment(url: Json): Json {
  return typeof url === 'string' ? (url.split('#')[0] ?? url) : url
}

/** A format that comes in the place of another one: of the same kind (2.3, 2.4). */
export function isOfKind(shown: Json | undefined, sent: Json): boolean {
  const [kind] = typeof sent === 'string' ? sent.split('/') : []
  return typeof shown === 'string' && kind !== undefined && shown.startsWith(`${kind}/`)
}

export function isAddress(shown: Json | undefined): boolean {
  return typeof shown === 'string' && URL.canParse(shown)
}

function carriesMember(left: { readonly [name: string]: Json }, name: string, wanted: Json): boolean {
  const shown = Object.hasOwn(left, name) ? left[name] : undefined
  if (addressNames.has(name) && isAddress(wanted)) return isAddress(shown)
  if (wanted === '' && requiredTexts.has(name)) return shown === ''
  return secretNames.has(name) || carries(shown, wanted)
}

function carriesList(left: Json | undefined, right: readonly Json[]): boolean {
  if (right.length === 0) return left === undefined || (Array.isArray(left) && left.length === 0)
  if (!Array.isArray(left) || left.length !== right.length) return false
  const items = left as readonly Json[]
  return right.every((wanted, place) => carries(partner(items, wanted) ?? items[place], wanted))
}

function partner(items: readonly Json[], wanted: Json): Json | undefined {
  const name = idNames.find((one) => at(wanted, `/${one}`) !== undefined)
  return name === undefined ? undefined : items.find((item) => at(item, `/${name}`) === at(wanted, `/${name}`))
}

export function showResolved(resolved: Resolved): string {
  switch (resolved.found) {
    case 'value':
      return show(resolved.value)
    case 'absent':
      return 'nothing (absent)'
    case 'several':
      return `one of ${show(resolved.values)}`
    case 'nothing':
      return resolved.why
  }
}

/** Everything else than that. */
export function showOther(resolved: Resolved): string {
  return resolved.found === 'absent' ? 'a value' : `anything but ${showResolved(resolved)}`
}
