import type { Context } from '#scenario/author/context'
import type { JsonObject } from '#trace/json'
import { speechAsset } from '../assets/additions.ts'
import { anotherUrl, besideInvalid } from '../assets/refuse.ts'
import { prose } from '../bodies.ts'
import { errorAbout, startedFor } from '../error-about.ts'
import { quiet } from '../responses/responses.ts'
import type { Talk } from '../talk.ts'
import { among } from './among.ts'
import type { Operation, Register } from './register.ts'

const ofKind = [
  'add a prompt again',
  'add a prompt under the id of a text',
  'add a refused prompt',
  'add media',
  'add media again',
  'add refused media',
  'add a sound under the id of a text',
] as const satisfies readonly Operation[]

type OfKind = (typeof ofKind)[number]

export const isOfKind = among(ofKind)

/** Addresses of an image and a sound that the service can fetch. */
export function mediaOf({ profile }: Context): { readonly image: string; readonly sound: string } | undefined {
  const { image_url: image, audio_url: sound } = profile.media ?? {}
  return image === undefined || sound === undefined ? undefined : { image, sound }
}

interface Shelves {
  readonly talk: Talk
  /** Whether an addition was confirmed. */
  readonly added: (assets: JsonObject) => Promise<boolean>
}

/** Adds assets of which nothing is heard. What has an id that is taken is sent alone: each is refused for itself. */
export async function addOfKind(operation: OfKind, register: Register, { talk, added }: Shelves): Promise<Register> {
  const { context } = talk
  const { image = '', sound = '' } = mediaOf(context) ?? {}
  const [taken = ''] = register.texts
  const [map = '', bell = ''] = register.media
  const repetition = { ...register, last: 'a repetition' } as const
  const prompt = (asset_id: string) => ({ visual_prompts: [{ asset_id, text: `${context.id('prompt')}: bows.` }] })
  switch (operation) {
    case 'add a prompt again':
      await added(prompt(register.prompts[0] ?? ''))
      return repetition
    case 'add a prompt under the id of a text':
      await added(prompt(taken))
      return repetition
    case 'add a refused prompt': {
      const [again = '', ...refusedPrompts] = register.refusedPrompts.toReversed()
      const { visual_prompts } = prompt(again)
      const good = await added({ visual_prompts })
      if (good) return { ...register, refusedPrompts, prompts: [...register.prompts, again], last: 'an addition' }
      // Whether it is the text that is refused, and not its id, another id tells.
      await added({ visual_prompts: visual_prompts.map((one) => ({ ...one, asset_id: context.id('prompt') })) })
      return register
    }
    case 'add a sound under the id of a text':
      await added({ audio: [{ asset_id: taken, url: sound }] })
      return repetition
    case 'add media again':
      await added({ images: [{ asset_id: map, url: anotherUrl(image) }] })
      await added({ audio: [{ asset_id: bell, url: anotherUrl(sound) }] })
      return repetition
    case 'add refused media':
      await addRefused(talk, added, { images: image, audio: sound })
      return { ...register, last: 'a refusal' }
    default: {
      const [newMap, newBell] = [context.id('map'), context.id('bell')]
      const twice = (id: string, url: string) => [id, `${id}-beside`].map((asset_id) => ({ asset_id, url }))
      const good = await added({ images: twice(newMap, image), audio: twice(newBell, sound) })
      return good ? { ...register, media: [newMap, newBell], last: 'an addition' } : register
    }
  }
}

/** What was refused with another one, of its kind or not, is added by itself: nobody has its id. Its media may not be had just then, so it gets two tries. */
async function addRefused(
  { context }: Talk,
  added: Shelves['added'],
  urls: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [kind, url] of Object.entries(urls)) {
    for (const beside of [kind, 'speech_text']) {
      const asset = { asset_id: context.id(kind), url }
      const refused = !(await added(besideInvalid(kind, asset, beside, { asset_id: context.id(beside) })))
      if (refused && !(await added({ [kind]: [asset] }))) await added({ [kind]: [asset] })
    }
  }
}

/** More characters than a store holds that was made for a power of two. */
const long = 1_100

/** A text that is never spoken, since that would take its time. */
export const longText = (asset_id: string): JsonObject => ({ asset_id, text: prose(long) })

/** Avatars with instructions and without, the last with many. */
export const severalAvatars = (context: Context, first: JsonObject, silent: string): readonly JsonObject[] => [
  { ...first, instructions: 'You lead.' },
  { avatar_id: context.id('avatar'), instructions: 'You speak.' },
  { avatar_id: silent },
  { avatar_id: context.id('avatar'), instructions: prose(long) },
]

/** What is not registered is refused at once; what is, is heard to its end. */
export async function speakAsset(talk: Talk, id: string): Promise<void> {
  const event_id = talk.context.id('speak')
  const frame = talk.send({ type: 'response.create', event_id, response: speechAsset(id) })
  await talk.hear([startedFor(event_id), errorAbout(event_id)], frame, 'walk')
  await quiet(talk)
}
