import type { KeyName } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import type { Claim } from '#trace/claim'
import type { Walked, WaitEntry } from '#trace/entry'
import { connect } from './channel/connect.ts'
import { type Asker, assertGoing, type Core, createCore, record } from './core.ts'
import type { ClientOptions, ClientTraffic } from './options.ts'
import type { Usage } from './pace/pace.ts'
import { createRest, type Rest, waitRecorded } from './http/rest.ts'
import type { Channel, ConnectCall, Exchange, RestCall } from './types.ts'

/** The only thing that touches a socket. Whatever goes over the wire is in the trace, the request before it is sent. */
export interface Client {
  /**
   * @param scenario id that the entries bear; none for preflight, cleanup and the run itself
   * @param purpose `look` is cleanup that ends nothing: it may send what the run may send, and no more
   */
  scope(scenario?: string, purpose?: 'run' | 'look' | 'cleanup'): ScopedClient
  traffic(): ClientTraffic
  /** How much the key was used in the last `ms`, which are at most three minutes. */
  usage(key: KeyName, ms: number): Usage
  /** Whether trouble of this kind did not pass when it was waited for. */
  lasts(trouble: string): boolean
  /** Whether so many requests got no reply that another one without is no surprise. */
  rarelyReplies(): boolean
  /** Ends what is open. */
  close(): Promise<void>
}

/**
 * A client in the name of one scenario. All methods throw TraceWriteError when the trace cannot be written, and RunAborted
 * after an abort, unless they serve cleanup.
 */
export interface ScopedClient {
  /** Reserves the number of an exchange. */
  exchange(): number
  /** Reserves the number of a channel. */
  channelNumber(): number
  mark(label: string, walk?: Walked): number
  /** Writes a claim and returns its number. */
  claim(claim: Omit<Claim, 'claim'>): number
  /** @throws BudgetSpent before anything is sent */
  rest(operation: OperationId, call?: RestCall): Promise<Exchange>
  /** A request outside the interface; `path` begins with a slash and follows the base address. */
  raw(method: string, path: string, call?: RestCall): Promise<Exchange>
  connect(call: ConnectCall): Promise<Channel>
  wait(ms: number, why: WaitEntry['why']): Promise<void>
}

/** @throws UnsafeTarget when the base address may not be used */
export function createClient(options: ClientOptions): Client {
  const core = createCore(options)
  const rest = createRest(core)
  const cut = () => {
    for (const one of core.open) one.cut()
  }
  options.signal.addEventListener('abort', cut, { once: true })
  return {
    scope: (scenario, purpose = 'run') =>
      scoped(core, rest, { scenario, cleanup: purpose !== 'run', bounded: purpose === 'look' }),
    traffic: () => core.traffic.total(),
    usage: (key, ms) => core.pace.usage(key, ms),
    lasts: (trouble) => core.transportFailures.lasts(trouble),
    rarelyReplies: () => core.replies.scarce(),
    close: async () => {
      options.signal.removeEventListener('abort', cut)
      await Promise.all([...core.open].map((one) => one.close()))
      await core.sockets.agent.destroy()
    },
  }
}

function scoped(core: Core, rest: Rest, asker: Asker): ScopedClient {
  return {
    exchange: () => core.numbers.next('exchange'),
    channelNumber: () => core.numbers.next('channel'),
    mark: (label, walk) => {
      const mark = core.numbers.next('mark')
      record(core, asker, { kind: 'mark', mark, label, ...(walk === undefined ? {} : { walk }) })
      return mark
    },
    claim: (wanted) => {
      const claim = core.numbers.next('claim')
      record(core, asker, { kind: 'claim', claim, ...wanted })
      return claim
    },
    rest: (operation, call = {}) => rest.call(asker, operation, call),
    raw: (method, path, call = {}) => rest.raw(asker, method, path, call),
    connect: (call) => connect(core, asker, call),
    wait: async (ms, why) => {
      assertGoing(core, asker)
      await waitRecorded(core, asker, ms, why)
    },
  }
}
