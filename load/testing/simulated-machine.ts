import { readEnvelope, type RestAnswer, type Session } from '../core/envelope.ts'
import type { Key } from '../core/keys.ts'
import { seeded } from '../core/random.ts'
import { newBudget } from '../core/retry.ts'
import type { Measures } from '../core/tally.ts'
import { tallyFor } from '../core/common-measures.ts'
import type { Connection, Listener, Machine, RestRequest } from '../scenarios/machine.ts'
import type { Workload } from '../workloads.ts'
import type { ServiceReply } from './service/replies.ts'
import type { SimulatedService } from './service/service.ts'
import type { SimulatedTime } from './simulated-time.ts'

export interface MachineOptions<Count extends string, Time extends string> {
  readonly service: SimulatedService
  readonly time: SimulatedTime
  readonly measures: Measures<Count, Time>
  readonly workload: Workload
  /** The first is the iteration's own. */
  readonly keys: readonly [Key, ...Key[]]
  readonly seed: number
  /** How long a request waits in a busy generator; what is given up meanwhile is never sent. */
  readonly busyMs?: number | undefined
  /** How long it takes until an answer that came is heard. */
  readonly heardAfterMs?: number | undefined
}

/** A machine whose requests reach a simulated service on simulated time. Nothing is said on its control channels. */
export function simulatedMachine<Count extends string, Time extends string>(
  options: MachineOptions<Count, Time>,
): Machine<Count, Time> {
  const { service, time, measures, workload, keys, seed, busyMs = 0, heardAfterMs = 0 } = options
  return {
    name: `simulated-${seed}`,
    run: 'simulated',
    workload,
    key: keys[0],
    keys,
    tally: tallyFor(measures, { serverEvents: [], errorCodes: [] }),
    retries: newBudget(),
    intended: time.now(),
    now: time.now,
    later: time.later,
    wait: time.wait,
    random: seeded(`machine ${seed}`),
    request: async (request) => {
      const answer = await ask(service, time, request, { own: keys[0].name, patience_ms: workload.patience_ms, busyMs })
      if (heardAfterMs > 0) await time.wait(heardAfterMs)
      return answer
    },
    connect: (session, listener) => connected(service, time, session, listener),
    explainRefusal: async () => undefined,
    flush: () => undefined,
  }
}

function connected(
  service: SimulatedService,
  time: SimulatedTime,
  { id, secret }: Session,
  heard: Listener,
): Connection {
  const use = service.connect(id, secret)
  const end = (opened: boolean): void => heard.closed({ at: time.now(), opened, code: undefined })
  time.later(1, () => (use === undefined ? end(false) : heard.opened(time.now())))
  return {
    send: () => {
      if (use !== undefined) use.responses += 1
      return time.now()
    },
    close: () => {
      if (use === undefined) return
      Object.assign(use, { connected: use.connected - 1, hungUp: use.hungUp + 1 })
      time.later(1, () => end(true))
    },
  }
}

async function ask(
  service: SimulatedService,
  time: SimulatedTime,
  { method, path, body, key, timeout_ms }: RestRequest,
  { own, patience_ms, busyMs }: { own: string; patience_ms: number; busyMs: number },
): Promise<RestAnswer> {
  const sentAt = time.now()
  const json = body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as { [field: string]: unknown })
  let gone = false
  const send = (): Promise<ServiceReply | undefined> =>
    service.handle({ key: key ?? own, method, path, body: json, abandoned: () => gone })
  const reply = busyMs === 0 ? send() : time.wait(busyMs).then(() => (gone ? undefined : send()))
  const { promise: late, resolve: giveUp } = Promise.withResolvers<undefined>()
  const stopWaiting = time.later(timeout_ms ?? patience_ms, () => giveUp(undefined))
  const received = await Promise.race([reply, late])
  // What nobody waits for any more would be a step of simulated time for each request.
  stopWaiting()
  gone = true
  const answeredAt = time.now()
  const moments = { sentAt, answeredAt, ms: answeredAt - sentAt }
  if (received === undefined) return { ...readEnvelope(0, ''), retryAfter: undefined, date: undefined, ...moments }
  const { status, retryAfter, date } = received
  return { ...readEnvelope(status, received.body), retryAfter, date, ...moments }
}
