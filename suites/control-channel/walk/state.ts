import { smallOutput } from '#scenario/author/bodies'
import type { Option } from '#scenario/author/steering'
import type { Walk } from '#scenario/author/walk'
import type { Context, OpenSession } from '#scenario/author/context'
import type { Pattern } from '#trace/claim'
import { event } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import type { Scene } from '../scene.ts'
import type { Talk } from '../talk.ts'
import { imageFrom, prose, speech, userMessage } from '../bodies.ts'
import { stayAfter } from '../connection/leaving.ts'
import { errorAbout } from '../error-about.ts'
import { deleted, makeItem, remove, seek } from '../items/items.ts'
import { outlast, quiet } from '../responses/responses.ts'
import { mayShow } from '../snapshot/video-later.ts'
import { avatarsFor } from '../updates/images.ts'
import { tryUpdate } from '../updates/updates.ts'
import { chosen, type Operation, optionsAt, other, type Place, placePairs, updateOf } from './place.ts'

/** Characters of a speech beside which something is done, and of one that waits for it. */
const besideCharacters = 400
const waitingCharacters = 40

/** What waits begins, or is refused. */
const begun: Pattern = { where: { '/type': { $in: ['response.created', 'error'] } } }

/** A connection on which the walk claims that it stays when another one is left. */
type Staying = Talk<(typeof stayAfter.rows)[number]>
type StateScene = Scene<(typeof stayAfter.rows)[number]>

/** A session with two avatars. @param mode of a service that shows avatars; others begin in `text_chat` */
export function stateBody(context: Context, mode: Place['mode'] = 'text_chat'): JsonObject {
  const video = mayShow(context)
  const avatars = avatarsFor(context).slice(0, 2)
  return {
    model: 'svc-a1-stream',
    session: {
      mode: video ? mode : 'text_chat',
      active_avatar_id: 'anna',
      // No default: back in video it is not to return.
      ...(video && mode === 'video_avatar' ? { source_image_id: chosen.anna } : {}),
    },
    ...(video ? { output: smallOutput(context.profile) } : {}),
    avatars: video ? avatars : avatars.map(({ avatar_id }) => ({ avatar_id })),
    conversation: { turn_detection: { type: 'manual' } },
  }
}

/** Mode, avatar and image of one session, changed over one connection or two. The rules of the part judge them. */
export class SessionState implements Walk<Place, Operation> {
  readonly name = 'mutable state of a session'
  readonly pairs: readonly string[]
  readonly options: (place: Place) => readonly Option<Operation>[]
  readonly #scene: StateScene
  readonly #session: OpenSession
  /** The one that is spoken on comes first. */
  #talks: readonly Staying[] = []
  /** The one that was opened last. */
  #newest: Staying | undefined
  /** By what it is seen next what became of two fields: an update shows all of them, and hides the one that it sets. */
  #lookBy: 'mode' | 'avatar' = 'mode'

  constructor(scene: StateScene, session: OpenSession) {
    const video = mayShow(scene.context)
    this.#scene = scene
    this.#session = session
    this.options = (place) => optionsAt(place, video)
    this.pairs = placePairs(video)
  }

  async begin(mode: Place['mode']): Promise<Place> {
    this.#talks = [await this.#scene.connect(this.#session)]
    return { mode, avatar: 'anna', image: mode === 'video_avatar' ? 'chosen' : 'derived', connections: 1 }
  }

  readonly perform = async (operation: Operation, place: Place): Promise<Place> => {
    await this.#stayOpen()
    const [talk] = this.#talks
    if (talk === undefined) return place
    const update = updateOf(operation, place)
    if (update === undefined) return this.#connect(operation, place, talk)
    const { session, to } = update
    const whole = Object.keys(to).length > 0
    // What is refused though nothing is wrong with it is asked again: once may be for a reason of the moment.
    const end = (await tryUpdate(talk, session)) ?? (whole ? await tryUpdate(talk, session) : undefined)
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

  async #connect(operation: Operation, place: Place, talk: Staying): Promise<Place> {
    const second = this.#talks[1] ?? talk
    switch (operation) {
      case 'two in a row':
        return this.#inARow(talk, place)
      case 'without an id':
        return this.#nameless(talk, place)
      case 'beside a speech':
        return this.#besideSpeech(talk, place)
      case 'beside a waiting speech':
        return this.#besideWaiting(talk, place)
      case 'an added avatar':
        return this.#addAvatar(talk, place)
      case 'an avatar that exists':
        return this.#addAgain(talk, place)
      case 'drop and reconnect':
        await talk.channel.drop()
        this.#talks = [await this.#scene.connect(this.#session)]
        return place
      case 'both connections at once':
        return this.#race([talk, second], place)
      case 'different fields at once':
        return this.#raceFields([talk, second], place)
      case 'a second connection':
        this.#newest = await this.#scene.connect(this.#session)
        this.#talks = [this.#newest, talk]
        return { ...place, connections: 2 }
      case 'change connections':
        this.#talks = this.#talks.toReversed()
        return place
      case 'leave one connection':
        return second === this.#newest ? this.#leave(talk, second, place) : this.#leave(second, talk, place)
      case 'delete over one, look over the other':
        await deleteElsewhere(talk, second)
        return place
      default:
        await talk.channel.close()
        this.#talks = [await this.#scene.connect(this.#session)]
        return place
    }
  }

