import { answerOf, createdSession } from '#judge/answers'
import { faultyExchanges } from '#judge/faulty/exchanges'
import { closesTooLate } from '#judge/faulty/bodies'
import type { TraceIndex } from '#judge/trace-index'
import { at, isObject, type Json, type JsonObject, listAt, stringAt } from '#trace/json'
import { modeOf } from '../echo.ts'
import { bodyOf, type Call, callsOf, dataOf, livesOf, mayBeOld, ownName, type Save, stateAt } from '../history.ts'

/** A session that was started from a character whose configuration is certain. */
export interface Start extends Call {
  readonly save: Save
  readonly body: JsonObject
  readonly data: JsonObject
  /** Accepted starts from the same save, before this one. */
  readonly earlier: readonly Start[]
}

const known = new WeakMap<TraceIndex, readonly Start[]>()

/**
 * Every session that was started from a character, each once: the replay of a key tells of an older start. What comes of a
 * start that may be refused, such as one that is shorter than a saved timeout (4.1), is not said.
 */
export function startsOf(trace: TraceIndex): readonly Start[] {
  const found = known.get(trace)
  if (found !== undefined) return found
  const starts: Start[] = []
  const faulty = faultyExchanges(trace)
  const byKey = Map.groupBy(
    fromBoth.flatMap((kind) => callsOf(trace, kind)),
    keyOf,
  )
  for (const call of callsOf(trace, 'create-session-from-character').toSorted((a, b) => a.until - b.until)) {
    const [body, data] = [bodyOf(call.record), dataOf(call.record)]
    if (!isObject(body) || data === undefined || createdSession(call.record) === undefined) continue
    const key = keyOf(call)
    const again = key !== undefined && byKey.get(key)?.some((one) => one !== call && mayHaveMade(one, call)) === true
    // What another workspace starts from may be a character of its own that is called the same (1.6).
    const life = livesOf(trace).get(ownName(call.key, stringAt(body, '/character_id') ?? ''))
    const save = life && stateAt(life, call.from, call.until)
    if (again || mayBeOld(trace, call) || typeof save !== 'object' || faulty.has(call.record.exchange)) continue
    if (closesTooLate(save.body, body['max_duration_seconds'] ?? save.body['max_duration_seconds'])) continue
    const earlier = starts.filter((one) => one.save === save && one.until < call.from)
    starts.push({ ...call, save, body, data, earlier })
  }
  known.set(trace, starts)
  return starts
}

/** A key may have gone out in a create of the other kind. */
const fromBoth = ['create-session-from-character', 'create-avatar-session']

const keyOf = ({ record }: Call): string | undefined => stringAt(bodyOf(record), '/idempotency_key')

/** Whether a create under the same key, answered or not, may have made the session that a start tells of. */
function mayHaveMade({ record, from, until }: Call, start: Call): boolean {
  const refused = until < start.from && answerOf(record).kind === 'failure'
  return from < start.until && !refused
}

const overridable = ['model', 'output', 'delivery', 'max_duration_seconds']

/** Whether a start from the same save overrode something before. */
export function followsOverride({ earlier }: Start): boolean {
  return earlier.some(({ body }) => overridable.some((name) => body[name] !== undefined))
}

/** "shallow-merged over the saved top-level objects" (4.1). */
export function merged(save: Save, body: JsonObject, name: 'output' | 'delivery'): JsonObject {
  const [saved, sent] = [save.body[name], body[name]]
  return { ...(isObject(saved) ? saved : {}), ...(isObject(sent) ? sent : {}) }
}

/** The avatar that is active by the rules of 4.1, or undefined where they leave it open. */
export function activeAvatar(body: JsonObject): { readonly id: string; readonly by: 'saved' | 'sole' } | undefined {
  const asked = stringAt(body, '/session/active_avatar_id')
  if (asked !== undefined) return { id: asked, by: 'saved' }
  const ids = listAt(body, '/avatars').map((avatar) => stringAt(avatar, '/avatar_id'))
  const [sole] = ids
  return ids.length === 1 && sole !== undefined ? { id: sole, by: 'sole' } : undefined
}

/** The image by the rules of 4.1, in `video_avatar`. */
export function sourceImage(body: JsonObject): { readonly id: string; readonly by: 'saved' | 'default' } | undefined {
  if (modeOf(body) !== 'video_avatar') return undefined
  const asked = stringAt(body, '/session/source_image_id')
  if (asked !== undefined) return { id: asked, by: 'saved' }
  const active = activeAvatar(body)?.id
  const avatar: Json | undefined = listAt(body, '/avatars').find((one) => at(one, '/avatar_id') === active)
  const named = stringAt(avatar, '/visual/default_source_image_id')
  return named === undefined ? undefined : { id: named, by: 'default' }
}
