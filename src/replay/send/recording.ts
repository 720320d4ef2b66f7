import type { Channel } from '#client/types'
import type { Entry } from '#trace/entry'
import { at, type Json } from '#trace/json'

/** What was recorded. */
export interface Recording {
  /** Id of the run. */
  readonly run: string
  readonly requirement: string
  readonly steps: readonly Entry[]
  /** Those that broke the requirement. */
  readonly evidence: ReadonlySet<Entry>
}

/** Exchanges that broke the requirement. */
export function exchangesInQuestion({ evidence }: Recording): ReadonlySet<number> {
  return new Set([...evidence].flatMap((entry) => ('exchange' in entry ? [entry.exchange] : [])))
}

/** What is still on its way is heard before the channel is closed. */
export async function hearOut(channel: Channel): Promise<void> {
  for (let round = 0, heard = -1; round < mostRounds && heard < channel.frames.length; round += 1) {
    heard = channel.frames.length
    if (channel.state === 'open') await channel.watch(quietMs)
  }
}

const quietMs = 300
const mostRounds = 20

export function isUnderWay(body: Json | undefined): boolean {
  const status = at(body, '/data/status')
  return status === 'closing' || status === 'provisioning'
}

/** Milliseconds between two looks at what is under way. */
export const pollMs = 250
/** The close code of a connection that ended without a word. */
export const brokenOff = 1006
/** Milliseconds within which a wait ends after what it waited for. */
export const atOnce = 30