  /**
   * The other one goes on working, which an update in text tells: nothing can be wrong with it. It is the newer one: a service
   * may end the older by itself.
   */
  async #leave(leaving: Talk, staying: Staying, place: Place): Promise<Place> {
    this.#talks = [staying]
    const left = { ...place, connections: 1 } as const
    if (place.mode === 'text_chat' && staying !== leaving) {
      await stayAfter(staying, leaving, { mode: 'text_chat', active_avatar_id: place.avatar })
    } else await leaving.channel.close()
    return left
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

  /** An update without an id has the answer of none before. */
  async #nameless(talk: Talk, place: Place): Promise<Place> {
    const frame = talk.send({ type: 'session.update', session: { mode: place.mode } })
    await talk.hear(event('session.update.done'), frame, 'nameless')
    return place
  }

  /** Whatever a response says meanwhile, an update is one. @param queue has another one wait, and returns its frame */
  async #besideSpeech(talk: Talk, place: Place, queue?: () => number): Promise<Place> {
    const event_id = talk.context.id('speech')
    const frame = talk.send({ type: 'response.create', event_id, response: speech(prose(besideCharacters)) })
    await talk.hear([event('response.created'), errorAbout(event_id)], frame, 'walk')
    const queued = queue?.()
    const avatar = other[place.avatar]
    const end = await tryUpdate(talk, { active_avatar_id: avatar })
    if (queued !== undefined) await outlast(talk, begun, queued)
    await quiet(talk)
    return at(end?.data, '/status') === 'completed' ? { ...place, avatar, image: 'derived' } : place
  }

  /** What is set while a response waits is in force when that one has had its turn. */
  async #besideWaiting(talk: Talk, place: Place): Promise<Place> {
    const left = await this.#besideSpeech(talk, place, () => {
      const response = speech(prose(waitingCharacters), { scheduling_policy: 'after_current_response' })
      return talk.send({ type: 'response.create', event_id: talk.context.id('speech'), response })
    })
    await tryUpdate(talk, { mode: place.mode })
    return left
  }

  /** An avatar that was added stays the active one over a reconnect. */
  async #addAvatar(talk: Talk, place: Place): Promise<Place> {
    const avatar_id = talk.context.id('avatar')
    const visual = { source_images: [imageFrom(talk.context, 'first')] }
    const event_id = talk.context.id('add')
    const avatars = [{ avatar_id, ...(mayShow(talk.context) ? { visual } : {}) }]
    const frame = talk.send({ type: 'avatar.add', event_id, avatars })
    await talk.hearRefusal(event_id, frame, [event('avatar.added')], 'walk')
    // It is neither the active one by that, nor is its image shown.
    await tryUpdate(talk, { mode: place.mode })
    await tryUpdate(talk, { active_avatar_id: avatar_id })
    await talk.channel.close()
    const next = await this.#scene.connect(this.#session)
    this.#talks = [next]
    await tryUpdate(next, { mode: place.mode })
    const end = await tryUpdate(next, { active_avatar_id: place.avatar })
    return at(end?.data, '/status') === 'completed' ? { ...place, image: 'derived' } : place
  }

  /** What exists keeps its images: none comes in, alone or beside a new avatar, and none goes. */
  async #addAgain(talk: Talk, place: Place): Promise<Place> {
    const [active_avatar_id, known, later] = [place.avatar, chosen[place.avatar], talk.context.id('later')]
    await tryUpdate(talk, { active_avatar_id, source_image_id: known })
    const again = { avatar_id: active_avatar_id, visual: { source_images: [imageFrom(talk.context, later)] } }
    const pal = { avatar_id: talk.context.id('avatar'), visual: { source_images: [imageFrom(talk.context, 'face')] } }
    for (const avatars of [[again], [pal, again]]) {
      const event_id = talk.context.id('add')
      const frame = talk.send({ type: 'avatar.add', event_id, avatars })
      await talk.hearRefusal(event_id, frame, [event('avatar.added')], 'walk')
      await tryUpdate(talk, { active_avatar_id, source_image_id: later })
    }
    const end = await tryUpdate(talk, { active_avatar_id, source_image_id: known })
    return at(end?.data, '/status') === 'completed' ? { ...place, image: 'chosen' } : place
  }

  /** An older connection may be closed by the service. */
  async #stayOpen(): Promise<void> {
    this.#talks = this.#talks.filter(({ channel }) => channel.state === 'open')
    if (this.#talks.length === 0) this.#talks = [await this.#scene.connect(this.#session)]
  }
}

/** What one connection deletes, the other one does not find any more. */
async function deleteElsewhere(talk: Talk, beside: Talk): Promise<void> {
  const { id = '' } = await makeItem(talk, userMessage('This goes.'))
  const { id: known = '' } = await makeItem(talk, userMessage('This stays.'))
  await remove(beside, id, event(deleted, { '/item_id': id }))
  await seek(talk, id, known, () => ({}))
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
