import type { Frame } from '#client/types'
import type { Condition, Pattern } from '#trace/claim'
import { absent, all, any, different, equals, event, inEvent, value } from '#trace/conditions'
import { at as pick, type JsonObject, textAt } from '#trace/json'
import { matches } from '#trace/match'
import { prose, speech } from '../bodies.ts'
import { ownItem } from '../items/items.ts'
import { type Asked, completed, finish, outlast, quiet, start, type Started, whole } from './responses.ts'
import type { Talk } from '../talk.ts'

/** How long a response is to keep a session busy beside the grace, in milliseconds. */
const wantedMs = 400

/** Bounds of {@link BusySession.graceMs}. */
const leastGraceMs = 250
const mostGraceMs = 2_500

/** A start that took longer, in milliseconds, may have been the first of its kind; another one is timed. */
const cold_ms = 50

/** Characters of a speech that keeps a session busy. */
const shortest = 120
const longestText = 9_600

/** Events that a response may bring; a connection is given up when far too many come. */
const mostFrames = 1_500

/** So many responses that began promptly say that a target does. */
const sure = 2

/** How often a target that is done too soon gets another text. */
const mostRounds = 3

const delta = event('response.output_text.delta')

/** What was measured of a session in which responses meet. */
export interface BusySession {
  /** An item of the conversation; its retrieval shows that what was sent before it was read. */
  readonly known: string
  /**
   * A response that goes on for so long after a later event was confirmed was active when the request before that event
   * was handled, in milliseconds: a request may be handled more slowly than others.
   */
  graceMs: number
  /** Characters of a text that keeps the session busy, and the most that it may have. */
  length: number
  longest: number
  /** The last response that was to keep it busy. */
  last?: Speaking
  /** How long the last ones took to begin, in milliseconds, latest last. */
  delays: readonly number[]
}

/** A response that is in the midst of a text of its own. */
export interface Speaking extends Started {
  readonly words: string
  /** What its events show as `response_id`. */
  readonly responseId: string | undefined
  readonly itemId: string | undefined
  /** What is taken for its end is it: where that has no id, nothing else had started before it. */
  readonly endIsOwn: Condition
  /** Its whole text does not come. */
  readonly short: Condition
  /** Its whole text comes, and it says so in the end. */
  readonly unharmed: Condition
}

/**
 * Finds out how fast this target starts and speaks; whatever opening it plays is over then.
 *
 * @param characters of the speech that is timed
 */
export async function timeSession(talk: Talk, characters = 240): Promise<BusySession> {
  const known = await ownItem(talk)
  const first = await timeSpeech(talk, characters)
  const { words, begun, delay, ms } = first.delay > cold_ms ? await timeSpeech(talk, characters) : first
  const graceMs = graceOf(delay)
  const longest = longestOf(talk, begun.start, words)
  return { known, graceMs, longest, length: lasting(wantedMs + 2 * graceMs, words, ms, longest), delays: [delay] }
}

function graceOf(delay: number): number {
  return Math.round(Math.min(mostGraceMs, leastGraceMs + 2 * delay))
}

interface Timed {
  readonly words: string
  readonly begun: Started
  /** Until it began, and from there to its end, in milliseconds. */
  readonly delay: number
  readonly ms: number
}

async function timeSpeech(talk: Talk, characters: number): Promise<Timed> {
  const words = story(talk, characters)
  const sent = performance.now()
  const first = await start(talk, speech(words))
  const delay = performance.now() - sent
  const { begun, end } = await finishWhole(talk, first)
  await quiet(talk)
  return { words, begun, delay, ms: begun.start === undefined || end === undefined ? wantedMs : end.t - begun.start.t }
}

/** A spoken opening may have been about to begin: it is interrupted, and what was asked for comes next. */
async function finishWhole(talk: Talk, begun: Started): Promise<{ begun: Started; end: Frame | undefined }> {
  const { end } = await finish(talk, begun)
  if (end === undefined || pick(end.data, '/response/status') === 'completed') return { begun, end }
  const next = await talk.channel.next(event('response.created'), { after: end.frame, within_ms: talk.patience })
  if (next === undefined) return { begun, end }
  const asked = { ...begun, start: next }
  return { begun: asked, end: (await finish(talk, asked)).end }
}

/** Shorter where the target sends an event for every word or character. */
function longestOf({ channel }: Talk, begun: Frame | undefined, { length }: string): number {
  const frames = channel.frames.filter(({ frame }) => frame >= (begun?.frame ?? 0)).length
  return Math.max(shortest, Math.min(longestText, Math.round((length * mostFrames) / Math.max(1, frames))))
}

/** Characters that last so long where these words took so many milliseconds. */
function lasting(wanted: number, words: string, ms: number, longest: number): number {
  return Math.round(Math.min(longest, Math.max(shortest, (words.length * wanted) / Math.max(1, ms))))
}

/** A text that nobody else speaks. */
export function story({ context }: Talk, length: number): string {
  return `${context.id('story')}. ${prose(length)}`
}

/** Tries with a long text, and with longer ones where the target was done too soon. */
export async function tryAgain(
  talk: Talk,
  busy: BusySession,
  attempt: (length: number) => Promise<boolean>,
): Promise<void> {
  for (let round = 0; round < mostRounds; round += 1) {
    const { length } = busy
    const proven = await attempt(length)
    await quiet(talk)
    if (proven) return settle(talk, busy)
    adapt(talk, busy)
    if (busy.length === length) return
  }
}

