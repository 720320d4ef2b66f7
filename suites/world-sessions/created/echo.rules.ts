import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, type JsonObject } from '#trace/json'
import { equal } from '#trace/match'
import { mayBeLeast } from './least.ts'
import { countAt, type Creation, say, worldsOf } from '../worlds.ts'

/** Row, place, and which values of the request it speaks about. */
type Echo = readonly [row: RequirementId, place: string, only?: Json]

/** What was accepted is what is effective (2.11). */
const echoes: readonly Echo[] = [
  ['world-sessions.session.model-echoed', '/model'],
  ['world-sessions.output.aspect-ratio-effective', '/output/aspect_ratio'],
  ['world-sessions.output.resolution-effective', '/output/resolution'],
  ['world-sessions.output.captions-effective', '/output/captions', true],
  ['world-sessions.output.captions-off-effective', '/output/captions', false],
  ['world-sessions.live-input.enabled-effective', '/live_input/audio/enabled', true],
  ['world-sessions.live-input.disabled-effective', '/live_input/audio/enabled', false],
  ['world-sessions.continuation.start-mode-effective', '/continuation/start_mode'],
]

/** Settings whose effective value may be another one than was sent, and the type that it has. */
const settings: readonly (readonly [row: RequirementId, place: string, type: 'boolean' | 'string'])[] = [
  ['world-sessions.live-input.transcription-effective', '/live_input/audio/transcription', 'boolean'],
  ['world-sessions.live-input.language-effective', '/live_input/audio/language', 'string'],
]

/** What is asked for in minutes is no tiny request. */
const tinyIdle_ms = 60_000

const partial: RequirementId = 'world-sessions.output.partial-keeps-defaults'

/** Place, default, and the row that tells it (4.5). */
const defaults: readonly (readonly [row: RequirementId, place: string, value: Json])[] = [
  ['world-sessions.output.aspect-ratio-default', '/output/aspect_ratio', '16:9'],
  ['world-sessions.output.captions-default', '/output/captions', false],
  ['world-sessions.continuation.start-mode-default', '/continuation/start_mode', 'manual'],
]

const resolutionDefault: RequirementId = 'world-sessions.output.resolution-default'
const rowsOfIdle = [
  'world-sessions.continuation.max-idle-integer',
  'world-sessions.continuation.max-idle-not-raised',
] as const
const rowsOfLive = [
  'world-sessions.live-input.object',
  'world-sessions.live-input.object-unasked',
  'world-sessions.live-input.off-unasked',
] as const
const returned: RequirementId = 'world-sessions.metadata.returned'

/** What was sent comes back, and what was not has its default: on every accepted create. */
export const echo: Rule = {
  id: 'world-sessions.echo',
  proves: [
    ...echoes.map(([row]) => row),
    ...settings.map(([row]) => row),
    ...defaults.map(([row]) => row),
    partial,
    resolutionDefault,
    ...rowsOfIdle,
    ...rowsOfLive,
    returned,
  ],
  judge(trace, report) {
    const all = worldsOf(trace).creations.filter(({ plain }) => plain)
    const creations = all.filter(({ data }) => data['status'] !== 'failed')
    // 3.2: a create may return a session that failed, which shows nothing of what was asked.
    for (const { call, data } of all)
      if (data['status'] === 'failed')
        for (const row of echo.proves) report.unobserved(row, 'model_choice', 'the session failed', call.answeredLine)
    // "Features differ by model and deployment" (9.4): two workspaces may lie on two deployments.
    const byWorkspace = Map.groupBy(creations, ({ call }) => workspaceOf(call.key))
    for (const here of byWorkspace.values()) judgeWorkspace(here, report)
  },
}

function judgeWorkspace(creations: readonly Creation[], report: Report): void {
  const in720p = creations.filter(({ call }) => at(call.asked, '/output/resolution') === '720p').map(shapeOf)
  const usual = creations.find(({ call }) => call.asked['output'] === undefined)?.data
  for (const creation of creations) {
    for (const one of echoes) judgeEcho(creation, one, report)
    for (const one of settings) judgeSetting(creation, one, report)
    for (const one of defaults) judgeDefault(creation, one, report)
    if (!isObject(creation.call.asked['output'])) judgeResolution(creation, in720p.length > 0, report)
    else if (shapeOf(creation) === shapeByDefault) judgePartial(creation, at(usual, '/output/resolution'), report)
    else judgeOther(creation, in720p, report)
    judgeIdle(creation, creations, report)
    judgeLiveInput(creation, report)
    judgeMetadata(creation, report)
  }
}

/** A whole that is missing is one fault, told by its shape. */
function parentStands(data: JsonObject, place: string): boolean {
  const end = place.indexOf('/', 1)
  return end < 0 || isObject(at(data, place.slice(0, end)))
}

function judgeEcho({ call, data }: Creation, [row, place, only]: Echo, report: Report): void {
  const sent = at(call.asked, place)
  if (sent === undefined || (only !== undefined && sent !== only) || !parentStands(data, place)) return
  const shown = at(data, place)
  const required = /^\/(output|continuation|model)/.test(place)
  if (required && typeof shown !== typeof sent) return
  const other = otherInForce(data, place, sent)
  if (other !== undefined && shown !== sent) return report.unobserved(row, 'model_choice', other, call.answeredLine)
  say(report, row, equal(shown ?? null, sent), {
    expected: `${place} as it was sent: ${show(sent)}`,
    got: show(shown),
    call,
  })
}

