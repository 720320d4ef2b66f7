import { type Option, pairOf } from '#scenario/author/steering'
import type { JsonObject } from '#trace/json'

/** What the walk believes of the mutable state of a session, and how it is connected. */
export interface Place {
  readonly mode: 'text_chat' | 'video_avatar'
  readonly avatar: 'anna' | 'bert'
  readonly image: 'derived' | 'chosen' | 'cleared'
  readonly connections: 1 | 2
}

interface Row {
  readonly weight: number
  readonly fits?: (place: Place) => boolean
  /** What is asked for, and what it leads to. */
  readonly update?: (place: Place) => { readonly session: JsonObject; readonly to: Partial<Place> }
}

const inVideo = ({ mode }: Place): boolean => mode === 'video_avatar'
const inText = ({ mode }: Place): boolean => mode === 'text_chat'
const alone = ({ connections }: Place): boolean => connections === 1
const paired = ({ connections }: Place): boolean => connections === 2
export const other = { anna: 'bert', bert: 'anna' } as const
const otherMode = { text_chat: 'video_avatar', video_avatar: 'text_chat' } as const

/** Images that are no default, where there is another: anna has two, bert one. */
export const chosen = { anna: 'side', bert: 'face' } as const

const table = {
  'another avatar': {
    weight: 3,
    update: ({ avatar }) => ({
      session: { active_avatar_id: other[avatar] },
      to: { avatar: other[avatar], image: 'derived' },
    }),
  },
  'the same avatar': {
    weight: 1,
    update: ({ avatar }) => ({ session: { active_avatar_id: avatar }, to: {} }),
  },
  'the same mode': { weight: 1, update: ({ mode }) => ({ session: { mode }, to: {} }) },
  'to text': {
    weight: 2,
    fits: inVideo,
    update: () => ({ session: { mode: 'text_chat' }, to: { mode: 'text_chat', image: 'derived' } }),
  },
  'to video': {
    weight: 3,
    fits: inText,
    update: () => ({ session: { mode: 'video_avatar' }, to: { mode: 'video_avatar', image: 'derived' } }),
  },
  'to video with an image': {
    weight: 2,
    fits: inText,
    update: ({ avatar }) => ({
      session: { mode: 'video_avatar', source_image_id: chosen[avatar] },
      to: { mode: 'video_avatar', image: 'chosen' },
    }),
  },
  'to video with another avatar': {
    weight: 2,
    fits: inText,
    update: ({ avatar }) => ({
      session: { mode: 'video_avatar', active_avatar_id: other[avatar] },
      to: { mode: 'video_avatar', avatar: other[avatar], image: 'derived' },
    }),
  },
  'to text with another avatar': {
    weight: 1,
    update: ({ avatar }) => ({
      session: { mode: 'text_chat', active_avatar_id: other[avatar] },
      to: { mode: 'text_chat', avatar: other[avatar], image: 'derived' },
    }),
  },
  'an image in text': {
    weight: 1,
    fits: inText,
    update: ({ avatar }) => ({ session: { source_image_id: chosen[avatar] }, to: {} }),
  },
  'another image': {
    weight: 3,
    fits: inVideo,
    update: ({ avatar }) => ({ session: { source_image_id: chosen[avatar] }, to: { image: 'chosen' } }),
  },
  'another avatar with an image': {
    weight: 2,
    fits: inVideo,
    update: ({ avatar }) => ({
      session: { active_avatar_id: other[avatar], source_image_id: chosen[other[avatar]] },
      to: { avatar: other[avatar], image: 'chosen' },
    }),
  },
  'no image': {
    weight: 4,
    fits: inVideo,
    update: () => ({ session: { source_image_id: null }, to: { image: 'cleared' } }),
  },
  'no image beside an avatar': {
    weight: 2,
    fits: inVideo,
    update: ({ avatar }) => ({
      session: { active_avatar_id: avatar, source_image_id: null },
      to: { image: 'cleared' },
    }),
  },
  'no image in text': { weight: 1, fits: inText, update: () => ({ session: { source_image_id: null }, to: {} }) },
  // "Nullable", and null is what it is in text.
  'text without an image': {
    weight: 1,
    update: () => ({
      session: { mode: 'text_chat', source_image_id: null },
      to: { mode: 'text_chat', image: 'derived' },
    }),
  },
  // What is refused changes nothing, though a part of it could be done.
  'an unknown avatar': {
    weight: 1,
    update: ({ mode }) => ({ session: { mode: otherMode[mode], active_avatar_id: 'nobody' }, to: {} }),
  },
  'an unknown mode': {
    weight: 1,
    update: ({ avatar }) => ({ session: { mode: 'hologram', active_avatar_id: other[avatar] }, to: {} }),
  },
  'an unknown mode beside an image': {
    weight: 1,
    fits: inVideo,
    update: ({ avatar }) => ({ session: { mode: 'hologram', source_image_id: chosen[avatar] }, to: {} }),
  },
  'an image of another': {
    weight: 1,
    fits: inVideo,
    update: ({ avatar }) => ({
      session: { active_avatar_id: other[avatar], source_image_id: chosen[avatar] },
      to: {},
    }),
  },
  'two in a row': { weight: 1 },
  'without an id': { weight: 1 },
  'beside a speech': { weight: 1, fits: inText },
  'beside a waiting speech': { weight: 1, fits: inText },
  'an added avatar': { weight: 1, fits: alone },
  'an avatar that exists': { weight: 1, fits: (place) => alone(place) && inVideo(place) },
  'both connections at once': { weight: 2, fits: paired },
  'different fields at once': { weight: 2, fits: (place) => paired(place) && inVideo(place) },
  'a second connection': { weight: 2, fits: alone },
  'change connections': { weight: 3, fits: paired },
  'leave one connection': { weight: 2, fits: paired },
  'delete over one, look over the other': { weight: 1, fits: paired },
  reconnect: { weight: 2, fits: alone },
  'drop and reconnect': { weight: 1, fits: alone },
} as const satisfies { readonly [operation: string]: Row }

