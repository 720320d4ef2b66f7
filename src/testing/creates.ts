import type { Report } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import type { Json, JsonObject } from '#trace/json'
import { textChat, videoAvatar } from '#scenario/author/bodies'
import { type Change, changed } from '../../suites/avatar-sessions/change.ts'
import { createRules } from '../../suites/avatar-sessions/created/rules.ts'
import { firstTextOptions, secondTextOptions } from '../../suites/avatar-sessions/create/text-options.ts'
import { asVideo, explicitOptions, galleryOptions } from '../../suites/avatar-sessions/create/video-options.ts'
import { createdSession } from './created-session.ts'
import { TraceBuilder } from './trace-builder.ts'

const profile = {
  base_url: 'https://target.example',
  keys: {},
  media: { image_url: 'https://media.example/face.png', audio_url: 'https://media.example/speech.wav' },
}
const changes = (list: readonly { readonly change: Change }[]) => list.map(({ change }) => change)
const text = textChat()
const video = videoAvatar(profile)

/** Bodies that hold, between them, all that a create may carry. */
export const bodies = {
  text,
  rich: changed(text, ...changes(firstTextOptions(profile))),
  other: changed(text, ...changes(secondTextOptions(profile))),
  off: changed(text, {
    set: { '/auto_close': { disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 } },
  }),
  video,
  gallery: changed(video, ...changes(galleryOptions(profile))),
  explicit: changed(video, asVideo, ...changes(explicitOptions(profile))),
  overB: changed(video, { set: { '/delivery/media/transport': 'rtc_b' } }),
}

/** What the rules on creates say of a trace, without the part's name. */
export interface Said {
  readonly held: ReadonlySet<string>
  readonly broken: ReadonlySet<string>
  /** `<row> <reason code>` */
  readonly open: ReadonlySet<string>
  /** `<choice>: <what>` */
  readonly saw: ReadonlySet<string>
}

export function judgedCreates(trace: TraceBuilder): Said {
  const said = { held: new Set<string>(), broken: new Set<string>(), open: new Set<string>(), saw: new Set<string>() }
  const short = (row: string) => row.replace('avatar-sessions.', '')
  const report: Report = {
    held: (row) => void said.held.add(short(row)),
    broken: (row) => void said.broken.add(short(row)),
    unobserved: (row, code) => void said.open.add(`${short(row)} ${code}`),
    saw: (choice, what) => void said.saw.add(`${short(choice)}: ${what}`),
  }
  for (const rule of createRules) rule.judge(indexTrace(trace.entries), report)
  return said
}

/** An accepted create; returns the exchange's number. */
export function answered(trace: TraceBuilder, body: JsonObject, data: JsonObject, key?: string): number {
  return trace.rest('create-avatar-session', { body: { code: 0, message: 'ok', data } }, body, key)
}

export type Turn = (data: JsonObject) => JsonObject

/** A session of each body and a second over `rtc_b`, all open together, their answers turned. */
export function runCreates(turn: Turn = (data) => data): Said {
  const trace = new TraceBuilder()
  const all = [...Object.values(bodies), bodies.overB]
  all.forEach((body, place) => answered(trace, body, turn(createdSession(body, place + 1))))
  return judgedCreates(trace)
}

export const set = (pointer: string, value: Json): Change => ({ set: { [pointer]: value } })
export const drop = (pointer: string): Change => ({ drop: [pointer] })

/** Turns every answer. */
export const always = (change: Change): Turn => when(() => true, change)

/** Turns the answers whose JSON holds the words. */
export const holding = (words: string, change: Change): Turn =>
  when((data) => JSON.stringify(data).includes(words), change)

/** Turns the answers that have the member. */
export const having = (name: string, change: Change): Turn => when((data) => data[name] !== undefined, change)

/** Turns the answers that lack the member. */
export const lacking = (name: string, change: Change): Turn => when((data) => data[name] === undefined, change)

function when(holds: (data: JsonObject) => boolean, change: Change): Turn {
  return (data) => (holds(data) ? changed(data, change) : data)
}

export function idOf(data: JsonObject): string {
  const id = data['session_id']
  return typeof id === 'string' ? id : ''
}
