import { expect, test } from 'vitest'
import { validate } from '#spec/validators'
import type { JsonObject } from '#trace/json'
import { draw } from '../draw.ts'
import { texts } from '../texts.ts'
import { speakable, textAsset } from './assets.ts'
import { textAvatar } from './avatars.ts'
import { faultsOf } from './faults.ts'
import { conversationItem, itemStatus, unknownFields } from './items.ts'

const many = 300
const items = draw(conversationItem, 1, many)

const events = [
  ...items.map(
    (item) => ['client-events/conversation.item.create', { type: 'conversation.item.create', item }] as const,
  ),
  ...draw(textAsset, 2, many).map(
    (asset, index) =>
      [
        'client-events/asset.add',
        { type: 'asset.add', assets: { speech_text: [{ ...asset, asset_id: `a${index}` }] } },
      ] as const,
  ),
  ...draw(textAvatar, 3, many).map(
    (avatar, index) =>
      ['client-events/avatar.add', { type: 'avatar.add', avatars: [{ ...avatar, avatar_id: `a${index}` }] }] as const,
  ),
]

test('every event that is drawn obeys its schema, with unknown fields beside, too', () => {
  const beside = draw(unknownFields, 4, many)
  const wrong = events.filter(
    ([shape, event], index) => validate(shape, { ...event, ...beside[index % many] }).length > 0,
  )
  expect(wrong).toEqual([])
})

test('every fault breaks its schema, and is the only one', () => {
  const faulty = events.flatMap(([shape, event]) =>
    faultsOf(shape, event as JsonObject).map((one) => ({ shape, ...one })),
  )
  const kinds = new Set(faulty.map(({ fault }) => fault.replace(/\/\d+/, '')))
  expect(faulty.filter(({ shape, value }) => validate(shape, value).length === 0).map(({ fault }) => fault)).toEqual([])
  expect(kinds.size).toBeGreaterThan(20)
})

test('texts reach far beyond ASCII, and none of them is blank or half a character', () => {
  const drawn = draw(texts(), 5, 1_000)
  const has = (what: RegExp): boolean => drawn.some((text) => what.test(text))
  for (const what of [/\p{Script=Hebrew}/u, /\p{Emoji_Modifier}/u, /[\u{10000}-\u{10FFFF}]/u, /\r\n/, /\u0308/, /"/]) {
    expect(has(what), String(what)).toBe(true)
  }
  expect(drawn.filter((text) => text.trim() === '' || text.includes('\u0000') || !text.isWellFormed())).toEqual([])
})

test('optional fields are there and are not', () => {
  const formats = draw(textAsset, 6, 50).map((asset) => 'format' in asset)
  expect(new Set(formats)).toEqual(new Set([true, false]))
  expect(new Set(draw(unknownFields, 7, 50).map((one) => Object.keys(one).length > 0)).size).toBe(2)
  expect(new Set(draw(itemStatus, 8, 50)).size).toBe(3)
})

test('what is to be spoken holds no markup', () => {
  expect(draw(speakable, 9, many).filter((text) => /[<>&]/.test(text))).toEqual([])
})

test('one seed gives the same values in every release', () => {
  expect(draw(conversationItem, 1, 3)).toMatchInlineSnapshot(`
    [
      {
        "content": [
          {
            "text": "򇧠𩒱󚊅",
            "type": "input_text",
          },
          {
            "text": "one
    two
    three	four",
            "type": "input_text",
          },
        ],
        "role": "user",
        "type": "message",
      },
      {
        "content": [
          {
            "text": "򖿙񲌹𔵟󓇱󳑩򨪒񨞱򲝐򫜌󡴔򑹞􎖪",
            "type": "text",
          },
          {
            "text": "𩡮򓲻򩛖𭖩󗭕񯴱񀴀򌴖񘢰򛛍򕢨",
            "type": "text",
          },
        ],
        "role": "assistant",
        "type": "message",
      },
      {
        "content": [
          {
            "text": "סּṱ$'ᬋ.𝅘𝅥𝅰𝅗𝅥#(",
            "type": "input_text",
          },
        ],
        "role": "user",
        "type": "message",
      },
    ]
  `)
})
