import { type JsonObject, type Reader, repeated } from '../reader.ts'
import { canFetch } from '../choices.ts'

export const shelves = ['images', 'audio', 'speech_text', 'visual_prompts'] as const
export type Shelf = (typeof shelves)[number]

export interface Asset {
  readonly id: string
  readonly shelf: Shelf
  readonly sent: JsonObject
  /** What it says, prompts or sounds like. */
  readonly content: string
}

/** @param where 'create' for the shapes of 2.4, 'channel' for those of `asset.add` */
export function readAssets(reader: Reader, where: 'create' | 'channel'): readonly Asset[] {
  const offered = where === 'create' ? shelves.filter((shelf) => shelf !== 'images') : shelves
  const assets = offered.flatMap((shelf) => reader.children(shelf).map((one) => readAsset(one, shelf, where)))
  const twice = repeated(assets.map((asset) => asset.id))
  if (twice !== undefined) throw reader.complain(`asset ${twice} is defined twice`)
  return assets
}

function readAsset(one: Reader, shelf: Shelf, where: 'create' | 'channel'): Asset {
  const id = one.words('asset_id')
  const made = (content: string): Asset => ({ id, shelf, sent: one.bag, content })
  if (shelf === 'speech_text') {
    one.string('format')
    return made(one.words('text'))
  }
  if (shelf === 'visual_prompts') {
    one.string('format')
    return made(one.words(where === 'create' ? 'prompt' : 'text'))
  }
  one.need('url')
  const url = one.https('url') ?? ''
  if (shelf === 'audio') one.choice('mime_type', ['audio/wav', 'audio/mpeg'])
  else one.string('mime_type')
  if (!canFetch(shelf === 'audio' ? 'audio' : 'image', url)) throw one.bad('url', 'could not be fetched')
  return made(url)
}
