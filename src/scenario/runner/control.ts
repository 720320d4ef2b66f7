import type { ScopedClient } from '#client/client'
import type { Channel, ConnectCall } from '#client/types'
import { stringAt } from '#trace/json'
import { wrongLabel } from '#trace/stand-ins'
import { Blocked } from '../author/blocked.ts'
import type { OpenOptions, OpenSession } from '../author/context.ts'
import { waitOutLag } from '../author/wait-lag.ts'
import { wrongSecret } from './wrong-secret.ts'

/** Where its control channel is, and what admits to it. */
function controlOf({ data }: OpenSession): {
  readonly url: string | undefined
  readonly secret: string | undefined
} {
  return { url: stringAt(data, '/control/url'), secret: stringAt(data, '/control/client_secret') }
}

/** The connection to a session's control channel. @throws Blocked where nobody knows where that is */
function connectCallOf(session: OpenSession, options: OpenOptions): ConnectCall {
  const control = controlOf(session)
  const {
    url = control.url,
    secret = control.secret,
    credential = 'query',
    channel,
    api_key,
    expects_refusal,
  } = options
  if (url === undefined) throw new Blocked('prerequisite', 'the session has no control.url')
  const wrong = wrongSecret(control.secret, secret)
  return {
    url,
    session: session.id,
    credential,
    ...(channel === undefined ? {} : { channel }),
    ...(secret === undefined ? {} : { secret }),
    ...(wrong === undefined ? {} : { secret_name: wrongLabel(wrong) }),
    ...(api_key === undefined ? {} : { api_key }),
    ...(expects_refusal === undefined ? {} : { expects_refusal }),
  }
}

/** Whether the session's own secret opens it, at its own URL, while nobody expects a refusal. */
function isInvited({ url, secret, api_key, credential, expects_refusal }: OpenOptions): boolean {
  return [url, secret, api_key, expects_refusal].every((one) => one === undefined) && credential !== 'none'
}

/** Whether how a connection ended may tell that its session did: nobody expected it to be refused. */
export function mayTellOfEnd(channel: Channel, options: OpenOptions = {}): boolean {
  return channel.state === 'refused' ? isInvited(options) : options.expects_refusal !== true
}

/**
 * Opens a control connection. A service may take one at a time (5.3: "reconnecting with it in the same session is
 * allowed"), and learn a moment later that one has ended: what it refuses behind such an end is asked for once more, under
 * the same number.
 *
 * @param channels those that were opened before
 */
export async function connectTo(
  scope: Pick<ScopedClient, 'connect' | 'wait'>,
  session: OpenSession,
  options: OpenOptions,
  { channels, lag_ms }: { readonly channels: readonly Channel[]; readonly lag_ms: number },
): Promise<Channel> {
  const call = connectCallOf(session, options)
  const channel = await scope.connect(call)
  if (channel.state !== 'refused' || channel.status === undefined || !isInvited(options)) return channel
  const states = new Set(channels.filter((one) => one.session === session.id).map(({ state }) => state))
  if (!states.has('closed') || states.has('open')) return channel
  await waitOutLag(scope, lag_ms)
  return scope.connect({ ...call, channel: channel.channel })
}

/** The channel, if it was admitted. @throws Blocked */
export function admitted(channel: Channel, session: OpenSession): Channel {
  if (channel.state === 'open') return channel
  const { url = '' } = controlOf(session)
  if (!/^wss?:\/\//i.test(url)) throw new Blocked('prerequisite', 'control.url is no WebSocket URL')
  if (channel.unopened !== undefined) throw new Blocked('prerequisite', channel.unopened)
  if (channel.status === undefined) throw new Blocked('network', 'the control channel did not open')
  throw new Blocked('prerequisite', `the control channel was refused with HTTP ${channel.status}`)
}
