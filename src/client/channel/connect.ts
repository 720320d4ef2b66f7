import { mayBeEdgesRefusal, mayLackRoute } from '#trace/edge'
import { RecordedChannel } from './channel.ts'
import { controlUrl, withToken } from './control-url.ts'
import { type Asker, assertGoing, type Core, record, signalFor } from '../core.ts'
import { classify } from '../failure.ts'
import { handshake, type Handshake, openSocket } from './handshake.ts'
import { briefly } from '../http/reply-time.ts'
import { waitRecorded } from '../http/rest.ts'
import type { Channel, ConnectCall } from '../types.ts'
import { longestTrouble, patientPauses } from '../transport-failures.ts'

type Refusal = Extract<Handshake, { opened: false }>

const longestUrl = 10_000

/**
 * Opens a control connection and records it. A refusal that may be an edge's is tried again under the same number, after
 * the pauses of requests.
 *
 * @throws RunAborted, TraceWriteError; a refusal is a channel in state `refused`
 */
export async function connect(core: Core, asker: Asker, call: ConnectCall): Promise<Channel> {
  assertGoing(core, asker)
  const channel = call.channel ?? core.numbers.next('channel')
  const began = core.clock.now()
  const met = new Set<string>()
  let unrouted = 0
  for (let attempt = 1; ; attempt += 1) {
    const result = await tryOnce(core, asker, call, channel)
    const trouble = result instanceof RecordedChannel ? undefined : troubleOf(result)
    if (trouble === undefined) for (const kind of met) core.transportFailures.passed(kind)
    if (result instanceof RecordedChannel) return result
    const waited = core.clock.now() - began
    if (mayLackRoute(result.status)) unrouted += 1
    const pause =
      trouble === undefined
        ? pauseWithoutRoute(core, call, mayLackRoute(result.status) ? unrouted : 0)
        : pausesFor(core, call, trouble)[attempt - 1]
    const ms = waited >= longestTrouble ? undefined : pause
    if (ms === undefined || signalFor(core, asker)?.aborted === true) {
      if (trouble !== undefined && met.size > 0) core.transportFailures.vain(kindOf(call, trouble), waited)
      const kind = trouble === undefined ? undefined : kindOf(call, trouble)
      const unopened = result.reason === 'unsafe-url' ? result.message : undefined
      return { ...refusedChannel(core, channel, call.session, result.status), trouble: kind, unopened }
    }
    if (trouble !== undefined) met.add(kindOf(call, trouble))
    await waitRecorded(core, asker, ms, 'backoff')
  }
}

/** How long to wait before an upgrade is asked for again for which an edge may have had no route, in milliseconds. */
const moment_ms = 1_000
const mostPausesWithoutRoute = patientPauses.slice(0, 3)

/** How often an upgrade that should be refused is asked for again. */
const mostWhereExpected = 2

function pausesFor(core: Core, call: ConnectCall, trouble: string): readonly number[] {
  const pauses = core.transportFailures.pauses(kindOf(call, trouble))
  return call.expects_refusal === true ? pauses.slice(0, mostWhereExpected) : pauses
}

/**
 * Who is invited, and told that there is no such thing, asks once more: an edge may have had no route for a moment; and for
 * longer while requests meet trouble, as nothing has a route then.
 *
 * @param times how often that was told
 */
function pauseWithoutRoute(core: Core, { expects_refusal }: ConnectCall, times: number): number | undefined {
  if (expects_refusal === true) return undefined
  const isMet = core.transportFailures.lately(core.clock.now())
  return (isMet ? mostPausesWithoutRoute : [moment_ms])[times - 1]
}

function kindOf({ credential, expects_refusal }: ConnectCall, trouble: string): string {
  return `upgrade ${credential} ${expects_refusal === true} ${trouble}`
}

const passing: ReadonlySet<string> = new Set(['timeout', 'refused', 'reset', 'dns'])

