import type { ScopedClient } from '#client/client'
import type { Usage } from '#client/pace/pace'
import type { Channel, Exchange, RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import { type Json, isObject } from '#trace/json'

/** A service behind a fake client: sessions with a cap, keyed creates, and whatever a test puts in the way. */
export interface FakeService {
  readonly calls: { readonly scenario: string | undefined; readonly operation: OperationId; readonly call: RestCall }[]
  readonly claims: string[]
  readonly waits: number[]
  /** Ids of open sessions and characters. */
  readonly open: Set<string>
  /** The most sessions that were ever open at once. */
  most: number
  cap: number
  /** Answers instead of the service where it gives something. */
  intercept: (operation: OperationId, call: RestCall) => Partial<Exchange> | undefined
  scope(scenario?: string): ScopedClient
  usage(key: KeyName): Usage
  lasts(): boolean
  rarelyReplies(): boolean
}

export function fakeService(cap = Infinity): FakeService {
  const keyed = new Map<string, string>()
  let number = 0
  const service: FakeService = {
    calls: [],
    claims: [],
    waits: [],
    open: new Set(),
    most: 0,
    cap,
    intercept: () => undefined,
    usage: (key) => {
      const sent = service.calls.filter(({ call }) => (call.key ?? 'primary') === key).length
      return { sent, silent_ms: sent > 0 ? 0 : Infinity, limited: 0, clear: sent, strayed: false }
    },
    lasts: () => false,
    rarelyReplies: () => false,
    scope: (scenario) => ({
      exchange: () => (number += 1),
      channelNumber: () => (number += 1),
      mark: () => (number += 1),
      claim: ({ requirement }) => service.claims.push(requirement),
      raw: () => Promise.reject(new Error('the fake service knows the interface only')),
      rest: async (operation, call = {}) => {
        service.calls.push({ scenario, operation, call })
        await new Promise((resolve) => setImmediate(resolve))
        const exchange = call.exchange ?? (number += 1)
        return { ...replyTo(service, keyed, operation, call), exchange }
      },
      connect: async () => fakeChannel((number += 1)),
      wait: async (ms) => {
        service.waits.push(ms)
        await new Promise((resolve) => setTimeout(resolve, Math.min(ms, 2)))
      },
    }),
  }
  return service
}

/** An answer in an envelope. */
export function envelope(code: number, data: Json = {}, status = code === 0 ? 200 : 400): Exchange {
  const message = code === 0 ? 'ok' : `code ${code}`
  return {
    exchange: 0,
    status,
    headers: {},
    body: { code, message, data },
    code,
    message,
    data,
    ok: code === 0,
    failure: undefined,
  }
}

/** No answer. */
export function silence(failure: NonNullable<Exchange['failure']> = 'timeout'): Exchange {
  const none = { body: undefined, code: undefined, message: undefined, data: undefined }
  return { exchange: 0, status: 0, headers: {}, ...none, ok: false, failure }
}

function replyTo(service: FakeService, keyed: Map<string, string>, operation: OperationId, call: RestCall): Exchange {
  const planned = service.intercept(operation, call)
  if (planned !== undefined) return { ...silence(), failure: undefined, ...planned }
  if (operation.startsWith('create-')) return create(service, keyed, operation, call)
  const id = Object.values(call.params ?? {})[0] ?? ''
  if (operation.startsWith('close-') || operation.startsWith('delete-')) {
    return service.open.delete(id) ? envelope(0, { session_id: id, status: 'closing' }) : envelope(20005)
  }
  return envelope(0, { status: service.open.has(id) ? 'active' : 'closed' })
}

function create(service: FakeService, keyed: Map<string, string>, operation: OperationId, call: RestCall): Exchange {
  const key = isObject(call.body) ? JSON.stringify(call.body['idempotency_key']) : ''
  const known = keyed.get(key)
  if (known === undefined && service.open.size >= service.cap) return envelope(30006, {}, 429)
  const id = known ?? `made-${service.calls.length}`
  keyed.set(key, id)
  service.open.add(id)
  service.most = Math.max(service.most, service.open.size)
  if (operation === 'create-character') return envelope(0, { character_id: id })
  return envelope(0, { session_id: id, control: { url: `wss://target.example/?session_id=${id}`, client_secret: 's' } })
}

function unused(): never {
  throw new Error('the fake channel carries nothing')
}

function fakeChannel(channel: number): Channel {
  return {
    channel,
    session: '',
    state: 'open',
    status: undefined,
    frames: [],
    sent: 0,
    nameless: 0,
    gave_up: false,
    nextFrame: unused,
    ping: unused,
    send: unused,
    sendText: unused,
    sendBinary: unused,
    next: unused,
    watch: unused,
    close: () => Promise.resolve(),
    drop: () => Promise.resolve(),
  }
}
