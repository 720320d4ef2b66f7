import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, type JsonObject, listAt, stringAt } from '#trace/json'
import { equal } from '#trace/match'
import { modeOf } from '../echo.ts'
import { mayBeByDefault, type ShownSave, shownSaves } from './defaults.ts'
import { type Call, callsOf, dataOf, lifeIn, type Save, stateAt } from '../history.ts'

const part = 'characters.replace'

/** Something that a replace left out, and that would show if it were still there. */
export interface Omission {
  readonly row: RequirementId
  readonly place: string
  /** What stood there before. */
  readonly old: Json
}

const conversation: RequirementId = `${part}.conversation-gone`
const whole: readonly (readonly [RequirementId, string, readonly string[]])[] = [
  [`${part}.output-gone`, '/output', ['/output/aspect_ratio', '/output/resolution']],
  [`${part}.pipeline-config-gone`, '/pipeline_config', ['/pipeline_config/tts_config/tts_voice_id']],
  [
    conversation,
    '/conversation',
    [
      '/conversation/instructions',
      '/conversation/turn_detection/silence_duration_ms',
      '/conversation/input_audio_transcription/language',
    ],
  ],
  [`${part}.max-duration-gone`, '/max_duration_seconds', ['/max_duration_seconds']],
  [
    `${part}.auto-close-gone`,
    '/auto_close',
    ['/auto_close/disconnected_timeout_seconds', '/auto_close/interaction_idle_timeout_seconds'],
  ],
  [`${part}.active-avatar-id-gone`, '/session/active_avatar_id', ['/session/active_avatar_id']],
  [`${part}.source-image-id-gone`, '/session/source_image_id', ['/session/source_image_id']],
  [`${part}.model-gone`, '/model', ['/model']],
]
const nested: RequirementId = `${part}.nested-gone`
const avatars: RequirementId = `${part}.avatars-gone`
const members: RequirementId = `${part}.avatar-members-gone`
const insideConversation = [
  'instructions',
  'response_defaults',
  'response_defaults/max_output_tokens',
  'turn_detection/silence_duration_ms',
  'input_audio_transcription/language',
].map((name) => `/conversation/${name}`)
const insidePipeline = ['tag_audio_enabled', 'motion_planner/prompt', 'llm_config/llm_max_output_tokens'].map(
  (name) => `/pipeline_config/${name}`,
)
const insideAvatar = [
  '/instructions',
  '/visual/instructions',
  '/visual/source_images/0/source_image_id',
  '/voice/provider_voice_id',
] as const
/** Of a tool that a list names no more, in the place of its number there. */
const tools = '/conversation/tools/'

/** "Replaces the whole record (not a patch): omitted keys are deleted" (4.2), in the answer and in what is read later. */
export const omissions: Rule = {
  id: 'characters.omissions',
  proves: [...whole.map(([row]) => row), nested, avatars, members],
  judge(trace, report) {
    // Two workspaces may lie on two deployments (9.4), each with its own defaults.
    const byWorkspace = Map.groupBy(shownSaves(trace), ({ save }) => workspaceOf(save.key))
    for (const saves of byWorkspace.values()) {
      for (const { save, data } of saves) judgeShown(save, { data, call: save, saves }, report)
    }
    for (const call of callsOf(trace, 'get-character')) {
      const life = lifeIn(trace, call.record)
      const [state, data] = [life && stateAt(life, call.from, call.until), dataOf(call.record)]
      if (typeof state !== 'object' || data === undefined) continue
      const saves = byWorkspace.get(workspaceOf(call.key)) ?? []
      judgeShown(state, { data, call, saves }, report)
    }
  },
}

interface Shown {
  readonly data: JsonObject
  readonly call: Call
  /** All saves of the trace. */
  readonly saves: readonly ShownSave[]
}

function judgeShown(save: Save, shown: Shown, report: Report): void {
  const { data, call, saves } = shown
  if (save.before === undefined) return
  for (const { row, place, old } of omitted(save.before.body, save.body)) {
    const now = valueAt(data, place)
    const still = now !== undefined && now !== null && equal(now, old)
    if (!still) report.held(row, call.until)
    else if (mayBeByDefault(saves, place, old))
      report.unobserved(row, 'model_choice', `${show(now)} may stand at ${place} by default`, call.until)
    else {
      const lines = [save.before.from, save.from, call.until]
      const expected = `nothing left at ${place} of what the replace omits`
      report.broken(row, { expected, got: show(now), lines, scenario: call.record.scenario })
    }
  }
  judgeIds(save.before, save, shown, report)
  judgeImages(save.before, save, shown, report)
}

