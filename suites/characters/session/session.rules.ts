import { readOnce } from '#judge/read-once'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { TraceIndex } from '#judge/trace-index'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { at, type Json, type JsonObject } from '#trace/json'
import { type Echo, type EchoRows, echo, echoes, idsOf, modeOf, shows } from '../echo.ts'
import type { Save } from '../history.ts'
import { mayBeByDefault } from '../save/defaults.ts'
import { isLost } from '../save/kept.ts'
import { type Omission, omitted, valueAt } from '../save/omissions.rules.ts'
import { isInForce } from './in-force.ts'
import { mergedEchoes, mergedRows } from './merge.ts'
import { activeAvatar, sourceImage, type Start, startsOf } from './model.ts'

const part = 'characters.session'
const later: RequirementId = `${part}.edit-applies-later`
const laterAutoClose: RequirementId = `${part}.auto-close-applies-later`
const gone: RequirementId = 'characters.replace.omitted-gone-from-sessions'
const zero: RequirementId = `${part}.timeout-zero-saved`
const idleOmitted: RequirementId = `${part}.idle-timeout-omitted-zero`

const rows: EchoRows = {
  plain: [
    [`${part}.conversation-instructions-saved`, '/conversation/instructions'],
    [`${part}.tools-saved`, '/conversation/tools'],
    [`${part}.response-defaults-saved`, '/conversation/response_defaults'],
    [`${part}.turn-detection-saved`, '/conversation/turn_detection'],
    [`${part}.transcription-saved`, '/conversation/input_audio_transcription'],
  ],
  video: [],
  avatars: `${part}.avatars-saved`,
  instructions: `${part}.avatar-instructions-saved`,
  images: `${part}.source-images-saved`,
  once: undefined,
  url: undefined,
  visual: `${part}.visual-saved`,
}

const timeouts = [
  [`${part}.disconnected-timeout-saved`, 'disconnected_timeout_seconds'],
  [`${part}.idle-timeout-saved`, 'interaction_idle_timeout_seconds'],
] as const

/** A session from a character has the configuration that was saved last, but for what the start overrides (4.1, 4.2). */
export const savedSession: Rule = {
  id: 'characters.saved-session',
  proves: [
    ...rows.plain.map(([row]) => row),
    rows.avatars,
    rows.instructions,
    rows.images,
    `${part}.visual-saved`,
    ...timeouts.map(([row]) => row),
    zero,
    idleOmitted,
    later,
    laterAutoClose,
    `${part}.mode-saved`,
    `${part}.mode-default-saved`,
    `${part}.active-avatar-saved`,
    `${part}.active-avatar-sole`,
    `${part}.source-image-saved`,
    `${part}.source-image-default`,
    ...mergedRows,
    gone,
  ],
  judge(trace, report) {
    const starts = startsOf(trace)
    for (const start of starts) {
      const all = comparisons(start)
      const found = all.filter((one) => openWhy(trace, start, one) === undefined)
      for (const one of all) {
        const why = openWhy(trace, start, one)
        if (why !== undefined) report.unobserved(one.row, 'model_choice', why, start.until)
      }
      for (const one of found) tell(one, start, report)
      judgeOmitted(start, startsBeside(trace, start), report)
      if (found.some(({ row }) => row === later) || start.save.by !== 'replace') continue
      if (found.length > 0 && found.every(({ holds }) => holds)) report.held(later, start.until)
    }
  },
}

/** Why something else than what was saved may be in force. */
function openWhy(trace: TraceIndex, start: Start, { place, saved, shown, holds }: Echo): string | undefined {
  if (holds) return undefined
  const { key, save } = start
  const kept = at(save.data, place)
  if (isLost(trace, { key, place, shown }, []) && (kept === undefined || !shows(kept, saved))) {
    return `${place} is nothing that characters keep here`
  }
  return isCap(startsBeside(trace, start), { place, shown, saved })
    ? `${show(shown)} s may be the most that there is`
    : undefined
}

/** 2.1: the policy of a session is the effective one: a timeout may be lowered to the most that any session here has. */
function isCap(starts: readonly Start[], { place, shown, saved }: Pick<Echo, 'place' | 'shown' | 'saved'>): boolean {
  if (!place.startsWith('/auto_close/')) return false
  const [most, wanted] = [Number(shown), Number(saved)]
  const others = starts.map(({ data }) => Number(at(data, place) ?? 0))
  return most > 0 && most < wanted && others.every((other) => other <= most)
}

/** Two workspaces may lie on two deployments (9.4), each with its own most and its own defaults. */
function startsBeside(trace: TraceIndex, { key }: Start): readonly Start[] {
  return startsByWorkspace(trace).get(workspaceOf(key)) ?? []
}

