import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { RequirementId } from '#spec/register'
import { at, isObject, isZero, type Json, type JsonObject, textsIn, textAt } from '#trace/json'
import { equal } from '#trace/match'
import { say, type World, worldsOf } from '../worlds.ts'
import { type Call } from '#judge/calls'

const named: RequirementId = 'world-sessions.get.names-session'
const noName: RequirementId = 'world-sessions.get.no-client-secret'
const noValue: RequirementId = 'world-sessions.get.no-secret-value'

/** Row, and the places of which Get shows what the create showed. */
const kept: readonly (readonly [row: RequirementId, ...places: readonly string[]])[] = [
  ['world-sessions.get.same-model', '/model'],
  ['world-sessions.get.same-output', ...under('/output', 'aspect_ratio', 'resolution', 'fps', 'captions')],
  ['world-sessions.get.same-live-input', ...under('/live_input/audio', 'enabled', 'transcription', 'language')],
  ['world-sessions.get.same-continuation', ...under('/continuation', 'start_mode', 'max_idle_ms')],
  ['world-sessions.get.same-references', '/references'],
  ['world-sessions.get.same-metadata', '/metadata'],
  [
    'world-sessions.get.same-capabilities',
    ...under('/capabilities', 'event_content_types', 'reference_content_types', 'event_handling'),
    ...under('/capabilities', 'runtime_references', 'event_cancel'),
    ...under('/capabilities/live_audio', 'supported', 'interpretation'),
    ...under('/capabilities/continuation', 'hold', 'resume', 'automatic'),
    ...under('/capabilities/reconnect', 'snapshot', 'event_replay'),
    ...under('/capabilities/limits', 'max_event_bytes', 'max_references', 'max_reference_images'),
  ],
  ['world-sessions.get.same-created-at', '/created_at'],
  ['world-sessions.get.same-expires-at', '/expires_at'],
]

function under(place: string, ...members: readonly string[]): readonly string[] {
  return members.map((name) => `${place}/${name}`)
}

/** "Effective session object without client secrets" (4.5). */
export const getSession: Rule = {
  id: 'world-sessions.get-session',
  proves: [named, noName, noValue, ...kept.map(([row]) => row)],
  judge(trace, report) {
    for (const world of worldsOf(trace).worlds.values()) {
      const baseline = baselineOf(world)
      for (const get of world.gets) {
        if (get.data === undefined) continue
        const got = textAt(get.data, '/session_id') ?? 'nothing'
        say(report, named, got === world.id, { expected: world.id, got, call: get })
        judgeSecrets(world, get, get.data, report)
        if (isOpen(get)) judgeKept(baseline, get, report)
        else judgeLeft(baseline, get, report)
      }
    }
  },
}

export function isOpen({ data }: Call): boolean {
  return ['active', 'provisioning'].includes(textAt(data, '/status') ?? '')
}

/** What later answers are held against, and what it is of a session that was not ready when it was created. */
interface Baseline {
  readonly created: Call
  readonly data: JsonObject
  /** The first answer that showed it active: its expiry may be told anew by then. */
  readonly ready: Call | undefined
}

export function baselineOf({ creation, gets }: World): Baseline {
  const early = at(creation.data, '/status') === 'provisioning'
  const ready = early ? gets.find(({ data }) => at(data, '/status') === 'active') : undefined
  return { created: creation.call, data: creation.data, ready }
}

function judgeSecrets(world: World, get: Call, data: JsonObject, report: Report): void {
  const openly = namesIn(data).some((name) => name === 'client_secret')
  say(report, noName, !openly, { expected: 'no client_secret', got: 'one', call: get })
  const texts = textsIn(data)
  const seen = secretsOf(world, get).find((secret) => texts.some((text) => holds(text, secret)))
  // Under its own name the value is the same fault again.
  const elsewhere = seen !== undefined && !openly
  say(report, noValue, !elsewhere, { expected: 'no secret of the session', got: seen ?? '', call: get })
}

/** Secrets that were handed out for the session before the answer; in a trace, their stand-ins. */
function secretsOf({ creation, secrets }: World, get: Call): readonly string[] {
  const sources = [creation.data, ...secrets.filter(({ line }) => line < get.answeredLine).map(({ data }) => data)]
  return sources.flatMap((data) =>
    ['control', 'media'].map((name) => textAt(data, `/${name}/client_secret`)).filter((one) => one !== undefined),
  )
}

function holds(text: string, secret: string): boolean {
  return text.includes(secret) || text.includes(encodeURIComponent(secret.toWellFormed()))
}

