import { readBaseAddress } from '#client/base-address'
import { mayLeadTo } from '#client/channel/control-host'
import type { AnyContext, OpenSession } from '#scenario/author/context'
import { at } from '#trace/json'

/** Where control channels are. */
export interface ControlSeen {
  /** Host and port of `control.url`; undefined where a session has none. */
  readonly host: string | undefined
  /** Whether the secret may go there: the profile would have to name it otherwise. */
  readonly foreign: boolean
  readonly opened: boolean
  /** What is to be said of it, where it was not opened. */
  readonly why: string
}

/** Opens the control channel of a session once, and closes it again. */
export async function seeControl(
  context: Pick<AnyContext, 'profile' | 'open'>,
  session: OpenSession,
): Promise<ControlSeen> {
  const { base_url, allow_insecure_loopback = false, control_hosts = [] } = context.profile
  const text = at(session.data, '/control/url')
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (url === null) return { host: undefined, foreign: false, opened: false, why: 'the session has no control.url' }
  const { host } = url
  const why = mayLeadTo(url, readBaseAddress(base_url, allow_insecure_loopback), control_hosts)
  if (why !== undefined) return { host, foreign: true, opened: false, why }
  const channel = await context.open(session)
  const opened = channel.state === 'open'
  await channel.close()
  return {
    host,
    foreign: false,
    opened,
    why: opened ? '' : `it was not opened (${channel.trouble ?? `HTTP ${channel.status}`})`,
  }
}
