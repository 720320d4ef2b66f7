import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import { type Step, type Steps } from '#testing/channel/steps'
import { come, created, message, retrieved, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { rules } from './rules.ts'

// Clients need not give ids to their events, nor give each its own: what then can't be told apart is held against nobody.

const text = state('text_chat', 'guide')
const host = { session: { active_avatar_id: 'host' } }
const nobody = { session: { active_avatar_id: 'nobody' } }

function sent(tag: string, type: string, fields: JsonObject, event_id?: string, channel = 'one'): Step {
  return { what: 'send', channel, tag, event: { type, ...fields, ...(event_id === undefined ? {} : { event_id }) } }
}

function refusal(tag: string, event_id?: string): Step {
  const error = { type: 'invalid_request_error', message: 'No.', ...(event_id === undefined ? {} : { event_id }) }
  return come(tag, 'error', { event_id: `of-${tag}`, error })
}

function appliedAs(id: string, shown: JsonObject): Steps {
  return [
    come(`${id}.updated`, 'session.updated', { event_id: id, session: shown }),
    come(`${id}.done`, 'session.update.done', { event_id: `end-${id}`, request_event_id: id, status: 'completed' }),
  ]
}

const avatar = (avatar_id: string, instructions = 'Be brief.'): JsonObject => ({ avatar_id, instructions })
const speechText = (asset_id: string): JsonObject => ({ assets: { speech_text: [{ asset_id, text: 'Hello.' }] } })

test.each<[what: string, steps: Steps]>([
  [
    'an update without an id is refused, and the next one applied',
    [
      sent('a', 'session.update', nobody),
      refusal('a.error'),
      sent('b', 'session.update', host),
      ...appliedAs('made-1', state('text_chat', 'host')),
    ],
  ],
  [
    'an update without an id is refused after the next one was applied',
    [
      sent('a', 'session.update', nobody),
      sent('b', 'session.update', host),
      ...appliedAs('made-1', state('text_chat', 'host')),
      refusal('a.error'),
    ],
  ],
  [
    'two updates under one id: the first is refused',
    [
      sent('a', 'session.update', nobody, 'same'),
      refusal('a.error', 'same'),
      sent('b', 'session.update', host, 'same'),
      ...appliedAs('same', state('text_chat', 'host')),
    ],
  ],
  [
    'an id that ended an update is used again, on another connection, and shown to a third',
    [
      sent('a', 'session.update', host, 'same'),
      ...appliedAs('same', state('text_chat', 'host')),
      { what: 'open', channel: 'two', session: 'text' },
      { what: 'open', channel: 'three', session: 'text' },
      sent('b', 'session.update', { session: { active_avatar_id: 'guide' } }, 'same', 'two'),
      ...['two', 'three'].flatMap((channel) => [
        come(`${channel}.updated`, 'session.updated', { event_id: 'same', session: text }, channel),
        come(`${channel}.done`, 'session.update.done', { request_event_id: 'same', status: 'completed' }, channel),
      ]),
    ],
  ],
  [
    'two additions under one id: one of them is refused',
    [
      sent('a', 'asset.add', { assets: {} }, 'same'),
      sent('b', 'asset.add', speechText('new'), 'same'),
      refusal('a.error', 'same'),
      come('b.added', 'asset.added', { event_id: 'e1', ...addedTexts('new') }),
    ],
  ],
  [
    'an addition of nothing is refused after that of another connection was told of',
    [
      { what: 'open', channel: 'two', session: 'text' },
      sent('a', 'avatar.add', { avatars: [avatar('new')] }, 'a', 'two'),
      sent('b', 'avatar.add', { avatars: [] }, 'b'),
      come('a.added', 'avatar.added', { event_id: 'e1', avatars: [avatar('new')] }),
      refusal('b.error', 'b'),
    ],
  ],
  [
    'an avatar that was refused under no id is added on another connection, and told of to both',
    [
      { what: 'open', channel: 'two', session: 'text' },
      sent('a', 'avatar.add', { avatars: [avatar('new', 'Be loud.')] }),
      refusal('a.error'),
      sent('b', 'avatar.add', { avatars: [avatar('new')] }, undefined, 'two'),
      ...['one', 'two'].map((to) => come(`${to}.added`, 'avatar.added', { avatars: [avatar('new')] }, to)),
    ],
  ],
  [
    'an item without a type is refused as an empty one is announced',
    [
      sent('r', 'response.create', {}, 'r'),
      sent('a', 'conversation.item.create', { item: { id: 'mine' } }, 'a'),
      come('r.item', 'conversation.item.created', {
        event_id: 'e1',
        previous_item_id: null,
        item: message('made', 'assistant', '', { status: 'in_progress' }),
      }),
      refusal('a.error', 'a'),
    ],
  ],
  [
    'of two connections, a delete overtakes the create that brings its item again',
    [
      { what: 'open', channel: 'two', session: 'text' },
      ...created('mine', message('mine', 'user', 'One.'), null),
      sent('again', 'conversation.item.create', { item: message('mine', 'user', 'Two.') }, 'again'),
      sent('gone', 'conversation.item.delete', { item_id: 'mine' }, 'gone', 'two'),
      ...['one', 'two'].map((to) => come(`gone.${to}`, 'conversation.item.deleted', { item_id: 'mine' }, to)),
      come('again.created', 'conversation.item.created', {
        previous_item_id: null,
        item: message('mine', 'user', 'Two.', { status: 'completed' }),
      }),
      ...retrieved('look', message('mine', 'user', 'Two.', { status: 'completed' })),
    ],
  ],
])('%s', (_, steps) => {
  expect(verdictsOf(rules, [...opened('text', text), ...steps]).reasons).toEqual([])
})

function addedTexts(asset_id: string): JsonObject {
  const { assets } = speechText(asset_id) as { assets: JsonObject }
  return { assets: { images: [], audio: [], visual_prompts: [], ...assets } }
}
