import { at, type Json, type JsonObject } from '#trace/json'
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

/** An image as far as one that is kept elsewhere agrees with it. */
export function rehosted(image: JsonObject): JsonObject {
  const { url: _, media_type: __, ...kept } = image
  return kept
}
