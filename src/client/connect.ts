import { RecordedChannel } from './channel.ts'
import { controlUrl, withToken } from './control-url.ts'
import { type Asker, assertGoing, type Core, record, signalFor } from './core.ts'
import { classify } from './failure.ts'
import { handshake, type Handshake, openSocket } from './handshake.ts'
import type { Channel, ConnectCall } from './types.ts'

type Refusal = Extract<Handshake, { opened: false }>

const longestUrl = 10_000

/**
 * Opens a control connection and records it.
 *
 * @throws RunAborted, TraceWriteError; a refusal is a channel in state `refused`
 */
export async function connect(core: Core, asker: Asker, call: ConnectCall): Promise<Channel> {
  assertGoing(core, asker)
  const channel = call.channel ?? core.numbers.next('channel')
  const { session, credential, api_key } = call
  const { redactor, keys } = core.options
  if (call.secret !== undefined) redactor.learn('client_secret', call.secret)
  const secret = api_key === undefined ? call.secret : keys[api_key]
  const token = credential === 'query' ? secret : undefined
  const url = redactor.text(withToken(call.url, token)).slice(0, longestUrl)
  record(core, asker, { kind: 'channel-open', channel, session, url, credential })

  const control = controlUrl(call.url, token, core.base, core.options.control_hosts)
  if (!control.safe) {
    const message = `The control URL is not opened: ${control.why}`
    return refuse(core, asker, channel, session, { opened: false, reason: 'unsafe-url', message })
  }
  const bearer = credential === 'header' && secret !== undefined ? { authorization: `Bearer ${secret}` } : {}
  return upgrade(core, asker, channel, session, control, { ...core.headers, ...bearer })
}

async function upgrade(
  core: Core,
  asker: Asker,
  channel: number,
  session: string,
  control: { readonly url: string; readonly path: string },
  headers: { readonly [name: string]: string },
): Promise<Channel> {
  let open: RecordedChannel | undefined
  let result: Handshake
  try {
    const socket = openSocket(core, control.url, control.path, headers)
    result = await handshake(socket, core.options.timeouts.reply_ms, signalFor(core, asker), () => {
      open = new RecordedChannel(core, asker, socket, channel, session)
    })
  } catch (error) {
    result = { opened: false, ...classify(error) }
  }
  if (open !== undefined) return open
  return refuse(core, asker, channel, session, result.opened ? noAnswer : result)
}

const noAnswer: Refusal = { opened: false, reason: 'protocol', message: 'The upgrade ended without an answer' }

function refuse(core: Core, asker: Asker, channel: number, session: string, refusal: Refusal): Channel {
  const { status, reason, message } = refusal
  record(core, asker, {
    kind: 'channel-refused',
    channel,
    ...(status === undefined ? {} : { status }),
    reason,
    message,
  })
  return refusedChannel(core, channel, session, status)
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