export type Operation = keyof typeof table

const operations = Object.keys(table) as readonly Operation[]

function stateOf({ mode, image, connections }: Place): string {
  const shown = mode === 'text_chat' ? 'text' : `video, image ${image}`
  return connections === 1 ? shown : `${shown}, two connections`
}

/** What can be done to the state. @param video whether the target shows avatars */
export function optionsAt(place: Place, video: boolean): readonly Option<Operation>[] {
  return operations
    .filter((operation) => (table[operation] as Row).fits?.(place) ?? true)
    .filter((operation) => video || !operation.startsWith('to video'))
    .map((operation) => ({
      state: stateOf(place),
      operation,
      move: operation,
      weight: table[operation].weight,
      price: 0,
    }))
}

function placesOf(video: boolean): readonly Place[] {
  const [avatar, one] = ['anna', 1] as const
  const text: Place = { mode: 'text_chat', avatar, image: 'derived', connections: one }
  const shown = (['derived', 'chosen', 'cleared'] as const).map(
    (image): Place => ({ ...text, mode: 'video_avatar', image }),
  )
  const places = video ? [text, ...shown] : [text]
  return places.flatMap((place): readonly Place[] => [place, { ...place, connections: 2 }])
}

/** Every pair that can be made. */
export function placePairs(video: boolean): readonly string[] {
  return [...new Set(placesOf(video).flatMap((place) => optionsAt(place, video).map(pairOf)))]
}

/** What an operation asks for by a single update, and what that leads to. */
export function updateOf(operation: Operation, place: Place) {
  const { update }: Row = table[operation]
  return update?.(place)
}

/** What walks through the state of a session do first. */
export const stateTours = {
  state: [
    'to video',
    'another image',
    'the same avatar',
    'reconnect',
    'the same avatar',
    'no image beside an avatar',
    'another image',
    'another avatar',
    'drop and reconnect',
    'a second connection',
    'the same avatar',
    'another avatar with an image',
    'change connections',
    'another avatar',
    'both connections at once',
    'different fields at once',
    'to video',
    'different fields at once',
    'delete over one, look over the other',
    'leave one connection',
    'a second connection',
    'leave one connection',
    'beside a speech',
    'reconnect',
    'an unknown avatar',
    'another avatar',
    'without an id',
    'to video with an image',
    'an unknown avatar',
    'another avatar',
    'an image of another',
    'no image',
    'an unknown mode',
    'two in a row',
    'to text',
    'no image in text',
    'text without an image',
    'to video',
    'an added avatar',
    'to text with another avatar',
    'an image in text',
    'to video with another avatar',
    'to text',
    'to video with another avatar',
  ],
  stateInVideo: [
    'another image',
    'an unknown avatar',
    'the same avatar',
    'another image',
    'reconnect',
    'the same avatar',
    'an avatar that exists',
    'an added avatar',
    'another image',
    'no image',
    'to text',
    'beside a waiting speech',
    'to video',
    'to text',
    'reconnect',
    'another avatar',
    'to video',
    'to text with another avatar',
    'to video with another avatar',
    'an unknown mode beside an image',
    'the same mode',
  ],
} as const
