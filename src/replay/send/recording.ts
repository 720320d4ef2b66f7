import type { Channel } from '#client/types'
import type { Entry, FrameReceivedEntry } from '#trace/entry'
import { textAt } from '#trace/json'

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

/** What one event asks for and exactly one answers, without naming it: one of a kind is outstanding at a time. */
const answeredBy: { readonly [type: string]: string } = {
  'conversation.item.created': 'conversation.item.create',
  'response.created': 'response.create',
}

/**
 * Whether an event answers what was sent last on its channel: nothing else that such an event answers had been left without
 * an answer by then, and none answers it a second time.
 */
export function answersLastSent(steps: readonly Entry[], event: FrameReceivedEntry): boolean {
  const type = textAt(event.data, '/type') ?? ''
  const asks = answeredBy[type]
  if (asks === undefined) return false
  const before = steps.slice(0, steps.indexOf(event))
  const last = before.findLastIndex((one) => one.kind === 'frame-sent' && one.channel === event.channel)
  const sent = before[last]
  if (sent?.kind !== 'frame-sent' || textAt(sent.data, '/type') !== asks) return false
  const isOf = (one: Entry, wanted: string): boolean =>
    'frame' in one && one.channel === event.channel && textAt(one.data, '/type') === wanted
  if (before.slice(last).some((one) => isOf(one, type))) return false
  const earlier = before.slice(0, last)
  const asked = earlier.filter((one) => isOf(one, asks)).length
  const refused = earlier.filter((one) => isOf(one, 'error')).length
  return asked <= earlier.filter((one) => isOf(one, type)).length + refused
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

/** Milliseconds between two looks at what is under way. */
export const pollMs = 250
/** The close code of a connection that ended without a word. */
export const brokenOff = 1006
