import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { RequirementId } from '#spec/register'
import { at, type Json, stringAt } from '#trace/json'
import { avatarsOf, type Effective, effectiveOf, type SourceImage } from './model.ts'
import { type Creation, plainCreations } from './creations.ts'

/** One comparison: what the rules of 4.1 give, and what the answer shows. */
interface Finding {
  readonly row: RequirementId
  readonly expected: string
  readonly got: Json | undefined
  readonly holds: boolean
}

/** The effective state follows from the body alone (4.1, "Session resolution rules"). */
export const effectiveSession: Rule = {
  id: 'avatar-sessions.effective-session',
  proves: [
    'avatar-sessions.session.mode-effective',
    'avatar-sessions.create.mode-default-session-omitted',
    'avatar-sessions.create.mode-default-mode-omitted',
    'avatar-sessions.create.active-avatar-sole',
    'avatar-sessions.create.active-avatar-explicit',
    'avatar-sessions.session.active-avatar-among-avatars',
    'avatar-sessions.create.source-image-explicit',
    'avatar-sessions.create.source-image-default',
    'avatar-sessions.create.source-image-sole',
    'avatar-sessions.create.source-image-of-active-avatar',
    'avatar-sessions.avatars.default-source-image-selects',
    'avatar-sessions.session.source-image-id-omitted-in-text-chat',
    'avatar-sessions.create.source-image-omitted-in-text-chat',
  ],
  judge(trace, report) {
    for (const creation of plainCreations(trace)) {
      for (const one of findings(creation)) tell(one, creation, report)
    }
  },
}

function findings(creation: Creation): readonly Finding[] {
  const { body, data } = creation
  const effective = effectiveOf(body)
  const mode = stringAt(data, '/session/mode')
  const same = mode === effective.mode.value
  return [
    ...modeFindings(effective, mode),
    ...avatarFindings(creation, effective),
    ...(same && mode === 'video_avatar'
      ? imageFindings(effective.sourceImage, stringAt(data, '/session/source_image_id'))
      : []),
    ...(same && mode === 'text_chat' ? noImageFindings(creation) : []),
  ]
}

const modeRows = {
  request: 'avatar-sessions.session.mode-effective',
  'session omitted': 'avatar-sessions.create.mode-default-session-omitted',
  'mode omitted': 'avatar-sessions.create.mode-default-mode-omitted',
} as const

/** A mode outside the set is a fault of its own. */
function modeFindings({ mode }: Effective, got: string | undefined): readonly Finding[] {
  if (got !== 'text_chat' && got !== 'video_avatar') return []
  return [finding(modeRows[mode.by], mode.value, got)]
}

function avatarFindings({ body, data }: Creation, { activeAvatar }: Effective): readonly Finding[] {
  const got = stringAt(data, '/session/active_avatar_id')
  if (got === undefined) return []
  const ids = avatarsOf(data).map((avatar) => at(avatar, '/avatar_id') ?? null)
  const one: Finding = {
    row: 'avatar-sessions.session.active-avatar-among-avatars',
    expected: `one of the returned avatars: ${show(ids)}`,
    got,
    holds: ids.includes(got),
  }
  const among = ids.length > 0 && got !== '' ? [one] : []
  const several = avatarsOf(body).length > 1
  if (activeAvatar === undefined || (activeAvatar.by === 'request' && !several)) return among
  const row = activeAvatar.by === 'sole' ? 'active-avatar-sole' : 'active-avatar-explicit'
  return [...among, finding(`avatar-sessions.create.${row}`, activeAvatar.id, got)]
}

const imageRows = {
  request: 'avatar-sessions.create.source-image-explicit',
  default: 'avatar-sessions.create.source-image-default',
  sole: 'avatar-sessions.create.source-image-sole',
} as const

/** A missing image is a fault of its own. An image that another avatar would give speaks of the wrong avatar. */
function imageFindings(wanted: SourceImage | undefined, got: string | undefined): readonly Finding[] {
  if (wanted === undefined || got === undefined) return []
  const foreign = wanted.elsewhere.includes(got)
  const own = wanted.elsewhere.length > 0
  const ofActive = finding('avatar-sessions.create.source-image-of-active-avatar', wanted.id, foreign ? got : wanted.id)
  if (foreign) return [ofActive]
  const selects = finding('avatar-sessions.avatars.default-source-image-selects', wanted.id, got)
  return [
    finding(imageRows[wanted.by], wanted.id, got),
    ...(wanted.by === 'default' && wanted.among > 1 ? [selects] : []),
    ...(own && got === wanted.id ? [ofActive] : []),
  ]
}

/** Rule 3: "In `text_chat`, `source_image_id` is omitted from the response." */
function noImageFindings({ body, data }: Creation): readonly Finding[] {
  const got = at(data, '/session/source_image_id')
  const tempted =
    at(body, '/session/source_image_id') !== undefined ||
    avatarsOf(body).some((avatar) => at(avatar, '/visual/default_source_image_id') !== undefined)
  const row = (id: RequirementId): Finding => ({
    row: id,
    expected: 'nothing in text_chat',
    got,
    holds: got === undefined,
  })
  return [
    row('avatar-sessions.session.source-image-id-omitted-in-text-chat'),
    ...(tempted ? [row('avatar-sessions.create.source-image-omitted-in-text-chat')] : []),
  ]
}

function finding(row: RequirementId, wanted: string, got: string): Finding {
  return { row, expected: show(wanted), got, holds: wanted === got }
}

function tell({ row, expected, got, holds }: Finding, { line, lines, record }: Creation, report: Report): void {
  if (holds) report.held(row, line)
  else report.broken(row, { expected, got: show(got), lines, scenario: record.scenario })
}
