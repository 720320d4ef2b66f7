import { toolsIn } from '#judge/creates/tools-sent'
import { isRecording } from '#judge/recordings'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import { workspaceOf } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import { at, type Json, listAt, stringAt, textAt } from '#trace/json'
import { modeOf } from '../echo.ts'
import { type Save } from '../history.ts'
import { recordsIn, type ShownRecord } from './defaults.ts'

const others: RequirementId = 'characters.configuration.own-only'
const avatars: RequirementId = 'characters.configuration.avatars-own-only'

/** "The saved configuration is returned" (2.7): what was saved for another character, or for another avatar, is none of it. */
export const ownOnly: Rule = {
  id: 'characters.own-only',
  proves: [others, avatars],
  judge(trace, report) {
    for (const here of Map.groupBy(recordsIn(trace), ({ save }) => workspaceOf(save.key)).values()) {
      const saves = here.filter(({ save, call }) => save === call).map(({ save }) => save)
      for (const shown of here) {
        judgeAvatars(shown, report)
        // In a recording nobody knows which of two characters was there first, nor who else saves any.
        if (!isRecording(trace)) judgeOthers(shown, { saves, here }, report)
      }
    }
  },
}

/** Where numbers stand of which a service may have one for a default. */
const seconds = [
  '/max_duration_seconds',
  '/auto_close/disconnected_timeout_seconds',
  '/auto_close/interaction_idle_timeout_seconds',
] as const

interface Around {
  readonly saves: readonly Save[]
  readonly here: readonly ShownRecord[]
}

/** What only an earlier save of another character had. */
function judgeOthers(shown: ShownRecord, { saves, here }: Around, report: Report): void {
  const earlier = saves.filter(({ id, until }) => id !== shown.save.id && until < shown.save.from)
  const own = new Set(saves.filter(({ id }) => id === shown.save.id).flatMap(({ body }) => toolsIn(body)))
  const foreign = new Set(earlier.flatMap(({ body }) => toolsIn(body)).filter((name) => !own.has(name)))
  const left: Json[] = toolsIn(shown.data).filter((name) => foreign.has(name))
  for (const place of seconds) {
    const value = Number(at(shown.data, place))
    const isForeign = !isRound(value) && earlier.some(({ body }) => Number(at(body, place)) === value)
    if (isForeign && saysNothingOfTime(shown.save) && isNoDefault(shown, { place, value }, here)) left.push(value)
  }
  const { call } = shown
  if (left.length > 0) {
    const expected = 'nothing that only an earlier character was saved with'
    const lines = [call.from, call.until]
    report.broken(others, { expected, got: show(left), lines, scenario: call.record.scenario })
  } else if (foreign.size > 0) report.held(others, call.until)
}

/** What a service has for a default is round, and may rest on more than model and mode: on the output, say. */
const isRound = (value: number): boolean => value % 5 === 0

/** Neither now nor before: what a replace leaves behind is another matter. */
function saysNothingOfTime({ body, before }: Save): boolean {
  const silent = body['max_duration_seconds'] === undefined && body['auto_close'] === undefined
  return silent && (before === undefined || saysNothingOfTime(before))
}

/** The same kind of answer about another one of this model and mode, of which nothing was said either, shows something else. */
function isNoDefault(
  { save, call }: ShownRecord,
  { place, value }: { readonly place: string; readonly value: number },
  here: readonly ShownRecord[],
): boolean {
  const isAlike = ({ body }: Save): boolean =>
    body['model'] === save.body['model'] && modeOf(body) === modeOf(save.body)
  return here.some((one) => {
    if (one.call.record.operation !== call.record.operation) return false
    return isAlike(one.save) && saysNothingOfTime(one.save) && Number(at(one.data, place) ?? 0) !== value
  })
}

/** What only another avatar of the same save has: ids of images, and instructions. */
function judgeAvatars({ save, data, call }: ShownRecord, report: Report): void {
  const saved = listAt(save.body, '/avatars')
  if (saved.length < 2) return
  const lines = [save.from, call.until]
  for (const avatar of listAt(data, '/avatars')) {
    const own = saved.find((one) => at(one, '/avatar_id') === at(avatar, '/avatar_id'))
    if (own === undefined) continue
    const beside = saved.filter((one) => one !== own)
    const images = imagesOf(avatar).filter((id) => !imagesOf(own).includes(id))
    const left: Json[] = images.filter((id) => beside.some((one) => imagesOf(one).includes(id)))
    const text = textAt(avatar, '/instructions')
    const isForeign = beside.some((one) => textAt(one, '/instructions') === text)
    if (text !== undefined && textAt(own, '/instructions') === undefined && isForeign) left.push(text)
    if (left.length === 0) report.held(avatars, call.until)
    else {
      const expected = `nothing of another avatar at ${show(at(avatar, '/avatar_id'))}`
      report.broken(avatars, { expected, got: show(left), lines, scenario: call.record.scenario })
    }
  }
}

function imagesOf(avatar: Json | undefined): readonly string[] {
  return listAt(avatar, '/visual/source_images').flatMap((image) => stringAt(image, '/source_image_id') ?? [])
}
