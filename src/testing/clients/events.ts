import type { Json, JsonObject } from '#trace/json'
import { avatar, tool } from './bodies.ts'
import type { Dice } from './dice.ts'

/** An event of a client that knows these items; one in a few is invalid. */
export function eventOf(dice: Dice, items: readonly string[]): JsonObject {
  const id = (): string => (dice.percent(80) ? dice.one(items) : undefined) ?? dice.pick('nope', 'it-1', 'it-2')
  const makers = [
    () => ({ type: 'response.create' }),
    () => ({ type: 'response.create', response: response(dice, id) }),
    () => ({ type: 'response.create', response: response(dice, id) }),
    () => ({ type: 'response.create', response: response(dice, id) }),
    () => ({ type: 'response.cancel' }),
    () => ({ type: 'session.update', session: update(dice) }),
    () => ({ type: 'asset.add', assets: addedAssets(dice) }),
    () => ({ type: 'avatar.add', avatars: addedAvatars(dice) }),
    () => ({ type: 'conversation.item.create', ...place(dice, id), item: { ...ownId(dice), ...item(dice) } }),
    () => ({ type: 'conversation.item.create', item: item(dice) }),
    () => ({ type: 'conversation.item.retrieve', item_id: id() }),
    () => ({ type: 'conversation.item.delete', item_id: id() }),
    () => dice.pick<JsonObject>({ type: 'unknown.event' }, { type: 'session.created' }, { hello: 1 }, { type: 7 }),
  ] as const
  const event = dice.pick<() => JsonObject>(...makers)()
  return { ...event, ...eventId(dice), ...dice.maybe(5, () => ({ extra: true })) }
}

/** Ids as careless clients give them: none, one for all, one that is too long. */
function eventId(dice: Dice): JsonObject {
  const fresh = (): JsonObject => ({ event_id: `e-${dice.number(1, 1_000_000_000)}` })
  const makers: readonly [() => JsonObject, ...(() => JsonObject)[]] = [
    () => ({}),
    fresh,
    fresh,
    fresh,
    () => ({ event_id: `same-${dice.number(1, 4)}` }),
    () => ({ event_id: `é🎭${dice.number(1, 99)}` }),
    () => (dice.percent(20) ? { event_id: 'x'.repeat(dice.pick(512, 513)) } : fresh()),
    () => (dice.percent(10) ? { event_id: 5 } : fresh()),
  ]
  return dice.pick(...makers)()
}

const ownId = (dice: Dice): JsonObject => dice.maybe(40, () => ({ id: `it-${dice.pick(1, 2, dice.number(3, 30))}` }))

function place(dice: Dice, id: () => string): JsonObject {
  return dice.maybe(40, () => ({ previous_item_id: dice.pick<Json>('root', id(), null) }))
}

function item(dice: Dice): JsonObject {
  const text = dice.text()
  const message = (role: string, type: string): JsonObject => ({ type: 'message', role, content: [{ type, text }] })
  return dice.pick<JsonObject>(
    message('user', 'input_text'),
    message('user', 'input_text'),
    message('system', 'input_text'),
    message('assistant', 'text'),
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_image', image_url: 'https://media.example.com/a.png', detail: 'low' }],
    },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_audio', audio: 'UklGRg==', transcript: text },
        { type: 'input_text', text },
      ],
    },
    { type: 'function_call', call_id: 'c1', name: 'tool_0', arguments: '{"city":"x"}' },
    { type: 'function_call_output', call_id: 'c1', output: '{"ok":true}' },
    { type: 'message', role: 'narrator', content: [] },
    { type: 'poem' },
    {},
  )
}

function script(dice: Dice): JsonObject {
  const vocal = dice.pick<JsonObject>(
    { type: 'speech', text: dice.text() },
    { type: 'speech', text: dice.text() },
    { type: 'speech_asset', speech_text_asset_id: dice.pick('t1', 'n1', 'none') },
    { type: 'audio_asset', audio_asset_id: dice.pick('a1', 'none') },
    { type: 'audio', mime_type: 'audio/wav', url: 'https://media.example.com/a.wav' },
    { type: 'audio', mime_type: 'audio/wav', audio: 'UklGRg==' },
  )
  const visual = dice.pick<JsonObject>(
    { prompt: 'wave [SHOT_SEP] nod', duration_ms: 500 },
    { visual_prompt_asset_id: dice.pick('v1', 'none'), duration_ms: 300 },
  )
  return dice.pick<JsonObject>({ vocal }, { vocal }, { vocal, visual }, { visual }, {})
}

function response(dice: Dice, id: () => string): JsonObject {
  const how = {
    ...dice.maybe(40, () => ({ conversation: dice.pick('auto', 'none', 'none', 'odd') })),
    ...dice.maybe(60, () => ({
      scheduling_policy: dice.pick('interrupt', 'reject_if_busy', 'after_current_response', 'later'),
    })),
  }
  if (dice.percent(35)) return { ...how, script: script(dice), ...dice.maybe(5, () => ({ instructions: 'x' })) }
  return {
    ...how,
    ...dice.maybe(30, () => ({ instructions: dice.text() })),
    ...dice.maybe(20, () => ({ max_output_tokens: dice.pick<Json>(1, 5, 100, 'inf', 0, 'many') })),
    ...dice.maybe(20, () => ({ tools: [tool('tool_2', dice)] })),
    ...dice.maybe(30, () => ({ input: dice.pick<Json>([], [{ type: 'item_reference', id: id() }], [item(dice)]) })),
  }
}

function update(dice: Dice): JsonObject {
  return dice.pick<JsonObject>(
    { mode: 'text_chat' },
    { mode: 'video_avatar' },
    { active_avatar_id: dice.pick('av-0', 'av-1', 'Av 0', 'new-1', 'nobody') },
    { source_image_id: dice.pick<Json>('img-0', 'img-1', 'img-2', null, 'no') },
    { mode: 'video_avatar', active_avatar_id: 'av-0', source_image_id: 'img-0' },
    {},
    { voice: 'x' },
    { mode: 7 },
  )
}

function addedAssets(dice: Dice): JsonObject {
  const url = 'https://media.example.com/a'
  return dice.pick<JsonObject>(
    { speech_text: [{ asset_id: dice.pick('n1', 'n2', 't1'), text: dice.text() }] },
    { images: [{ asset_id: `i${dice.number(1, 4)}`, url }] },
    {
      audio: [{ asset_id: dice.pick('a1', 'a2'), url }],
      visual_prompts: [{ asset_id: `p${dice.number(1, 5)}`, text: 'nod' }],
    },
    { speech_text: [{ asset_id: `ok-${dice.number(1, 9)}`, text: 't' }, { asset_id: '' }] },
    { speech_text: [] },
    {},
  )
}

function addedAvatars(dice: Dice): Json {
  const one = (id: string): JsonObject => avatar(dice, id, { video: true, voice: false })
  return dice.pick<Json>(
    [one('new-1')],
    [avatar(dice, `new-${dice.number(2, 6)}`, { video: dice.percent(50), voice: dice.percent(20) })],
    [one('av-0')],
    [one('x1'), { avatar_id: '' }],
    [],
  )
}
