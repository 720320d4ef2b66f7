import { type OperationId, operations } from '#spec/tables'
import type { RequestEntry } from '#trace/entry'
import { isObject, type Json } from '#trace/json'
import { longestText } from '../bounds.ts'
import { writeForm } from './form.ts'
import { percentEncoded } from './percent.ts'
import type { RestCall } from '../types.ts'

/** A request, ready to be sent any number of times. */
export interface PreparedRequest {
  /** `null` for one outside the interface. */
  readonly operation: OperationId | null
  readonly method: string
  /** Path with query, after the base address. */
  readonly path: string
  /** Name of the key, `none` or `malformed`. */
  readonly key: string
  readonly headers: { readonly [name: string]: string }
  readonly payload: string | Uint8Array | undefined
  /** What the trace shows of the payload. */
  readonly shown: Pick<RequestEntry, 'body' | 'text'>
  /** A second send does no harm: reads, creates with an idempotency key, replacements, whatever ends something, uploads. */
  readonly repeatable: boolean
}

/** Headers that every request of the run carries, lower-case. */
export type CommonHeaders = { readonly [name: string]: string }

/** Path of a row of `schemas/operations.json` with its parameters and a query filled in. */
export function operationPath(operation: OperationId, call: RestCall): string {
  const path = operations[operation].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = call.params !== undefined && Object.hasOwn(call.params, name) ? call.params[name] : undefined
    if (value === undefined) throw new Error(`${operation} needs the parameter ${name}`)
    return percentEncoded(value)
  })
  return path + queryOf(call)
}

export function queryOf(call: RestCall): string {
  const pairs = Object.entries(call.query ?? {}).map(
    ([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`,
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/**
 * @param target operation (or null), method and path with query
 * @param word unique in the run, for boundaries of forms
 */
export function prepareRequest(
  target: Pick<PreparedRequest, 'operation' | 'method' | 'path'>,
  call: RestCall,
  common: CommonHeaders,
  authorization: string | undefined,
  word: string,
): PreparedRequest {
  const { type, payload, shown } = payloadOf(call, word)
  const contentType = call.content_type ?? type
  return {
    ...target,
    key: call.key ?? 'primary',
    headers: {
      ...common,
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    payload,
    shown,
    repeatable: isRepeatable(target, call),
  }
}

interface Payload {
  readonly type?: string
  readonly payload: PreparedRequest['payload']
  readonly shown: PreparedRequest['shown']
}

function payloadOf(call: RestCall, word: string): Payload {
  if (call.multipart !== undefined) {
    const form = writeForm(call.multipart, word)
    return { type: form.content_type, payload: form.bytes, shown: { body: form.shown } }
  }
  if (call.text !== undefined)
    return { type: 'application/json', payload: call.text, shown: { text: call.text.slice(0, 10 * longestText) } }
  if (call.body === undefined) return { payload: undefined, shown: {} }
  return { type: 'application/json', payload: JSON.stringify(call.body), shown: { body: call.body } }
}

/** A file more is shown nowhere (4.3), and a client secret more is what every call gives (4.5). */
const harmless = /\/(?:close|client-secrets|files\/audios)(?:\?|$)/

function isRepeatable(target: Pick<PreparedRequest, 'method' | 'path'>, call: RestCall): boolean {
  if (target.method !== 'POST') return true
  return harmless.test(target.path) || hasIdempotencyKey(call.body)
}

function hasIdempotencyKey(body: Json | undefined): boolean {
  if (!isObject(body) || !Object.hasOwn(body, 'idempotency_key')) return false
  return typeof body['idempotency_key'] === 'string' && body['idempotency_key'] !== ''
}
