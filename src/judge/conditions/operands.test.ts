import { expect, test } from 'vitest'
import type { Json } from '#trace/json'
import { carries } from './operands.ts'

const url = 'https://media.example/a.png'

test.each<[what: string, shown: Json | undefined, sent: Json]>([
  ['the same', { name: 'a', count: 0 }, { name: 'a', count: 0 }],
  ['more fields', { name: 'a', filled_in: true }, { name: 'a' }],
  ['nothing in the place of an empty object', undefined, {}],
  ['nothing in the place of an empty list', undefined, []],
  ['null in the place of an empty text', { name: null }, { name: '' }],
  ['items in another order, by their ids', [{ avatar_id: 'b' }, { avatar_id: 'a' }], [{ avatar_id: 'a' }]],
  ['an address elsewhere', { url: 'https://kept.example/1' }, { url }],
  [
    'what was fetched, kept in another format',
    { url: 'https://kept.example/1', media_type: 'image/webp' },
    { url, media_type: 'image/png' },
  ],
  ['a secret that is masked', { tts_api_key: '***' }, { tts_api_key: 'k' }],
  ['a secret that is left out', {}, { tts_api_key: 'k' }],
])('%s carries what was sent', (_what, shown, sent) => {
  const padded = Array.isArray(sent) && Array.isArray(shown) ? [...(sent as Json[]), { avatar_id: 'b' }] : sent
  expect(carries(shown, padded)).toBe(true)
})

test.each<[what: string, shown: Json | undefined, sent: Json]>([
  ['another value', { name: 'b' }, { name: 'a' }],
  ['a value of another kind', 'a', { name: 'a' }],
  ['nothing', undefined, { name: 'a' }],
  ['a list in the place of an object', [], { name: 'a' }],
  ['a field less', { name: 'a' }, { name: 'a', count: 0 }],
  ['a field that every object inherits', {}, { constructor: 'a' }],
  ['an item more', [{ avatar_id: 'a' }, { avatar_id: 'b' }], [{ avatar_id: 'a' }]],
  ['something in the place of an empty list', [{ avatar_id: 'a' }], []],
  ['a text in the place of an empty object', 'a', {}],
  ['no address', { url: 'somewhere' }, { url }],
  ['another format of the same address', { url, media_type: 'image/webp' }, { url, media_type: 'image/png' }],
  [
    'another kind of media',
    { url: 'https://kept.example/1', media_type: 'audio/wav' },
    { url, media_type: 'image/png' },
  ],
  ['nothing in the place of a text that may be empty and not missing', {}, { text: '' }],
])('%s does not carry what was sent', (_what, shown, sent) => {
  expect(carries(shown, sent)).toBe(false)
})
