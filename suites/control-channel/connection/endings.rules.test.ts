import { expect, test } from 'vitest'
import { speechAndOpening } from '#testing/channel/others'
import { after, again, all, type Change, drop, set, type Step } from '#testing/channel/steps'
import { come, pass } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { openings } from './openings.rules.ts'
import { sessionClosed } from './session-closed.rules.ts'
import { speech } from '../speech/speech.rules.ts'

const own = [openings, sessionClosed, speech]
const broken = (change: Change): readonly string[] => verdictsOf(own, change(speechAndOpening)).broken
const without =
  (what: Step['what'], channel: string): Change =>
  (steps) =>
    steps.filter((step) => !(step.what === what && 'channel' in step && step.channel === channel))
const status =
  (value: string): Change =>
  (steps) =>
    steps.map((step) =>
      step.what === 'rest' && step.operation.startsWith('get') ? { ...step, data: { status: value } } : step,
    )
const untranscribed: Change = (steps) =>
  steps.map((step) => {
    if (step.what !== 'create') return step
    const conversation = { ...(step.data['conversation'] as JsonObject), input_audio_transcription: { enabled: false } }
    return { ...step, data: { ...step.data, conversation } }
  })

test.each<[row: string, change: Change]>([
  ['session-closed.session-id', set('z1', { session_id: 'another' })],
  ['session-closed.once', again('z1')],
  ['session-closed.session-really-ends', all(after('z1', pass(12_000)), status('active'))],
  ['session-closed.connections-disconnected', all(without('end', 'three'), (steps) => [...steps, pass(12_000)])],
  [
    'opening-done.completed-without-reason',
    all(...['o1', 'o2', 'o3'].map((tag) => set(tag, { status: 'completed' })), drop('o2')),
  ],
  ['opening-done.once-a-connection', again('o1', 'b1')],
  ['opening-done.replay-agrees', set('o3', { status: 'cancelled' })],
  ['speech-stopped.after-start', set('b2', { audio_end_ms: '9' })],
  [
    'speech-stopped.follows-started',
    after('b2', come('x', 'input_audio.speech_stopped', { item_id: 'w9', audio_end_ms: 1000 })),
  ],
  ['transcription-delta.only-when-enabled', untranscribed],
  ['transcription-completed.once', again('b4')],
])('%s', (row, change) => {
  expect(broken(change)).toEqual([row])
})

test.each<[what: string, change: Change]>([
  ['a close that nobody is told of', drop('z1')],
  ['speech that began before anybody listened', drop('b1')],
  [
    'a later transcript of another part',
    after(
      'b4',
      come('x', 'conversation.item.input_audio_transcription.completed', {
        item_id: 'w1',
        content_index: 1,
        transcript: 'Ho',
      }),
    ),
  ],
  ['a session that is still active right after', status('active')],
  ['a session that failed', status('failed')],
  ['no replay of the opening', drop('o2', 'o3')],
])('%s: nothing is broken', (_, change) => {
  expect(broken(change)).toEqual([])
})
