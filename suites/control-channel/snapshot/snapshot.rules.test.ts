import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { applied, come, message, refused, response, retrieved, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { speech } from '../bodies.ts'
import { snapshots } from './snapshot.rules.ts'

const told = (steps: Steps, mode = 'text_chat') =>
  verdictsOf([snapshots], [...opened('text', state(mode, 'guide')), ...steps])

const waits = { scheduling_policy: 'after_current_response' }
const known = message('i1', 'user', 'I stay.')
const item: Steps = [
  send('i1.create', 'conversation.item.create', { item: known }),
  come('i1.created', 'conversation.item.created', { previous_item_id: null, item: { status: 'completed', ...known } }),
]
const old = response('s1', { asked: speech('One two.'), pieces: ['One ', 'two.'] })

/** What waits was known to have been read, and other things were sent, before it started. */
const pending = (one: Steps, meanwhile: Steps): Steps => [
  ...item,
  ...old.slice(0, 4),
  ...one.slice(0, 1),
  ...retrieved('ping', known),
  ...meanwhile,
  ...old.slice(4),
  ...one.slice(1),
]

const asset = (text: string) => ({ assets: { speech_text: [{ asset_id: 'a', text }] } })
const added = (tag: string, text: string): Steps => [
  send(tag, 'asset.add', asset(text)),
  come(`${tag}.added`, 'asset.added', asset(text)),
]
const speaks = (said: string): Steps =>
  response('s2', {
    asked: { script: { vocal: { type: 'speech_asset', speech_text_asset_id: 'a' } }, ...waits },
    pieces: [said],
  })
const waiting = (said: string): Steps =>
  response('s2', { asked: speech('This waits for its turn.', waits), pieces: [said] })
const own = 'This waits for its turn.'
const other = 'This was asked for later.'
const toVideo = applied('u1', { mode: 'video_avatar' }, state('video_avatar', 'guide', 'face'))
const shown = response('s2', { asked: speech(own, waits), pieces: [own], video: true })

test.each<[row: string, steps: Steps]>([
  ['snapshot.asset-contents', [...added('a1', 'Said at first.'), ...pending(speaks('Later.'), added('a2', 'Later.'))]],
  ['snapshot.later-asset-not-seen', pending(speaks('Later.'), added('a2', 'Later.'))],
  [
    'snapshot.response-fields',
    pending(waiting(other), refused('s3', 'response.create', { response: speech(other, waits) })),
  ],
  ['snapshot.mode', pending(shown, toVideo)],
])('%s shows in what started', (row, steps) => {
  expect(told(steps).broken).toEqual([row])
})

test.each<[what: string, steps: Steps]>([
  ['its own text', pending(waiting(own), refused('s3', 'response.create', { response: speech(other, waits) }))],
  ['the first text of an asset', [...added('a1', 'At first.'), ...pending(speaks('At first.'), added('a2', 'Later.'))]],
  ['no rendering after an update to video', pending(waiting(own), toVideo)],
  [
    'what nobody knows to have been read when the mode changed',
    [...old, ...shown.slice(0, 1), ...toVideo, ...shown.slice(1)],
  ],
  [
    'what may have been read once nothing was active any more, and begun a moment later',
    [
      ...item,
      ...old.slice(0, -1),
      ...shown.slice(0, 1),
      ...old.slice(-1),
      ...retrieved('ping', known),
      ...toVideo,
      ...shown.slice(1),
    ],
  ],
])('%s breaks nothing', (_what, steps) => {
  expect(told(steps).reasons).toEqual([])
})
