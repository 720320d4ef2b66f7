import { type JsonObject, isBag, Reader, repeated } from '../reader.ts'
import { canFetch } from '../choices.ts'

/** An avatar as it was sent, after its shape was found good. */
export interface Avatar {
  readonly id: string
  readonly sent: JsonObject
  /** Source images that have a URL, by id. */
  readonly usable: readonly string[]
  readonly chosen: string | undefined
}

/** Section 2.3. @param everyImage whether each image needs its URL, as it does for `avatar.add` */
export function readAvatars(readers: readonly Reader[], everyImage: boolean): readonly Avatar[] {
  const avatars = readers.map((reader) => readAvatar(reader, everyImage))
  const twice = repeated(avatars.map((avatar) => avatar.id))
  const first = readers[0]
  if (twice !== undefined && first !== undefined) throw first.complain(`avatar ${twice} is defined twice`)
  return avatars
}

function readAvatar(reader: Reader, everyImage: boolean): Avatar {
  const id = reader.words('avatar_id')
  reader.string('instructions')
  readVoice(reader.child('voice'))
  const visual = reader.child('visual')
  if (visual === undefined) return { id, sent: reader.bag, usable: [], chosen: undefined }
  visual.need('source_images')
  visual.string('instructions')
  const images = visual.children('source_images')
  const ids = images.map((image) => readImage(image, everyImage))
  const twice = repeated(ids)
  if (twice !== undefined) throw visual.bad('source_images', `holds ${twice} twice`)
  const chosen = visual.string('default_source_image_id')
  if (chosen !== undefined && !ids.includes(chosen)) throw visual.bad('default_source_image_id', 'names no image')
  const usable = images.filter((image) => image.has('url')).map((image) => image.words('source_image_id'))
  return { id, sent: reader.bag, usable, chosen }
}

function readVoice(voice: Reader | undefined): void {
  if (voice === undefined) return
  for (const name of ['provider', 'provider_voice_id', 'model']) voice.words(name)
  voice.number('speed', 0.7, 1.2)
}

function readImage(image: Reader, needsUrl: boolean): string {
  const id = image.words('source_image_id')
  image.string('description')
  const type = image.words('media_type')
  if (!type.startsWith('image/')) throw image.bad('media_type', 'is no image type')
  if (needsUrl) image.need('url')
  if (image.has('url') && !canFetch('image', image.words('url'))) throw image.bad('url', 'could not be fetched')
  // "The real image format": what the address serves is a PNG.
  if (image.has('url') && type !== 'image/png') throw image.bad('media_type', 'is not the format of the image')
  return id
}

/** Section 4.1, rule 2, without an explicit image. */
export function imageOf(avatar: Avatar): string | undefined {
  if (avatar.chosen !== undefined) return avatar.usable.includes(avatar.chosen) ? avatar.chosen : undefined
  return avatar.usable.length === 1 ? avatar.usable[0] : undefined
}

/** The same avatars with their portraits at addresses of our own. */
export function rehosted(avatars: readonly unknown[], address: (image: string) => string): unknown[] {
  return avatars.map((avatar) => {
    if (!isBag(avatar) || !isBag(avatar['visual']) || !Array.isArray(avatar['visual']['source_images'])) return avatar
    const source_images = avatar['visual']['source_images'].map((image: unknown) =>
      isBag(image) && typeof image['url'] === 'string' ? { ...image, url: address(image['url']) } : image,
    )
    return { ...avatar, visual: { ...avatar['visual'], source_images } }
  })
}
