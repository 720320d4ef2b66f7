import { expect, test } from 'vitest'
import { speechAndOpening, twoSessions } from '#testing/channel/others'
import { textResponses } from '#testing/channel/text-responses'
import { textState, textStateRepeated } from '#testing/channel/text-state'
import { videoResponses, videoState } from '#testing/channel/video'
import { opened } from '#testing/channel/opened'
import type { Steps } from '#testing/channel/steps'
import { come, resource, send, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import { existing } from './assets/existing.rules.ts'
import { keptImages } from './assets/images.rules.ts'
import { references } from './items/references.rules.ts'
import { registry } from './assets/registry.rules.ts'
import { admissions } from './connection/admissions.rules.ts'
import { rules } from './rules.ts'
import { snapshots } from './snapshot/snapshot.rules.ts'
import { schedules } from './walk/model/scheduling.rules.ts'

test.each([
  ['the state in text_chat', textState],
  ['responses in text_chat', textResponses],
  ['the state in video', videoState],
  ['responses in video', videoResponses],
  ['two sessions', twoSessions],
  ['user speech, openings and the end', speechAndOpening],
])('%s, as the interface has it, breaks nothing', (_, steps) => {
  expect(verdictsOf(rules, steps).reasons).toEqual([])
})

test('what never answers us keeps no promise', () => {
  const parrot: Steps = [
    ...opened('text', state('text_chat', 'guide')),
    send('u1', 'session.update', { session: { active_avatar_id: 'host' } }),
    come('x', 'session.updated', { event_id: 'fixed', session: state('text_chat', 'a') }),
    send('u2', 'response.create'),
    come('y', 'response.done', { response: resource('r', 'completed') }),
    come('z', 'error', { error: { type: 'x', message: 'x' } }),
  ]
  expect([...verdictsOf(rules, parrot).held]).toEqual([])
})

/** Their absence is seen only where a model would call, or where the scenario looks for it; scenarios hold them. */
const onlyBroken = [
  'error.usable-after-missing-type',
  'error.usable-after-unknown-type',
  'error.usable-after-invalid-json',
  'error.usable-after-invalid-update',
  'error.usable-after-invalid-response',
  'error.usable-after-invalid-add',
  'message.unknown-type-rejected',
  'connections.sender-is-answered',
  'secret.reconnect-keeps-state',
  'connections.state-shared',
  'asset-add.none-registered-on-invalid',
  'asset-add.none-registered-after-invalid',
  'asset-add.none-registered-across-kinds',
  'asset-add.none-registered-beside-existing',
  'item-delete.unknown-changes-nothing',
  'secret.reconnect-keeps-conversation',
  'scheduling.pending-runs-once',
  'response-create.tools-empty-override',
  'response-create.tools-this-response-only',
  'script-audio-asset.completes',
  'scheduling.interrupted-gets-render-stopped',
  'scheduling.reject-if-busy-rendering-rejected',
  'scheduling.after-current-not-before-output-ends',
  'scheduling.reject-if-busy-one-of-a-volley',
]

/** What models speak against, and hold in longer stories: their own tests tell them. */
const modelled = new Set(
  [schedules, admissions, registry, existing, references, snapshots, keptImages]
    .flatMap(({ proves }) => proves)
    .map((id) => id.replace('control-channel.', '')),
)

test('every row is held by one of the dialogues', () => {
  const all = [textStateRepeated, textResponses, videoState, videoResponses, twoSessions, speechAndOpening]
  const held = new Set(all.flatMap((steps) => [...verdictsOf(rules, steps).held]))
  const rows = new Set(rules.flatMap(({ proves }) => proves).map((id) => id.replace('control-channel.', '')))
  const unheld = [...rows].filter((row) => !held.has(row) && !modelled.has(row))
  expect(unheld).toEqual(onlyBroken.filter((row) => !modelled.has(row)))
})
