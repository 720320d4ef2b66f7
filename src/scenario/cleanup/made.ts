import type { Exchange } from '#client/types'
import { errorCodeNames, isMishap } from '#spec/tables'
import { at, isObject, type Json } from '#trace/json'
import { type Creation, idInUrl, idOf } from '../journal/creations.ts'

/**
 * What an answer to a create says was made: these things; nothing; something that it does not name (`unnamed`); perhaps
 * something, as the service failed over it or refused it in a way of its own (`unclear`). `lost`: there is no answer.
 */
export type Made = readonly string[] | 'nothing' | 'unnamed' | 'unclear' | 'lost'

/** Reads an answer to a create, however wrong its envelope is. Only for cleaning up: a scenario goes by what is valid. */
export function madeBy(creation: Creation, answer: Exchange): Made {
  const { failure, status, body } = answer
  if (failure !== undefined) return unsent.has(failure) ? 'nothing' : 'lost'
  const code = codeIn(body)
  if (code === undefined ? status < 300 : isSuccess(code)) {
    // Where the interface names it, it is that one: an envelope may speak of others beside it.
    const named = idOf(creation, answer)
    const ids = named === undefined ? idsIn(creation, body) : [named]
    return ids.length > 0 ? ids : 'unnamed'
  }
  if (code === undefined) return status >= 500 || status === 408 ? 'lost' : 'unclear'
  // A refusal may name what stands in its way, such as a session of somebody else: only what looks made is ours.
  const made = idsIn(creation, body, looksMade)
  if (made.length > 0) return made
  return isUnclear(status, code) ? 'unclear' : 'nothing'
}

/** Failures before anything reached the target. */
const unsent = new Set<Exchange['failure']>(['refused', 'dns', 'tls'])

/** A number, or digits in a string. */
function codeIn(body: Json | undefined): number | undefined {
  const code = at(body, '/code')
  if (typeof code === 'string' && /^-?\d+$/.test(code)) return Number(code)
  return typeof code === 'number' ? code : undefined
}

/** 0, or the success of HTTP in its place. */
function isSuccess(code: number): boolean {
  return code === 0 || (code >= 200 && code < 300)
}

/** A failure of the service, or a code that section 7 does not know in an answer that HTTP calls a success. */
function isUnclear(status: number, code: number): boolean {
  return isMishap({ status, code }) || (status < 300 && errorCodeNames(code).length === 0)
}

/** What only a thing that was made has beside its id: a credential, a state, or when it was made. */
const signs = ['control', 'client_secret', 'status', 'created_at', 'expires_at', 'avatars']

/** The status of an envelope is that of the request. */
function looksMade(holder: { readonly [name: string]: Json }): boolean {
  const isEnvelope = Object.hasOwn(holder, 'code')
  return signs.some((name) => Object.hasOwn(holder, name) && !(isEnvelope && name === 'status'))
}

/** What the caller sent may come back there, under any name. */
const callers = new Set(['metadata', 'conversation', 'avatars', 'assets', 'pipeline_config', 'references', 'tools'])

type Holder = { readonly [name: string]: Json }

/** Ids under the name that they have in the interface; failing that in a control URL; failing that under a bare `id`. */
function idsIn(creation: Creation, body: Json | undefined, fits: (holder: Holder) => boolean = () => true): string[] {
  const holders = holdersIn(body).filter(fits)
  const named = idsUnder(holders, nameOf(creation))
  if (named.length > 0) return named
  const inUrls = creation.resource === 'avatar-session' ? holders.flatMap(urlIds) : []
  return inUrls.length > 0 ? [...new Set(inUrls)] : idsUnder(holders, 'id').slice(0, 1)
}

/** Letters of the name that a path parameter has, so that `sessionId` is `session_id`. */
function nameOf({ id }: Creation): string {
  return plain(id.split('/').at(-1) ?? id)
}

function idsUnder(holders: readonly Holder[], name: string): string[] {
  const values = holders.flatMap((holder) =>
    Object.entries(holder).flatMap(([member, value]) => (plain(member) === name ? [value] : [])),
  )
  return [...new Set(values.flatMap(textOf))]
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

function textOf(value: Json): string[] {
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'string' && value !== '' ? [value] : []
}

function urlIds(holder: Holder): string[] {
  const urls = [at(holder, '/control/url'), holder['control_url'], holder['url'], holder['control']]
  return urls.flatMap((url) => idInUrl(url) ?? []).filter((id) => id !== '')
}

/** Every object in the answer that the service wrote, from the outside in. */
function holdersIn(body: Json | undefined): Holder[] {
  const found: Holder[] = []
  for (let level: readonly (Json | undefined)[] = [body]; level.length > 0; ) {
    const objects = level.filter((value) => isObject(value))
    found.push(...objects)
    const members = objects.flatMap((one) => Object.entries(one).filter(([name]) => !callers.has(name)))
    const items = level.flatMap((value) => (Array.isArray(value) ? (value as readonly Json[]) : []))
    level = [...members.map(([, value]) => value), ...items]
  }
  return found
}
