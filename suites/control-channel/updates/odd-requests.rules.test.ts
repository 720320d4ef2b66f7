import { expect, test } from 'vitest'
import { opened, quiet } from '#testing/channel/opened'
import type { Step, Steps } from '#testing/channel/steps'
import { applied, come, refused, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { rules } from '../rules.ts'

const text = opened('s', state('text_chat', 'guide'))
const video = opened('s', state('video_avatar', 'guide', 'g1'))
const inText = (avatar: string) => state('text_chat', avatar)
const inVideo = (avatar: string, image: string | null) => state('video_avatar', avatar, image)
const told = (...steps: Steps) => verdictsOf(rules, [...steps, quiet])

// Empty texts are what is omitted, or faults.

const empty = { mode: '', active_avatar_id: '' }

test.each<[what: string, steps: Steps]>([
  ['taken for omitted', [...text, ...applied('a', empty, inText('guide'))]],
  ['refused', [...text, ...refused('a', 'session.update', { session: empty })]],
  [
    'taken for the image that is kept',
    [
      ...video,
      ...applied('a', { source_image_id: '' }, inVideo('guide', 'g1')),
      ...applied('b', {}, inVideo('guide', 'g1')),
    ],
  ],
  [
    'taken for no image',
    [
      ...video,
      ...applied('a', { source_image_id: 'g2' }, inVideo('guide', 'g2')),
      ...applied('b', { source_image_id: '' }, inVideo('guide', 'g1')),
      ...applied('c', {}, inVideo('guide', 'g1')),
    ],
  ],
])('empty texts in an update may be %s', (_, steps) => {
  expect(told(...steps).reasons).toEqual([])
})

test('an empty avatar leaves the one that is active', () => {
  const steps = [...text, ...applied('a', { active_avatar_id: '' }, inText('host'))]
  expect(told(...steps).broken).toContain('session-update.active-avatar-kept-when-omitted')
})

// Errors that name no event.

const error = (tag: string, more: JsonObject = {}): Step =>
  come(tag, 'error', { error: { type: 'invalid_request_error', message: 'No.', ...more } })
const hologram = (id: string, avatar: string): Step =>
  send(id, 'session.update', { session: { mode: 'hologram', active_avatar_id: avatar } })
const host = applied('u', { active_avatar_id: 'host' }, inText('host'))
const look = (id: string, avatar: string): Steps => applied(id, {}, inText(avatar))

test('an update that an error refuses without naming it changes nothing', () => {
  const steps = [...text, ...host, hologram('f', 'guide'), error('e'), ...look('l', 'guide')]
  expect(told(...steps).broken).toEqual(['session-update.rejected-changes-nothing'])
  expect(told(...text, ...host, hologram('f', 'guide'), error('e'), ...look('l', 'host')).reasons).toEqual([])
})

test('in a recording the answer to it may have been left out', () => {
  const microphone = come('e', 'error', { error: { type: 'audio_error', message: 'No microphone.' } })
  const update = send('f', 'session.update', { session: { active_avatar_id: 'guide' } })
  const steps = [...text, ...host, update, microphone, ...look('l', 'guide'), quiet]
  expect(verdictsOf(rules, steps, { recording: 'watch' }).reasons).toEqual([])
})

test('many such refusals hide no change', () => {
  const faults = [1, 2, 3, 4].flatMap((at) => [hologram(`f${at}`, 'guide'), error(`e${at}`)])
  const changed = [...look('l', 'host'), ...look('m', 'only')]
  expect(told(...text, ...host, ...faults, ...changed).broken).toContain(
    'session-update.active-avatar-kept-when-omitted',
  )
})

test.each<[what: string, steps: Steps]>([
  [
    'it is behind the answer to another event',
    [hologram('f', 'guide'), send('x', 'session.rewind'), error('e', { event_id: 'x' }), error('e2')],
  ],
  ['nothing is known of what was sent before', [send('x', 'session.rewind'), hologram('f', 'guide'), error('e')]],
  ['it tells of a failure of the service', [hologram('f', 'guide'), error('e', { type: 'server_error' })]],
])('whether an error is about an update is open where %s', (_, steps) => {
  expect(told(...text, ...host, ...steps, ...look('l', 'guide')).broken).not.toContain(
    'session-update.rejected-changes-nothing',
  )
})
