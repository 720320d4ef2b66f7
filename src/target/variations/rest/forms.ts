import { append, around, remembering, set, several } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { type JsonObject, isWire } from '#target/wire'
import { variationsOf } from '../table.ts'

const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u

/** Timestamps of answers about anything but characters, whose form is told (2.7). */
const onStamps = (make: (text: string) => string): Override =>
  append('http.data', (data, operation) =>
    operation.includes('character') && operation !== 'create-session-from-character' ? data : stamped(data, make),
  )

function stamped(value: unknown, make: (text: string) => string): unknown {
  if (typeof value === 'string') return stamp.test(value) ? make(value) : value
  if (Array.isArray(value)) return value.map((member) => stamped(member, make))
  if (!isWire(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, own.has(name) ? member : stamped(member, make)]),
  )
}

/** Here stands what a caller wrote. */
const own: ReadonlySet<string> = new Set(['metadata', 'conversation', 'avatars', 'assets', 'references'])

/** Each letter of names and texts by its number, as JSON allows. */
const spelt = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/"((?:[^"\\]|\\.)*)"/gu, (_, inner: string) => {
    const text = JSON.parse(`"${inner}"`) as string
    return `"${Array.from({ length: text.length }, (__, place) => `\\u${text.charCodeAt(place).toString(16).toUpperCase().padStart(4, '0')}`).join('')}"`
  })

/** The letters of a text in the case that the digits of a number say. */
const inCases = (text: string, count: number): string =>
  Array.from(text, (letter, place) => ((count >> place) % 2 === 1 ? letter.toUpperCase() : letter)).join('')

const machine = 'node-17.eu-central.example.com'

const jwt = (payload: JsonObject): string => Buffer.from(JSON.stringify(payload)).toString('base64url')

/** How ids, times and texts are written, where nothing or little is said of it. */
export const formVariations = variationsOf({
  'letters-by-number §Conventions: Names and texts of answers and events are written letter by letter, each by its number, as JSON allows.':
    several(set('http.encode', spelt), set('channel.encode', spelt)),
  'timestamps-lower-case §2.1: Timestamps have small letters, as RFC 3339 allows.': onStamps((text) =>
    text.toLowerCase(),
  ),
  'timestamps-of-unknown-offset §2.1: Timestamps have the offset `-00:00`, and nine digits behind the point.': onStamps(
    (text) => text.replace(/(?:\.(\d+))?Z$/u, (_, digits?: string) => `.${(digits ?? '').padEnd(9, '0')}-00:00`),
  ),
  'timestamps-of-half-an-hour §2.1: Timestamps are those of a place whose clocks are five hours and a half ahead.':
    onStamps((text) => new Date(Date.parse(text) + 330 * 60_000).toISOString().replace('Z', '+05:30')),
  'ids-differ-in-case §2.1: Ids of sessions differ from one another in the case of their letters alone.': remembering(
    () => {
      let [avatars, worlds] = [0, 0]
      return [
        set('ids.session', () => inCases('sesabcdefghijkl', (avatars += 1))),
        set('world.ids.session', () => inCases('worldbcdefghijkl', (worlds += 1))),
      ]
    },
  ),
  'ids-of-two-signs §2.1: Ids of sessions are as short as can be.': remembering(() => {
    let count = 35
    const next = () => (count += 1).toString(36)
    return [set('ids.session', next), set('world.ids.session', () => `w${next()}`)]
  }),
  'ids-with-zeros §2.1: Ids of sessions are figures that begin with zeros.': remembering(() => {
    let count = 0
    const next = () => String((count += 1)).padStart(12, '0')
    return [set('ids.session', next), set('world.ids.session', next)]
  }),
  'ids-of-another-script §2.1: Ids of sessions, responses and items are written in letters of several scripts.':
    several(
      set('ids.session', (random) => `séance-${random.hex(8)}-会话`),
      set('ids.response', (random) => `ответ-${random.hex(8)}`),
      set('ids.item', (random) => `элемент-${random.hex(8)}-🎭`),
      set('world.ids.session', (random) => `monde-${random.hex(8)}-é`),
    ),
  'secrets-tell-their-session §2.1: Secrets are signed tokens, which hold the id of their workspace and when they end.':
    several(
      set('ids.secret', (random, { workspace }) =>
        [
          jwt({ alg: 'HS256', typ: 'JWT' }),
          jwt({ workspace, exp: 4_102_444_800, jti: random.hex(8) }),
          random.hex(43),
        ].join('.'),
      ),
      set('world.ids.secret', (random, { workspace }, channel) =>
        [jwt({ alg: 'HS256', typ: 'JWT' }), jwt({ workspace, channel, jti: random.hex(8) }), random.hex(43)].join('.'),
      ),
    ),
  'secrets-short §2.1: Secrets are eight figures.': several(
    set('ids.secret', (random) => String(10_000_000 + random.below(90_000_000))),
    set('world.ids.secret', (random) => String(10_000_000 + random.below(90_000_000))),
  ),
  'secrets-differ-at-their-end §2.1: Secrets are alike but for their last sixteen letters.': several(
    set('ids.secret', (random) => `control.${'s'.repeat(80)}.${random.hex(16)}`),
    set('world.ids.secret', (random) => `world.${'s'.repeat(80)}.${random.hex(16)}`),
  ),
  'servers-named §9: The data of each answer, of a failure too, names the machine that it comes from.': several(
    append('http.data', (data) => (isWire(data) ? { ...data, served_by: machine } : data)),
    around('http.failure', (failure) => (code, message, operation) => ({
      ...failure(code, message, operation),
      data: { served_by: machine },
    })),
  ),
  'failures-with-text-data §7: The data of a failure is a text.': around(
    'http.failure',
    (failure) => (code, message, operation) => ({
      ...failure(code, message, operation),
      data: 'see https://docs.example.com/errors',
    }),
  ),
  'messages-long §Conventions: The message of a failure has eight thousand letters.': around(
    'http.failure',
    (failure) => (code, message, operation) => {
      const envelope = failure(code, message, operation)
      return { ...envelope, message: `${String(envelope['message'])} ${'and so on, '.repeat(700)}` }
    },
  ),
  'statuses-nobody-knows §7: Failures without a stated status travel under 420, 460 and 499.': ({
    http: { statuses },
  }) => {
    Object.assign(statuses, { '20005': 460, '30004': 499, '20004': 420, '10001': 460, '10003': 499, '10009': 420 })
  },
  'fields-of-others §9: Answers and events have fields that mean something elsewhere, and nothing here.': several(
    append('http.data', (data) =>
      isWire(data) ? { page_token: '', transcript: '', error: null, type: 'answer', event_id: '0', ...data } : data,
    ),
    append('outgoing', (event) => [
      { code: 0, message: 'success', status: 'active', reason: '', param: null, delta: '', ...event },
    ]),
  ),
})
