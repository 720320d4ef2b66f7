import { type Check, distinct, Fault, list, nonempty, number, shape, str } from './reading.ts'

const mediaType: Check<string> = (value, at) => {
  const given = str(value, at)
  if (!given.startsWith('image/')) throw new Fault(at, 'must start with image/')
  return given
}

const sourceImage = shape({ source_image_id: nonempty, media_type: mediaType }, { url: nonempty, description: str })

const visual = shape({}, { source_images: list(sourceImage), default_source_image_id: str, instructions: str })

const voice = shape({ provider: nonempty, provider_voice_id: nonempty, model: nonempty }, { speed: number(0.7, 1.2) })

const avatarFields = shape({ avatar_id: nonempty }, { instructions: str, voice, visual })

/** An avatar definition (2.3). Text only needs no usable image, so `visual` may be missing. */
export type Avatar = ReturnType<typeof avatarFields>

export const avatar: Check<Avatar> = (value, at) => {
  const given = avatarFields(value, at)
  const images = given.visual?.source_images ?? []
  distinct(
    images.map((image) => image.source_image_id),
    `${at}.visual.source_images`,
  )
  return given
}

/** 2.3: `url` is "required … for each image registered via `avatar.add`". */
export const addedAvatar: Check<Avatar> = (value, at) => {
  const given = avatar(value, at)
  const bare = given.visual?.source_images?.find((image) => image.url === undefined)
  if (bare !== undefined) throw new Fault(`${at}.visual.source_images`, 'must each have a url')
  return given
}
