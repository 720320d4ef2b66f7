import type { Channel } from '#client/types'
import type { Entry, FrameReceivedEntry } from '#trace/entry'
import type { InVain } from './in-vain.ts'
import { at, type Json, textAt } from '#trace/json'
import { equal } from '#trace/match'

/** What was recorded. */
export interface Recording {
  /** Id of the run. */
  readonly run: string
  readonly requirement: string
  readonly steps: readonly Entry[]
  /** Those that broke the requirement. */
  readonly evidence: ReadonlySet<Entry>
}

export interface PlayTools {
  /** Part of all ids of this sending, as long as the id of a run. */
  readonly ids: string
  /** Folder of uploaded files, by their sha256. */
  readonly uploads: string
  readonly vain: InVain
}

/** Exchanges that broke the requirement. */
export function exchangesInQuestion({ evidence }: Recording): ReadonlySet<number> {
  return new Set([...evidence].flatMap((entry) => ('exchange' in entry ? [entry.exchange] : [])))
}

/** Whether a world session offers something else than it did then, where both say what. */
export function offersOtherwise(recorded: Json, now: Json | undefined): boolean {
  const [offered, offers] = [at(recorded, '/data/capabilities'), at(now, '/data/capabilities')]
  return offered !== undefined && offers !== undefined && !equal(offered, offers)
}

/** Whether a connection was to be refused. */
export function expectsRefusal(steps: readonly Entry[], channel: number): boolean {
  return steps.some(
    (one) => one.kind === 'claim' && one.condition.is === 'refused' && one.condition.channel === channel,
  )
}

/** Whether nobody said why a connection never opened. */
export function isUnanswered({ state, status, unopened }: Channel): boolean {
  return state === 'refused' && status === undefined && unopened === undefined
}

/** By type, what asks for an event: exactly one event answers it, without naming it, and one of a kind is outstanding at a time. */
const asksFor: { readonly [type: string]: string } = {
  'conversation.item.created': 'conversation.item.create',
  'response.created': 'response.create',
}

/**
 * Whether an event answers what was sent last on its channel: nothing else that such an event answers had been left without
 * an answer by then, and none answers it a second time.
 */
export function answersLastSent(steps: readonly Entry[], event: FrameReceivedEntry): boolean {
  const type = textAt(event.data, '/type') ?? ''
  const asks = asksFor[type]
  if (asks === undefined) return false
  const before = steps.slice(0, steps.indexOf(event)).filter((one) => 'frame' in one && one.channel === event.channel)
  const last = before.findLastIndex((one) => one.kind === 'frame-sent')
  if (!isOf(before[last], asks)) return false
  const asked = before.filter((one) => isOf(one, asks))
  const isAnswer = (one: Entry): boolean => isOf(one, type) && !isGenerated(one, asked)
  if (!isAnswer(event) || before.slice(last).some(isAnswer)) return false
  const earlier = before.slice(0, last)
  const done = earlier.filter((one) => isAnswer(one) || mayRefuse(one, asked))
  return asked.length - 1 <= done.length
}

function isOf(entry: Entry | undefined, type: string): boolean {
  return entry !== undefined && 'frame' in entry && textAt(entry.data, '/type') === type
}

/** Items of what a model says come with its response, and nobody asks for them; we may have told what one said, too. */
function isGenerated(entry: Entry, asked: readonly Entry[]): boolean {
  return speaksAssistant(entry) && !asked.some(speaksAssistant)
}

function speaksAssistant(entry: Entry): boolean {
  return 'frame' in entry && textAt(entry.data, '/item/role') === 'assistant'
}

/** Whether an event is an error about one of these, or about nothing that it names. */
function mayRefuse(entry: Entry, asked: readonly Entry[]): boolean {
  if (!isOf(entry, 'error') || !('frame' in entry)) return false
  const about = textAt(entry.data, '/error/event_id')
  return about === undefined || asked.some((one) => 'frame' in one && textAt(one.data, '/event_id') === about)
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
