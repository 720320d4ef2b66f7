import type { Channel } from '#client/types'
import { at } from '#trace/json'
import type { JsonObject } from '#trace/json'
import { Blocked } from '../author/blocked.ts'
import type { OpenSession } from '../author/context.ts'

/** Where its control channel is, and what admits to it. */
export function controlOf({ data }: OpenSession): {
  readonly url: string | undefined
  readonly secret: string | undefined
} {
  return { url: textAt(data, '/control/url'), secret: textAt(data, '/control/client_secret') }
}

function textAt(data: JsonObject, pointer: string): string | undefined {
  const value = at(data, pointer)
  return typeof value === 'string' ? value : undefined
}

/** The channel, if it was admitted. @throws Blocked */
export function admitted(channel: Channel, session: OpenSession): Channel {
  if (channel.state === 'open') return channel
  const { url = '' } = controlOf(session)
  if (!/^wss?:\/\//i.test(url)) throw new Blocked('prerequisite', 'control.url is no WebSocket URL')
  if (channel.status === undefined) throw new Blocked('network', 'the control channel did not open')
  throw new Blocked('prerequisite', `the control channel was refused with HTTP ${channel.status}`)
}