/** What seems to be wrong on the way; undefined where the target itself refused. */
function troubleOf({ status, reason, message }: Refusal): string | undefined {
  if (status !== undefined) return mayBeEdgesRefusal(status, message) ? `HTTP ${status}` : undefined
  return passing.has(reason) ? reason : undefined
}

async function tryOnce(
  core: Core,
  asker: Asker,
  call: ConnectCall,
  channel: number,
): Promise<RecordedChannel | Refusal> {
  assertGoing(core, asker)
  const { session, credential, api_key } = call
  const { redactor, keys } = core.options
  if (call.secret !== undefined) redactor.learn(call.secret_name ?? 'client_secret', call.secret)
  const secret = api_key === undefined ? call.secret : keys[api_key]
  const token = credential === 'query' ? secret : undefined
  const url = redactor.text(withToken(call.url, token)).slice(0, longestUrl)
  const shown = credential === 'header' && secret !== undefined ? { secret } : {}
  record(core, asker, { kind: 'channel-open', channel, session, url, credential, ...shown })

  const control = controlUrl(call.url, token, core.base, core.options.control_hosts)
  if (!control.safe) {
    const message = `The control URL is not opened: ${control.why}`
    return refuse(core, asker, channel, { opened: false, reason: 'unsafe-url', message })
  }
  const bearer = credential === 'header' && secret !== undefined ? { authorization: `Bearer ${secret}` } : {}
  const place = {
    channel,
    session,
    ...control,
    within_ms: patienceFor(core, call),
    unwelcome: call.expects_refusal === true,
  }
  return upgrade(core, asker, place, { ...core.headers, ...bearer })
}

/** Upgrades that were never answered for so long that it has proven to last are not waited for as long any more. */
function patienceFor(core: Core, call: ConnectCall): number {
  const { reply_ms } = core.options.timeouts
  return core.transportFailures.lasts(kindOf(call, 'timeout')) ? briefly(reply_ms) : reply_ms
}

interface Place {
  readonly channel: number
  readonly session: string
  readonly url: string
  readonly path: string
  /** Whether it is opened to be refused. */
  readonly unwelcome: boolean
  /** Milliseconds for the answer. */
  readonly within_ms: number
}

async function upgrade(
  core: Core,
  asker: Asker,
  { channel, session, url, path, within_ms, unwelcome }: Place,
  headers: { readonly [name: string]: string },
): Promise<RecordedChannel | Refusal> {
  let open: RecordedChannel | undefined
  let result: Handshake
  try {
    const socket = openSocket(core, url, path, headers)
    result = await handshake(socket, within_ms, signalFor(core, asker), () => {
      open = new RecordedChannel(core, asker, socket, { channel, session, unwelcome })
    })
  } catch (error) {
    result = { opened: false, ...classify(error) }
  }
  return open ?? refuse(core, asker, channel, result.opened ? noAnswer : result)
}

const noAnswer: Refusal = { opened: false, reason: 'protocol', message: 'The upgrade ended without an answer' }

function refuse(core: Core, asker: Asker, channel: number, refusal: Refusal): Refusal {
  const { status, reason, message } = refusal
  record(core, asker, {
    kind: 'channel-refused',
    channel,
    ...(status === undefined ? {} : { status }),
    reason,
    message,
  })
  return refusal
}

/** A channel that never opened: nothing is sent, and nothing comes. */
function refusedChannel(core: Core, channel: number, session: string, status: number | undefined): Channel {
  const unsent = (frame = core.numbers.next('frame')) => ({ frame })
  return {
    channel,
    session,
    state: 'refused',
    status,
    frames: [],
    sent: 0,
    nameless: 0,
    gave_up: false,
    ping: () => undefined,
    nextFrame: () => core.numbers.next('frame'),
    send: (_event, frame) => unsent(frame),
    sendText: (_text, frame) => unsent(frame),
    sendBinary: (_bytes, frame) => unsent(frame),
    next: async () => undefined,
    watch: async () => {},
    close: async () => {},
    drop: async () => {},
  }
}
