import { pairOf, type Option } from '#scenario/author/steering'
import { type Walk } from '#scenario/author/walk'
import type { Context, OpenSession } from '#scenario/author/context'
import { event } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import type { Scene } from '../scene.ts'
import type { Talk } from '../talk.ts'
import { avatarsFor } from '../updates/images.ts'
import { tryUpdate } from '../updates/updates.ts'

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
const other = { anna: 'bert', bert: 'anna' } as const

/** Images that are no default: anna has two, bert one. */
const chosen = { anna: 'side', bert: 'face' } as const

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
  'an unknown avatar': { weight: 1, update: () => ({ session: { active_avatar_id: 'nobody' }, to: {} }) },
  // What is refused changes nothing, though a part of it could be done.
  'an unknown mode': {
    weight: 1,
    update: ({ avatar }) => ({ session: { mode: 'hologram', active_avatar_id: other[avatar] }, to: {} }),
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
  'both connections at once': { weight: 2, fits: paired },
  'different fields at once': { weight: 2, fits: (place) => paired(place) && inVideo(place) },
  'a second connection': { weight: 2, fits: alone },
  'change connections': { weight: 3, fits: paired },
  'leave one connection': { weight: 2, fits: paired },
  reconnect: { weight: 2, fits: alone },
} as const satisfies { readonly [operation: string]: Row }

type Operation = keyof typeof table

const operations = Object.keys(table) as readonly Operation[]

export function stateOf({ mode, image, connections }: Place): string {
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

/** Whether this target shows avatars at an address that it can reach. */
export function mayShow(context: Context): boolean {
  return context.offers('video') && context.profile.media?.image_url !== undefined
}

/** A session with two avatars; in `text_chat` at first. */
export function stateBody(context: Context): JsonObject {
  const video = mayShow(context)
  const avatars = avatarsFor(context).slice(0, 2)
  return {
    model: 'svc-a1-stream',
    session: { mode: 'text_chat', active_avatar_id: 'anna' },
    ...(video ? { output: { aspect_ratio: '9:16', resolution: '480p' } } : {}),
    avatars: video ? avatars : avatars.map(({ avatar_id }) => ({ avatar_id })),
    conversation: { turn_detection: { type: 'manual' } },
  }
}

/** Mode, avatar and image of one session, changed over one connection or two. The rules of the part judge them. */
export class SessionState implements Walk<Place, Operation> {
  readonly name = 'mutable state of a session'
  readonly pairs: readonly string[]
  readonly options: (place: Place) => readonly Option<Operation>[]
  readonly #scene: Scene
  readonly #session: OpenSession
  /** The one that is spoken on comes first. */
  #talks: readonly Talk[] = []
  /** By what it is seen next what became of two fields: an update shows all of them, and hides the one that it sets. */
  #lookBy: 'mode' | 'avatar' = 'mode'

  constructor(scene: Scene, session: OpenSession) {
    const video = mayShow(scene.context)
    this.#scene = scene
    this.#session = session
    this.options = (place) => optionsAt(place, video)
    this.pairs = [...new Set(placesOf(video).flatMap((place) => optionsAt(place, video).map(pairOf)))]
  }

  async begin(): Promise<Place> {
    this.#talks = [await this.#scene.connect(this.#session)]
    return { mode: 'text_chat', avatar: 'anna', image: 'derived', connections: 1 }
  }

  readonly perform = async (operation: Operation, place: Place): Promise<Place> => {
    await this.#stayOpen()
    const [talk] = this.#talks
    const { update }: Row = table[operation]
    if (talk === undefined) return place
    if (update === undefined) return this.#connect(operation, place, talk)
    const { session, to } = update(place)
    const end = await tryUpdate(talk, session)
    return at(end?.data, '/status') === 'completed' ? { ...place, ...to } : place
  }

  /** What the last update left is found by every connection, and by a new one. */
  async drain({ avatar }: Place): Promise<void> {
    await this.#stayOpen()
    for (const talk of this.#talks) await tryUpdate(talk, { active_avatar_id: avatar })
    for (const talk of this.#talks) await talk.channel.close()
    const last = await this.#scene.connect(this.#session)
    await tryUpdate(last, { active_avatar_id: other[avatar] })
    await last.leave()
  }

  async #connect(operation: Operation, place: Place, talk: Talk): Promise<Place> {
    const second = this.#talks[1] ?? talk
    switch (operation) {
      case 'two in a row':
        return this.#inARow(talk, place)
      case 'both connections at once':
        return this.#race([talk, second], place)
      case 'different fields at once':
        return this.#raceFields([talk, second], place)
      case 'a second connection':
        this.#talks = [await this.#scene.connect(this.#session), talk]
        return { ...place, connections: 2 }
      case 'change connections':
        this.#talks = this.#talks.toReversed()
        return place
      case 'leave one connection':
        await talk.channel.close()
        this.#talks = this.#talks.slice(1)
        return { ...place, connections: 1 }
      default:
        await talk.channel.close()
        this.#talks = [await this.#scene.connect(this.#session)]
        return place
    }
  }

  /** Two updates on their way at the same time: either may come last. */
  async #race(talks: readonly [Talk, Talk], place: Place): Promise<Place> {
    await updateAtOnce(talks, [{ active_avatar_id: other[place.avatar] }, { active_avatar_id: place.avatar }])
    // Whoever was last, this one is later.
    const end = await tryUpdate(talks[0], { active_avatar_id: place.avatar })
    return at(end?.data, '/status') === 'completed' ? { ...place, image: 'derived' } : place
  }

  /** The newer one is in effect in the end, which one shows that names no avatar. */
  async #inARow(talk: Talk, place: Place): Promise<Place> {
    await updateAtOnce([talk, talk], [{ active_avatar_id: other[place.avatar] }, { active_avatar_id: place.avatar }])
    const end = await tryUpdate(talk, { mode: place.mode })
    return at(end?.data, '/status') === 'completed' ? { ...place, image: 'derived' } : place
  }

  /** Two updates at the same time that have nothing to do with each other: neither may undo the other. */
  async #raceFields(talks: readonly [Talk, Talk], place: Place): Promise<Place> {
    const avatar = other[place.avatar]
    const fields = { avatar: { active_avatar_id: avatar }, mode: { mode: 'text_chat' } } as const
    await updateAtOnce(talks, [fields.avatar, fields.mode])
    const end = await tryUpdate(talks[0], fields[this.#lookBy])
    this.#lookBy = this.#lookBy === 'mode' ? 'avatar' : 'mode'
    const done = at(end?.data, '/status') === 'completed'
    return done ? { ...place, mode: 'text_chat', avatar, image: 'derived' } : place
  }

  /** An older connection may be closed by the service. */
  async #stayOpen(): Promise<void> {
    this.#talks = this.#talks.filter(({ channel }) => channel.state === 'open')
    if (this.#talks.length === 0) this.#talks = [await this.#scene.connect(this.#session)]
  }
}

/** Sends both before either is answered, and waits until both are done. */
async function updateAtOnce(talks: readonly [Talk, Talk], asked: readonly [JsonObject, JsonObject]): Promise<void> {
  const sent = talks.map((talk, index) => {
    const event_id = talk.context.id('race')
    const frame = talk.send({ type: 'session.update', event_id, session: asked[index] ?? {} })
    return { talk, frame, done: event('session.update.done', { '/request_event_id': event_id }) }
  })
  for (const { talk, frame, done } of sent) await talk.hear(done, frame, 'race')
}