/** Of a speech that is out of band: a response like any other, but that it is not written to the conversation. */
export const outOfBand = { conversation: 'none' }

/**
 * Tries something beside a long speech.
 *
 * @param attempt tells whether the speech was seen to go on meanwhile
 * @param extra what else the speech is asked for with
 */
export function besideSpeech(
  talk: Talk,
  busy: BusySession,
  attempt: (old: Speaking, length: number) => Promise<boolean>,
  extra: JsonObject = {},
): Promise<void> {
  return tryAgain(talk, busy, async (length) => {
    const old = await speakLong(talk, busy, length, extra)
    // A text that is too long for a service may be refused by an `error` that names nothing: a shorter one is tried.
    return old.start !== undefined && attempt(old, length)
  })
}

/** A target that was slow when it was timed, at the begin of a run, need not speak for so long once it is quicker. */
function settle(talk: Talk, busy: BusySession): void {
  const { last, delays, length, longest } = busy
  const [from, to] = last === undefined ? [] : [last.start?.t, endOf(talk, last)?.t]
  if (last === undefined || from === undefined || to === undefined || delays.length < sure) return
  busy.graceMs = Math.min(busy.graceMs, graceOf(Math.max(...delays)))
  busy.length = Math.min(length, lasting(wantedMs + 2 * busy.graceMs, last.words, to - from, longest))
}

/** The same session with speeches that go on for longer than this when a later event was confirmed, in milliseconds. */
export function lastingBeyond(busy: BusySession, graceMs: number): BusySession {
  const longer = (wantedMs + 2 * graceMs) / (wantedMs + 2 * busy.graceMs)
  return { ...busy, graceMs, length: Math.round(Math.min(busy.longest, busy.length * longer)) }
}

/** Under load a target may be slow at first; and it may not take a text that is too long. */
function adapt(talk: Talk, busy: BusySession): void {
  const { last, length, longest, graceMs } = busy
  const [from, to] = last === undefined ? [] : [last.start?.t, endOf(talk, last)?.t]
  if (last !== undefined && from === undefined) {
    busy.longest = Math.max(shortest, Math.round(Math.min(longest, length) / 2))
    busy.length = Math.max(shortest, Math.round(length / 4))
  }
  if (last === undefined || from === undefined || to === undefined) return
  busy.length = Math.max(length, lasting(2 * (wantedMs + 2 * graceMs), last.words, to - from, longest))
}

/** Starts a scripted speech in an idle session and hears it begin. */
export async function speakLong(
  talk: Talk,
  busy: BusySession,
  length: number,
  extra: JsonObject = {},
): Promise<Speaking> {
  const words = story(talk, length)
  const sent = performance.now()
  const started = await start(talk, speech(words, extra))
  busy.delays = [...busy.delays, performance.now() - sent].slice(-sure)
  busy.last = await listen(talk, started, words)
  return busy.last
}

/**
 * Hears a response begin to speak.
 *
 * @param heard an event of it that was heard already
 */
export async function listen(talk: Talk, started: Started, words: string, heard?: Frame): Promise<Speaking> {
  const begun = started.start
  const first = heard ?? (begun === undefined ? undefined : await talk.hear(delta, begun.frame))
  const responseId = textAt(first?.data, '/response_id') ?? textAt(begun?.data, '/response/id')
  const told = talk.event(eventOf('response.output_text.done', responseId), { event: started.created })
  const done = talk.event(doneOf(responseId), { event: started.created })
  return {
    ...started,
    words,
    done,
    responseId,
    itemId: textAt(first?.data, '/item_id'),
    endIsOwn: any(
      different(inEvent(done, '/response/id'), absent),
      talk.never(event('response.created'), { event: started.created }, { event: done }),
    ),
    short: talk.never(whole(words), started.at, { event: done }),
    unharmed: all(completed({ done }), equals(inEvent(told, '/text'), value(words))),
  }
}

/** An event of a response; of any where its id is not known. */
export function eventOf(type: string, responseId: string | undefined, where: Pattern['where'] = {}): Pattern {
  return event(type, responseId === undefined ? where : { '/response_id': responseId, ...where })
}

/** `response.done` of a response; its id is optional. */
export function doneOf(responseId: string | undefined): Pattern {
  const where = responseId === undefined ? {} : { '/response/id': { $in: [responseId], $absent: true } }
  return event('response.done', where)
}

/** Hears an active response to its end; what is not done by then would be cut by what follows. */
export async function finishOff(talk: Talk, old: Speaking): Promise<void> {
  const begun = old.start
  if (begun === undefined) return
  const end = await outlast(talk, old.done.match, begun.frame)
  if (end === undefined) talk.context.block('prerequisite', 'a response did not come to its end')
}

/** The end of a response, if it came. */
export function endOf({ channel }: Talk, { start: begun, responseId }: Speaking): Frame | undefined {
  const after = begun?.frame ?? Infinity
  return channel.frames.find(({ frame, data }) => frame > after && matches(data, doneOf(responseId)))
}

/** What shows that a request came to run: its `response.created`, where that names it, and its text. */
export function runOf({ id }: Pick<Asked, 'id'>, words: string): readonly Pattern[] {
  return [event('response.created', { '/request_event_id': id }), ...whole(words)]
}