/** Names of members at any depth. */
function namesIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(namesIn)
  return isObject(value) ? Object.entries(value).flatMap(([name, inside]) => [name, ...namesIn(inside)]) : []
}

function judgeKept({ created, data, ready }: Baseline, get: Call, report: Report): void {
  for (const [row, ...places] of kept) {
    const early = at(data, '/status') === 'provisioning'
    if (row === 'world-sessions.get.same-expires-at' && early) {
      // One that is still, or again, shown as provisioning comes from a copy that is behind, or is wrong by its status.
      const isReady = at(get.data, '/status') !== 'provisioning'
      if (isReady && ready !== undefined && get.line > ready.answeredLine)
        judgePlaces(row, places, { from: ready, get }, report)
    } else judgePlaces(row, places, { from: created, get }, report)
  }
}

/** A session that is over may show less of itself; what it shows is what it was. When it expires is another matter. */
function judgeLeft({ created }: Baseline, get: Call, report: Report): void {
  for (const [row, ...places] of kept) {
    if (row === 'world-sessions.get.same-expires-at') continue
    const shown = places.filter((place) => !isEmptied(get.data ?? {}, place))
    judgePlaces(row, shown, { from: created, get }, report)
  }
}

/** Whether a record that is kept no more has nothing there: the value is empty, or the whole that it stands in. */
function isEmptied(data: JsonObject, place: string): boolean {
  const value = at(data, place)
  const whole = place.split('/')[1] ?? ''
  return (value !== false && isZero(value)) || isZero(data[whole]) || holdsNothing(data, whole)
}

/** What the create did not show (its shape tells that) is no measure for Get. */
function judgePlaces(
  row: RequirementId,
  places: readonly string[],
  { from, get }: { readonly from: Call; readonly get: Call },
  report: Report,
): void {
  const told = places.filter((place) => at(from.data, place) !== undefined && !isLeftOut(from.data, get.data, place))
  if (told.length === 0) {
    // An object that has none of its members set is shown again when it shows none again.
    if (isBare(from, places) && isBare(get, places))
      say(report, row, true, { expected: '', got: '', call: get, beside: [from] })
    return
  }
  const other = told.find((place) => !alike(at(from.data, place), at(get.data, place), place))
  const [expected, got] = other === undefined ? ['', ''] : [show(at(from.data, other)), show(at(get.data, other))]
  const finding = { expected: `${other ?? ''} ${expected}`, got, call: get, beside: [from] }
  say(report, row, other === undefined, finding)
}

/** Members of the session object that may hold nothing: no references, no metadata, and live input that is off. */
const emptiable = ['references', 'metadata', 'live_input'] as const

/** Whether Get leaves out what the create showed to hold nothing: an absent one says as much as an empty one. */
function isLeftOut(made: Json | undefined, shown: Json | undefined, place: string): boolean {
  const name = place.split('/')[1] ?? ''
  return isObject(made) && isObject(shown) && (shown[name] ?? null) === null && holdsNothing(made, name)
}

/** Whether the session object has nothing to tell in this member. */
export function holdsNothing(made: JsonObject, name: string): boolean {
  if (!emptiable.some((one) => one === name)) return false
  const value = made[name]
  if (name === 'live_input') return at(value, '/audio/enabled') !== true
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}

function isBare({ data }: Call, places: readonly string[]): boolean {
  const [whole = '', ...others] = new Set(places.map((place) => place.split('/').slice(0, 2).join('/')))
  return others.length === 0 && isObject(at(data, whole)) && places.every((place) => at(data, place) === undefined)
}

function alike(one: Json | undefined, other: Json | undefined, place: string): boolean {
  if (one === undefined || other === undefined) return one === other
  if (place === '/references') return equal(sorted(namesOf(one)), sorted(namesOf(other)))
  if (/_(types|handling)$/.test(place)) return equal(sorted(one), sorted(other))
  if (place.endsWith('_at')) return Math.abs(timeOf(one) - timeOf(other)) <= second
  if (isNumeric(one) && isNumeric(other)) return Number(one) === Number(other)
  return equal(one, other)
}

/** Lists of capabilities and the names of references are sets: nothing orders them. */
function sorted(value: Json): Json {
  return Array.isArray(value) ? (value as readonly Json[]).toSorted((a, b) => (show(a) < show(b) ? -1 : 1)) : value
}

function timeOf(value: Json): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

/** Fractions of a second may be cut. */
const second = 1_000

function isNumeric(value: Json): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))
}

function namesOf(list: Json): Json {
  return Array.isArray(list) ? (list as readonly Json[]).map((item) => at(item, '/name') ?? null) : list
}