const startsByWorkspace = readOnce((trace: TraceIndex) => Map.groupBy(startsOf(trace), ({ key }) => workspaceOf(key)))

function comparisons(start: Start): readonly Echo[] {
  const { body, data, save } = start
  const plain = echoes(save.body, data, rows).filter(({ place }) => !forbidden(body, place))
  const timers = body['auto_close'] === undefined ? timerEchoes(save.body, data) : []
  const found = [...plain, ...timers, ...stateEchoes(save.body, data), ...mergedEchoes(start)]
  const settled = found.map((one) => (isInForce(one.place, one.saved, one.shown) ? { ...one, holds: true } : one))
  return settled.flatMap((one) => asStale(one, start))
}

/** What must not be sent has claims of its own. */
function forbidden(body: JsonObject, place: string): boolean {
  const [, name = ''] = place.split('/')
  return body[name] !== undefined
}

/** Where what is shown is what stood there before the last replace, the session is not wrong but late. */
function asStale(one: Echo, { save }: Start): readonly Echo[] {
  const old = save.before === undefined ? undefined : oldAt(save.before.body, one.place)
  if (old === undefined || shows(old, one.saved)) return [one]
  const row = one.place.startsWith('/auto_close') ? laterAutoClose : later
  if (one.holds) return row === laterAutoClose ? [one, { ...one, row }] : [one]
  return [shows(one.shown, old) ? { ...one, row } : one]
}

/** What is merged may come from elsewhere: a default looks like the old value by chance. */
function oldAt(before: JsonObject, place: string): Json | undefined {
  if (/^\/(output|delivery)/.test(place)) return undefined
  if (place === '/avatars') return idsOf(before)
  return place.startsWith('/avatars') ? undefined : at(before, place)
}

/** What a replace omitted is in no session that is started later. */
function judgeOmitted(
  { save, body, data, from, until, record }: Start,
  starts: readonly Start[],
  report: Report,
): void {
  if (save.before === undefined) return
  const inSessions: Omission[] = omitted(save.before.body, save.body).filter(
    ({ place }) => /^(\/conversation|\/auto_close)/.test(place) && !forbidden(body, place),
  )
  if (omitsTransport(save, body)) inSessions.push({ row: gone, place: transport, old: 'rtc_b' })
  const shown = inSessions.filter(({ place, old }) => shows(valueAt(data, place), old))
  const still = shown.filter(({ place, old }) => place === transport || !mayBeByDefault(starts, place, old))
  const lines = [save.from, from, until]
  if (inSessions.length > shown.length && still.length === 0) report.held(gone, until)
  for (const { place, old } of still) {
    report.broken(gone, { expected: `nothing left at ${place}`, got: show(old), lines, scenario: record.scenario })
  }
}

const transport = '/delivery/media/transport'

/** `rtc_a` is what comes without `delivery` as well. */
function omitsTransport({ before, body: saved }: Save, sent: JsonObject): boolean {
  const none = saved['delivery'] === undefined && sent['delivery'] === undefined
  return none && modeOf(saved) === 'video_avatar' && at(before?.body, transport) === 'rtc_b'
}

function timerEchoes(body: JsonObject, data: JsonObject): readonly Echo[] {
  return timeouts.flatMap(([row, name]) => {
    const place = `/auto_close/${name}`
    const [saved, shown] = [at(body, place), at(data, place)]
    if (saved === undefined) {
      const off = name === 'interaction_idle_timeout_seconds'
      return off ? echo(idleOmitted, 0, { place, shown }) : []
    }
    return echo(saved === 0 ? zero : row, saved, { place, shown })
  })
}

/** Mode, active avatar and image follow from the configuration by the rules of 4.1. */
function stateEchoes(body: JsonObject, data: JsonObject): readonly Echo[] {
  const [active, image] = [activeAvatar(body), sourceImage(body)]
  const shown = (place: string) => ({ place, shown: at(data, place) })
  const named = at(body, '/session/mode') !== undefined
  const video = at(data, '/session/mode') === 'video_avatar'
  return [
    ...echo(named ? `${part}.mode-saved` : `${part}.mode-default-saved`, modeOf(body), shown('/session/mode')),
    ...echo(`${part}.active-avatar-${active?.by ?? 'saved'}`, active?.id, shown('/session/active_avatar_id')),
    ...(video
      ? echo(`${part}.source-image-${image?.by ?? 'saved'}`, image?.id, shown('/session/source_image_id'))
      : []),
  ]
}

function tell(one: Echo, { from, until, save, record }: Start, report: Report): void {
  if (one.holds) return report.held(one.row, until)
  report.broken(one.row, {
    expected: `${one.place} as it was saved: ${show(one.saved)}`,
    got: show(one.shown),
    lines: [save.from, from, until],
    scenario: record.scenario,
  })
}
