import { at, isObject, type Json, type JsonObject } from '#trace/json'
import type { Member } from '../model/additions.ts'

/** An asset that is kept elsewhere has another URL, and may have another format of image or sound. */
const compared = ['format']

export function sameAsset(shown: Member, sent: Member, others: readonly Member[]): boolean {
  if (shown.kind !== sent.kind || hasUrlOf(shown, sent, others)) return false
  const text = textOf(shown)
  if (text !== undefined && textOf(sent) !== undefined && text !== textOf(sent)) return false
  return compared.every((name) => {
    const [one, other] = [at(shown.value, `/${name}`), at(sent.value, `/${name}`)]
    return one === undefined || other === undefined || one === other
  })
}

/** A URL may be another one than was sent, but for that of another asset. */
function hasUrlOf({ value }: Member, sent: Member, others: readonly Member[]): boolean {
  const { url } = value
  return url !== undefined && url !== sent.value['url'] && others.some((other) => other.value['url'] === url)
}

/** A visual prompt may show its text as `prompt`, as at creation (2.4). */
function textOf({ value }: Member): Json | undefined {
  return value['text'] ?? value['prompt']
}

/** Fields of 2.3 that a confirmation shows as they were sent. Others are ignored (4.4), so that they need not come back. */
const voiceFields = ['provider', 'provider_voice_id', 'model', 'speed']
const visualFields = ['default_source_image_id', 'instructions']
/** Images may be kept elsewhere, and in another format. */
const imageFields = ['source_image_id', 'description']

/** A voice of an avatar as far as it is known. */
export const knownVoice = (voice: Json | undefined): Json | undefined => only(voice, voiceFields)

/** A visual of an avatar as far as one that is kept elsewhere agrees with it. */
export function knownVisual(visual: Json): Json | undefined {
  if (!isObject(visual)) return visual
  const { source_images: images } = visual
  const list = Array.isArray(images) ? images.map((image: Json) => only(image, imageFields) ?? null) : images
  return { ...only(visual, visualFields), ...(list === undefined ? {} : { source_images: list }) }
}

function only<T extends Json | undefined>(one: T, names: readonly string[]): T | JsonObject {
  if (!isObject(one)) return one
  return Object.fromEntries(Object.entries(one).filter(([name]) => names.includes(name)))
}