/** `0` and `text_chat` without output may be defaults as well; only what can be none counts. */
export function omitted(before: JsonObject, after: JsonObject): readonly Omission[] {
  const told = whole.flatMap(([row, key, places]) => {
    if (key === '/output' && modeOf(before) !== 'video_avatar') return []
    // What is omitted inside of the timeouts is as absent as all of them.
    const absent = key === '/auto_close' ? places : at(after, key) === undefined ? places : []
    return absent.flatMap((place) => (at(after, place) === undefined ? omission(row, place, at(before, place)) : []))
  })
  const haveBoth = (place: string): boolean => [at(before, place), at(after, place)].every(isObject)
  const conversations = haveBoth('/conversation')
  const places = [...(conversations ? insideConversation : []), ...(haveBoth('/pipeline_config') ? insidePipeline : [])]
  const inside = places.filter((place) => at(after, place) === undefined)
  return [
    ...told.filter((one) => !mayBeDefault(after, one)),
    ...inside.flatMap((place) => omission(nested, place, at(before, place))),
    ...(conversations ? toolsGone(nested, before, after) : []),
    ...(at(after, '/conversation') === undefined ? toolsGone(conversation, before, after) : []),
    ...inAvatars(before, after),
  ]
}

/** What a service may show of itself where nothing was saved: none, `false` (2.6), or a language that it finds out (2.5). */
const defaults: readonly Json[] = [null, 0, '', false, 'auto']

function omission(row: RequirementId, place: string, old: Json | undefined): readonly Omission[] {
  const empty = old === undefined || defaults.includes(old) || (Array.isArray(old) && old.length === 0)
  return empty ? [] : [{ row, place, old }]
}

/** A list is replaced by another one, not mixed with it. */
function toolsGone(row: RequirementId, before: JsonObject, after: JsonObject): readonly Omission[] {
  const kept = toolNames(after)
  const gone = toolNames(before).filter((name) => !kept.includes(name))
  return gone.map((name) => ({ row, place: `${tools}${name}`, old: name }))
}

function toolNames(value: JsonObject): readonly string[] {
  return listAt(value, '/conversation/tools').flatMap((tool) => stringAt(tool, '/name') ?? [])
}

/** A service may show the avatar, or the image, that is used by default. */
function mayBeDefault(after: JsonObject, { place, old }: Omission): boolean {
  const left = listAt(after, '/avatars')
  if (place === '/session/active_avatar_id') return left.some((avatar) => at(avatar, '/avatar_id') === old)
  if (place !== '/session/source_image_id') return false
  return left.some((avatar) => imageIds(after, at(avatar, '/avatar_id')).some((id) => id === old))
}

function inAvatars(before: JsonObject, after: JsonObject): readonly Omission[] {
  return listAt(after, '/avatars').flatMap((avatar) => {
    const id = at(avatar, '/avatar_id')
    const old = listAt(before, '/avatars').find((one) => at(one, '/avatar_id') === id)
    if (typeof id !== 'string' || old === undefined) return []
    const omittedHere = insideAvatar.filter((path) => at(avatar, path) === undefined)
    return omittedHere.flatMap((path) => omission(members, `avatar ${id} ${path}`, at(old, path)))
  })
}

/** A place in the data, the name of a tool, or a member of an avatar. */
export function valueAt(data: JsonObject, place: string): Json | undefined {
  if (place.startsWith(tools)) return toolNames(data).find((name) => tools + name === place)
  if (place.startsWith('/')) return at(data, place)
  const [path = ''] = insideAvatar.filter((one) => place.endsWith(` ${one}`))
  const avatar = listAt(data, '/avatars').find((one) => `avatar ${stringAt(one, '/avatar_id') ?? ''} ${path}` === place)
  return at(avatar, path)
}

function judgeIds(before: Save, save: Save, { data, call }: Shown, report: Report): void {
  const kept = new Set(listAt(save.body, '/avatars').map((avatar) => at(avatar, '/avatar_id')))
  const gone = listAt(before.body, '/avatars').flatMap((avatar) => at(avatar, '/avatar_id') ?? [])
  const omittedIds = gone.filter((id) => !kept.has(id))
  if (omittedIds.length === 0) return
  const still = listAt(data, '/avatars').flatMap((avatar) => at(avatar, '/avatar_id') ?? [])
  const left = omittedIds.filter((id) => still.includes(id))
  if (left.length === 0) report.held(avatars, call.until)
  else {
    const lines = [before.from, save.from, call.until]
    report.broken(avatars, {
      expected: `no avatar ${show(omittedIds)}`,
      got: show(still),
      lines,
      scenario: call.record.scenario,
    })
  }
}

/** An avatar that is replaced with images has no other ones. */
function judgeImages(before: Save, save: Save, { data, call }: Shown, report: Report): void {
  for (const avatar of listAt(save.body, '/avatars')) {
    const id = at(avatar, '/avatar_id')
    const kept = imageIds(save.body, id)
    const gone = imageIds(before.body, id).filter((image) => !kept.includes(image))
    if (kept.length === 0 || gone.length === 0) continue
    const still = imageIds(data, id).filter((image) => gone.includes(image))
    const lines = [before.from, save.from, call.until]
    if (still.length === 0) report.held(members, call.until)
    else {
      const expected = `no source image ${show(gone)} of avatar ${show(id)}`
      report.broken(members, { expected, got: show(still), lines, scenario: call.record.scenario })
    }
  }
}

function imageIds(value: JsonObject, avatar_id: Json | undefined): readonly Json[] {
  const avatar = listAt(value, '/avatars').find((one) => at(one, '/avatar_id') === avatar_id)
  return listAt(avatar, '/visual/source_images').flatMap((image) => at(image, '/source_image_id') ?? [])
}
