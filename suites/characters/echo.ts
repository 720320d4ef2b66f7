import { carries, isMoved, isOfKind } from '#judge/conditions/operands'
import type { RequirementId } from '#spec/register'
import { at, isObject, type Json, type JsonObject, listAt, stringAt } from '#trace/json'
import { equal } from '#trace/match'

/** What was saved and what is shown for it; one comparison of one row. */
export interface Echo {
  readonly row: RequirementId
  /** Place in what is shown. */
  readonly place: string
  readonly saved: Json
  readonly shown: Json | undefined
  readonly holds: boolean
}

/** Rows that speak of the parts of a configuration, for what shows it. */
export interface EchoRows {
  readonly plain: readonly (readonly [RequirementId, string])[]
  /** Only in `video_avatar`. */
  readonly video: readonly (readonly [RequirementId, string])[]
  readonly avatars: RequirementId
  readonly instructions: RequirementId
  readonly images: RequirementId
  /** That no image of an avatar is shown twice. */
  readonly once: RequirementId | undefined
  readonly url: RequirementId | undefined
  readonly visual: RequirementId | undefined
}

/** Compares what is shown of a configuration with what was saved. */
export function echoes(body: JsonObject, shown: JsonObject, rows: EchoRows): readonly Echo[] {
  const inVideo = modeOf(body) === 'video_avatar'
  const places = inVideo ? [...rows.plain, ...rows.video] : rows.plain
  const found = [
    ...places.flatMap(([row, place]) => echo(row, at(body, place), { place, shown: at(shown, place) })),
    ...avatarEchoes(body, shown, { rows, inVideo }),
  ]
  return found.map(leavingOut)
}

/** 4.1: `video_avatar` is the default. */
export function modeOf(body: Json | undefined): string {
  return stringAt(body, '/session/mode') ?? 'video_avatar'
}

interface Way {
  readonly rows: EchoRows
  readonly inVideo: boolean
}

const voicePlaces = ['/voice/provider', '/voice/provider_voice_id', '/voice/model', '/voice/speed'] as const

function avatarEchoes(body: JsonObject, data: JsonObject, { rows, inVideo }: Way): readonly Echo[] {
  const shown = listAt(data, '/avatars')
  const [wanted, got] = [idsOf(body), idsOf(data)]
  const ids: Echo = { row: rows.avatars, place: '/avatars', saved: wanted, shown: got, holds: equal(wanted, got) }
  // "The session TTS configuration takes precedence over every per-avatar voice" (2.3).
  const overruled = at(body, '/pipeline_config/tts_config') !== undefined
  const each = listAt(body, '/avatars').flatMap((saved) => {
    const id = at(saved, '/avatar_id')
    const place = shown.findIndex((avatar) => at(avatar, '/avatar_id') === id)
    if (place === -1) return []
    const pair = { saved, shown: shown[place], place: `/avatars/${place}` }
    const voice = overruled ? [] : voicePlaces.flatMap((path) => member(rows.avatars, path, pair))
    return [...member(rows.instructions, '/instructions', pair), ...voice, ...(inVideo ? visualEchoes(rows, pair) : [])]
  })
  return [ids, ...each]
}

/** Ids of the avatars, in an order of their own. */
export function idsOf(value: Json): readonly Json[] {
  const ids = listAt(value, '/avatars').map((avatar) => at(avatar, '/avatar_id') ?? null)
  return ids.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}

interface Pair {
  readonly saved: Json
  readonly shown: Json | undefined
  readonly place: string
}

function visualEchoes(rows: EchoRows, pair: Pair): readonly Echo[] {
  const images = listAt(pair.shown, '/visual/source_images')
  const list = `${pair.place}/visual/source_images`
  const each = listAt(pair.saved, '/visual/source_images').flatMap((saved) => {
    const id = at(saved, '/source_image_id') ?? null
    const place = images.findIndex((image) => at(image, '/source_image_id') === id)
    const found = { row: rows.images, place: list, saved: id, shown: images, holds: place !== -1 }
    return place === -1
      ? [found]
      : [found, ...imageEchoes(rows, { saved, shown: images[place], place: `${list}/${place}` })]
  })
  if (rows.once !== undefined) {
    // "Unique within the avatar" (2.3).
    const ids = images.map((image) => at(image, '/source_image_id') ?? null)
    const holds = new Set(ids).size === ids.length
    if (ids.length > 0) each.push({ row: rows.once, place: list, saved: [...new Set(ids)], shown: ids, holds })
  }
  if (rows.visual === undefined) return each
  const rest = ['/visual/default_source_image_id', '/visual/instructions'] as const
  return [...each, ...rest.flatMap((path) => (rows.visual === undefined ? [] : member(rows.visual, path, pair)))]
}

/**
 * 2.7: "Source image URLs may be rewritten (rehosted) on save." What is kept elsewhere may be kept in another image format,
 * and said to be so: `media_type` is "the real image format" (2.3).
 */
function imageEchoes(rows: EchoRows, pair: Pair): readonly Echo[] {
  const url = at(pair.shown, '/url')
  const given = at(pair.saved, '/url')
  const kept: Echo | undefined =
    rows.url === undefined || given === undefined
      ? undefined
      : {
          row: rows.url,
          place: `${pair.place}/url`,
          saved: given,
          shown: url,
          holds: typeof url === 'string' && url !== '',
        }
  return [
    ...member(rows.images, '/media_type', pair).map((one) => ({ ...one, holds: one.holds || isConverted(pair) })),
    ...member(rows.images, '/description', pair),
    ...(kept === undefined ? [] : [kept]),
  ]
}

function isConverted({ saved, shown }: Pair): boolean {
  if (!isObject(saved) || !isObject(shown) || !isMoved(shown, saved)) return false
  return isOfKind(shown['media_type'], saved['media_type'] ?? null)
}

function member(row: RequirementId, path: string, { saved, shown, place }: Pair): readonly Echo[] {
  return echo(row, at(saved, path), { place: place + path, shown: at(shown, path) })
}

export function echo(
  row: RequirementId,
  saved: Json | undefined,
  { place, shown }: { readonly place: string; readonly shown: Json | undefined },
): readonly Echo[] {
  return saved === undefined ? [] : [{ row, place, saved, shown, holds: shows(shown, saved) }]
}

/** Texts stay texts; only integers may come as strings (Conventions). */
export function shows(shown: Json | undefined, saved: Json): boolean {
  if (isObject(saved) || Array.isArray(saved)) return carries(shown, saved)
  if (shown === undefined) return false
  return typeof saved === 'string' ? shown === saved : equal(shown, saved)
}

/** What is off or empty may be left out of what is shown. A number is a number, also 0: a temperature, say. */
function leavingOut(one: Echo): Echo {
  const { saved, shown, holds } = one
  if (holds) return one
  const left = isObject(saved) ? shows(shown, withoutWhatIsOff(saved, shown)) : shown === undefined && isOff(saved)
  return { ...one, holds: left }
}

const isOff = (value: Json): boolean => value === false || value === ''

function withoutWhatIsOff(saved: JsonObject, shown: Json | undefined): JsonObject {
  const kept = Object.entries(saved).flatMap(([name, value]): [string, Json][] => {
    const inside = isObject(shown) ? shown[name] : undefined
    if (inside === undefined && isOff(value)) return []
    return [[name, isObject(value) ? withoutWhatIsOff(value, inside) : value]]
  })
  return Object.fromEntries(kept)
}
