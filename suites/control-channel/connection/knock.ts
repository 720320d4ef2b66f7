import { admissionMs } from '#judge/channel-conditions'
import type { AnyContext as Context, OpenOptions, OpenSession } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { admitted, refused } from '#trace/conditions'
import { at } from '#trace/json'
import type { Row } from '../rows.ts'
import { Talk } from '../talk.ts'

/** Opens a connection that must be admitted; whoever speaks on it then proves that it was. */
export async function enter(
  context: Context,
  session: OpenSession,
  rows: readonly Row[],
  options: OpenOptions = {},
): Promise<Talk> {
  const channel = context.channelNumber()
  for (const row of rows) context.claim(`control-channel.${row}`, admitted(channel))
  return new Talk(context, await context.open(session, { ...options, channel }))
}

export interface Knock {
  readonly rows: readonly Row[]
  readonly options: OpenOptions
}

/**
 * Opens a connection that must be refused: by a status, or by an accepted socket that is closed at once.
 *
 * @param twin number of a channel that was admitted without the fault
 */
export async function knock(
  context: Context,
  session: OpenSession,
  { rows, options }: Knock,
  twin: number,
  given: readonly Condition[] = [],
): Promise<void> {
  const number = context.channelNumber()
  for (const row of rows) {
    context.claim(`control-channel.${row}`, refused(number, twin), given.length === 0 ? {} : { given })
  }
  const channel = await context.open(session, { ...options, channel: number, expects_refusal: true })
  await channel.watch(admissionMs + 100)
  await channel.close()
}

export function secretOf({ data }: OpenSession): string {
  return textAt(data, '/control/client_secret')
}

export function urlOf({ data }: OpenSession): string {
  return textAt(data, '/control/url')
}

/** The secret with a character added, changed or taken away; padding of base64 stays in its place. */
export function nearMisses(secret: string): readonly string[] {
  const body = secret.replace(/=+$/, '')
  const padding = secret.slice(body.length)
  const middle = Math.floor(body.length / 2)
  const other = body[middle] === 'm' ? 'n' : 'm'
  return [
    `${body}x${padding}`,
    `${body.slice(0, middle)}${other}${body.slice(middle + 1)}${padding}`,
    `${body.slice(0, -1)}${padding}`,
  ]
}

function textAt(data: OpenSession['data'], pointer: string): string {
  const found = at(data, pointer)
  return typeof found === 'string' ? found : ''
}