/** Why something else than what was sent may be in force: by the capabilities of this session, or in the safe direction. */
function otherInForce(data: JsonObject, place: string, sent: Json): string | undefined {
  if (place === '/continuation/start_mode' && sent === 'automatic') return 'the session starts manual, and says so'
  const live = place === '/live_input/audio/enabled' && sent === true
  return live && at(data, '/capabilities/live_audio/supported') === false ? 'there is no live audio' : undefined
}

/** 2.11: "effective live input settings": which of them a model has is not said; what comes back is of its type. */
function judgeSetting({ call, data }: Creation, [row, place, type]: (typeof settings)[number], report: Report): void {
  if (at(call.asked, place) === undefined || !parentStands(data, place)) return
  const shown = at(data, place) ?? undefined
  if (shown === undefined) report.unobserved(row, 'model_choice', `${place} is not shown`, call.answeredLine)
  else say(report, row, typeof shown === type && shown !== '', { expected: `a ${type}`, got: show(shown), call })
}

function judgeDefault({ call, data }: Creation, [row, place, value]: (typeof defaults)[number], report: Report): void {
  const shown = at(data, place)
  if (at(call.asked, place) !== undefined || typeof shown !== typeof value) return
  const beside = isObject(call.asked['output']) && place.startsWith('/output')
  say(report, beside ? partial : row, shown === value, { expected: `${place} ${show(value)}`, got: show(shown), call })
}

/** "Default `720p` when the model supports it": it does where a create that asked for it was accepted. */
function judgeResolution({ call, data }: Creation, supported: boolean, report: Report): void {
  const place = '/output/resolution'
  const shown = at(data, place)
  if (at(call.asked, place) !== undefined || typeof shown !== 'string') return
  if (!supported && shown !== '720p') {
    const why = 'no create that asks for 720p was accepted: the model may not support it'
    report.unobserved(resolutionDefault, 'model_choice', why, call.answeredLine)
  } else say(report, resolutionDefault, shown === '720p', { expected: '720p', got: show(shown), call })
}

/** Without `output` and with a part of it, the resolution is the same. */
function judgePartial({ call, data }: Creation, usual: Json | undefined, report: Report): void {
  const shown = at(data, '/output/resolution')
  if (at(call.asked, '/output/resolution') !== undefined) return
  if (typeof shown !== 'string' || typeof usual !== 'string') return
  say(report, partial, shown === usual, { expected: show(usual), got: show(shown), call })
}

const shapeByDefault = '16:9'

/** The aspect ratio that was asked for. */
function shapeOf({ call }: Creation): string {
  const asked = at(call.asked, '/output/aspect_ratio')
  return typeof asked === 'string' ? asked : shapeByDefault
}

/** A model may support 720p for one aspect ratio and not for another: where it took both together, it supports both. */
function judgeOther(creation: Creation, in720p: readonly string[], report: Report): void {
  if (in720p.includes(shapeOf(creation))) judgeResolution(creation, true, report)
}

function judgeIdle({ call, data }: Creation, all: readonly Creation[], report: Report): void {
  const place = '/continuation/max_idle_ms'
  const sent = at(call.asked, place)
  if (typeof sent !== 'number' || !isObject(data['continuation'])) return
  const shown = countAt(data, place)
  const [integer, raised] = rowsOfIdle
  if (at(data, place) === undefined) say(report, integer, false, { expected: 'an integer', got: 'nothing', call })
  if (shown === undefined) return
  const others = all.flatMap((one) => countAt(one.data, place) ?? [])
  if (shown > sent && mayBeLeast({ asked: sent, shown, tiny: tinyIdle_ms, others })) {
    return report.unobserved(raised, 'model_choice', `${shown} ms may be the least that there is`, call.answeredLine)
  }
  say(report, raised, shown <= sent, { expected: `${sent} or less`, got: String(shown), call })
}

function judgeLiveInput({ call, data }: Creation, report: Report): void {
  const [object, unasked, off] = rowsOfLive
  const shown = data['live_input']
  if (isObject(call.asked['live_input'])) {
    if (shown === undefined)
      say(report, object, false, { expected: 'the settings that were sent', got: 'nothing', call })
    return
  }
  say(report, unasked, isObject(shown), { expected: 'an object', got: show(shown), call })
  const enabled = at(data, '/live_input/audio/enabled')
  say(report, off, enabled !== true, { expected: 'live audio that is off', got: show(enabled), call })
}

function judgeMetadata({ call, data }: Creation, report: Report): void {
  const sent = call.asked['metadata']
  if (!isObject(sent)) return
  const shown = data['metadata']
  const whole = Object.entries(sent).every(([name, value]) => isObject(shown) && equal(shown[name] ?? null, value))
  say(report, returned, whole, { expected: show(sent), got: show(shown), call })
}
