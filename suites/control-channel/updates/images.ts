import { smallOutput } from '#scenario/author/bodies'
import { Blocked } from '#scenario/author/blocked'
import type { Context, OpenSession } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { accepted, any } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { imageFrom } from '../bodies.ts'

export interface Images {
  readonly session: OpenSession
  /** The service took an avatar that it may as well refuse at create time. */
  readonly took: (avatar: 'carl' | 'dora' | 'emil') => Condition
}

/**
 * `anna` has two images and a default, `bert` one image. An image without URL, two without default, and none at all may be
 * refused at create time: they are left out then, one after the other.
 */
export async function createWithImages(context: Context): Promise<Images> {
  const avatars = avatarsFor(context)
  const tries = [5, 4, 3, 2].map((count) => ({ avatars: avatars.slice(0, count), exchange: context.exchange() }))
  const took = (avatar: string) => {
    const having = tries.filter((one) => one.avatars.some(({ avatar_id }) => avatar_id === avatar))
    return any(...having.map(({ exchange }) => accepted(exchange)))
  }
  for (const { avatars: some, exchange } of tries) {
    const session = await tryCreate(context, some, exchange)
    if (session !== undefined) return { session, took }
  }
  return context.block('prerequisite', 'no session with images could be created')
}

export function avatarsFor(context: Context) {
  const image = (id: string) => imageFrom(context, id)
  const { url: _, ...hidden } = image('hidden')
  const anna = { source_images: [image('front'), image('side'), image('near')], default_source_image_id: 'front' }
  return [
    { avatar_id: 'anna', visual: anna },
    { avatar_id: 'bert', visual: { source_images: [image('face')] } },
    { avatar_id: 'carl' },
    { avatar_id: 'emil', visual: { source_images: [image('left'), image('right')] } },
    { avatar_id: 'dora', visual: { source_images: [hidden] } },
  ]
}

/** @returns undefined when the service refuses the avatars */
async function tryCreate(
  context: Context,
  avatars: readonly JsonObject[],
  exchange: number,
): Promise<OpenSession | undefined> {
  try {
    return await context.create(body(context, avatars), { exchange })
  } catch (error) {
    if (error instanceof Blocked && error.code === 'prerequisite') return undefined
    throw error
  }
}

function body({ profile }: Context, avatars: readonly JsonObject[]): JsonObject {
  return {
    model: 'svc-a1-stream',
    // Another image than the default: it must not come back once it was cleared.
    session: { mode: 'video_avatar', active_avatar_id: 'anna', source_image_id: 'side' },
    output: smallOutput(profile),
    avatars,
    conversation: { turn_detection: { type: 'manual' } },
  }
}
