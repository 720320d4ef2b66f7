import type { Channel, Frame } from '#client/types'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Json, JsonObject } from '#trace/json'
import { at } from '#trace/json'
import { message, speech, speechAsset } from './talk.ts'

const image = (id: string): JsonObject => ({
  source_image_id: id,
  url: `https://media.example/${id}.png`,
  media_type: 'image/png',
})
const avatars: readonly JsonObject[] = [
  {
    avatar_id: 'guide',
    instructions: 'Be kind.',
    visual: { source_images: [image('g1'), image('g2')], default_source_image_id: 'g1' },
  },
  { avatar_id: 'host', visual: { source_images: [image('h1'), image('g2')], default_source_image_id: 'h1' } },
  { avatar_id: 'plain' },
]
const long = Array.from({ length: 40 }, (_, line) => `Line ${line} of a long story.`).join(' ')

/** A walk through the control channel, for tests of what judges traces. It waits for answers, and claims nothing. */
export function tour(mode: 'text_chat' | 'video_avatar'): Scenario {
  const needs = mode === 'video_avatar' ? { needs: { abilities: ['video'] as const } } : {}
  return {
    id: `tour.${mode.replace('_', '-')}`,
    proves: [],
    price: { requests: { primary: 2 } },
    ...needs,
    drive: (context) => walk(context, mode),
  }
}

async function walk(context: Context, mode: string): Promise<void> {
  const session = await context.create({
    model: 'svc-a1-stream',
    ...(mode === 'video_avatar' ? { output: { aspect_ratio: '9:16', resolution: '480p' } } : {}),
    session: { mode, active_avatar_id: 'guide' },
    avatars,
    assets: { speech_text: [{ asset_id: 'greet', text: 'Good morning.' }] },
    conversation: { turn_detection: { type: 'manual' }, tools: [{ type: 'function', name: 'look_up' }] },
  })
  const walker = new Walker(context, await context.connect(session))
  await walker.state(mode)
  await walker.items()
  await walker.responses()
  const other = await context.connect(session)
  await walker.respond(speech('Who hears this?'))
  await walker.channel.close()
  await new Walker(context, other).respond(speech('And this?'))
}

class Walker {
  readonly channel: Channel
  readonly #context: Context

  constructor(context: Context, channel: Channel) {
    this.#context = context
    this.channel = channel
  }

  async state(mode: string): Promise<void> {
    for (const session of [
      { active_avatar_id: 'host' },
      { active_avatar_id: 'nobody' },
      {},
      { mode },
      { active_avatar_id: 'guide' },
    ])
      await this.update(session)
    if (mode === 'video_avatar') {
      for (const session of [
        { source_image_id: 'g2' },
        {},
        { source_image_id: null },
        { mode: 'text_chat' },
        { mode },
        { active_avatar_id: 'plain' },
      ])
        await this.update(session)
    }
    const speech_text = [{ asset_id: 'news', text: 'It rains.' }]
    await this.ask('asset.add', { assets: { speech_text } }, 'asset.added')
    await this.ask('asset.add', { assets: { speech_text: [{ asset_id: 'news', text: 'It snows.' }] } }, 'asset.added')
    await this.ask('avatar.add', { avatars: [{ avatar_id: 'late', instructions: 'Be late.' }] }, 'avatar.added')
    await this.update({ active_avatar_id: 'host' })
  }

  async items(): Promise<void> {
    const id = this.#context.id('item')
    await this.ask('conversation.item.create', { item: message(id, 'user', 'One.') }, 'conversation.item.created')
    const { id: _, ...nameless } = message('', 'user', 'Two.')
    await this.ask('conversation.item.create', { item: nameless }, 'conversation.item.created')
    await this.ask(
      'conversation.item.create',
      { item: nameless, previous_item_id: 'root' },
      'conversation.item.created',
    )
    await this.retrieve(id)
    await this.ask('conversation.item.delete', { item_id: id }, 'conversation.item.deleted')
    await this.retrieve(id)
    await this.ask('conversation.item.create', { item: nameless }, 'conversation.item.created')
  }

  async responses(): Promise<void> {
    await this.keep(speech(' “Exactly”\nso. '))
    await this.keep(speechAsset('news'))
    await this.keep(speechAsset('greet', { conversation: 'none' }))
    await this.keep({ scheduling_policy: 'reject_if_busy' })
    await this.respond({ script: { visual: { prompt: 'Wave.', duration_ms: 10 } } })
    await this.start(speech(long))
    await this.ask('response.create', { response: { scheduling_policy: 'reject_if_busy' } }, 'response.created')
    this.#send('response.create', { response: speech('Later.', { scheduling_policy: 'after_current_response' }) })
    this.#send('response.cancel', {})
    await this.#rest()
    await this.start(speech(long))
    await this.respond(speech('Now me.'))
    await this.#rest()
  }

  async update(session: JsonObject): Promise<void> {
    const updated = await this.ask('session.update', { session }, 'session.updated')
    if (updated?.type === 'session.updated')
      await this.channel.next({ type: 'session.update.done' }, { after: updated.frame })
  }

  retrieve(item_id: string): Promise<Frame | undefined> {
    return this.ask('conversation.item.retrieve', { item_id }, 'conversation.item.retrieved')
  }

  start(response: JsonObject): Promise<Frame | undefined> {
    return this.ask('response.create', { response }, 'response.created')
  }

  async respond(response: JsonObject): Promise<Frame | undefined> {
    const created = await this.start(response)
    if (created?.type !== 'response.created') return undefined
    return this.channel.next({ type: 'response.done' }, { after: created.frame, within_ms: 3_000 })
  }

  /** Looks afterwards whether the item was kept. */
  async keep(response: JsonObject): Promise<void> {
    const done = await this.respond(response)
    const id = at(done?.data, '/response/output/0/id')
    if (typeof id === 'string') await this.retrieve(id)
  }

  ask(type: string, fields: JsonObject, answer: string): Promise<Frame | undefined> {
    const after = this.#send(type, fields)
    return this.channel.next([{ type: answer }, { type: 'error' }], { after, within_ms: 700 })
  }

  #send(type: string, fields: { readonly [name: string]: Json }): number {
    return this.channel.send({ type, event_id: this.#context.id('tour'), ...fields }).frame
  }

  /** Until as many responses are done as were created. */
  async #rest(): Promise<void> {
    const count = (type: string): number => this.channel.frames.filter((frame) => frame.type === type).length
    for (let left = 20; left > 0 && count('response.created') > count('response.done'); left -= 1) {
      await this.channel.next(
        { type: 'response.done' },
        { after: this.channel.frames.at(-1)?.frame ?? 0, within_ms: 300 },
      )
    }
  }
}
