import { expect, test } from 'vitest'
import { opened } from '#testing/channel/opened'
import { speechAndOpening } from '#testing/channel/others'
import { textResponses } from '#testing/channel/text-responses'
import { textState } from '#testing/channel/text-state'
import { videoResponses, videoState } from '#testing/channel/video'
import { all, type Change, edit, set, type Steps } from '#testing/channel/steps'
import { applied, come, pass, response, send, speech, state } from '#testing/channel/talk'
import { verdictsOf } from '#testing/channel/verdicts'
import type { JsonObject } from '#trace/json'
import { frames } from './frames.rules.ts'
import { shapes } from './shapes.rules.ts'

/** Sets what stands at a path of an event. */
function at(tag: string, path: string, value: unknown): Change {
  return edit(tag, (event) => put(event, path.split('/').slice(1), value) as JsonObject)
}

function put(here: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const inner = put((here as Record<string, unknown> | undefined)?.[name], rest, value)
  if (Array.isArray(here)) return here.map((one, place) => (place === Number(name) ? inner : one))
  const kept = Object.entries({ ...(here as object), [name]: inner }).filter(([, one]) => one !== undefined)
  return Object.fromEntries(kept)
}

const broken = (steps: Steps, change: Change): readonly string[] => verdictsOf([frames, shapes], change(steps)).broken

test.each<[row: string, change: Change]>([
  ['server-event.type-nonempty', set('u1.updated', { type: '' })],
  ['server-event.event-id-nonempty', set('u1.done', { event_id: '' })],
  ['server-event.event-id-nonempty', set('u1.done', { event_id: 7 })],
  ['error.error-object', set('u3.error', { error: 'no' })],
  ['error.message-string', at('u3.error', '/error/message', undefined)],
  ['error.type-string', at('u3.error', '/error/type', null)],
  ['error.code-string', at('u3.error', '/error/code', 400)],
  ['error.event-id-string', at('u3.error', '/error/event_id', null)],
  ['session-updated.session-object', set('u1.updated', { session: undefined })],
  ['session-updated.mode-in-set', at('u1.updated', '/session/mode', 'audio')],
  ['session-updated.active-avatar-id-string', at('u1.updated', '/session/active_avatar_id', '')],
  ['session-updated.source-image-id-string-or-null', at('u1.updated', '/session/source_image_id', undefined)],
  ['session-updated.media-transport-string', set('u1.updated', { media_transport: 1 })],
  ['session-updated.media-object', set('u1.updated', { media: 'details' })],
  ['session-update-done.request-event-id', set('u1.done', { request_event_id: undefined })],
  ['session-update-done.status-in-set', set('u1.done', { status: 'done' })],
  ['session-update-done.reason-string', set('u1.done', { reason: null })],
  ['asset-added.assets-object', set('a1.added', { assets: [] })],
  ['asset-added.images-array', at('a3.added', '/assets/images', {})],
  ['asset-added.audio-array', at('a3.added', '/assets/audio', 'none')],
  ['asset-added.speech-text-array', at('a1.added', '/assets/speech_text', null)],
  ['asset-added.visual-prompts-array', at('a1.added', '/assets/visual_prompts', {})],
  ['asset-added.empty-kinds-shown', at('a1.added', '/assets/images', undefined)],
  ['asset-added.lists-every-asset', at('a1.added', '/assets/speech_text/0/asset_id', undefined)],
  ['asset-added.content-agrees', at('a1.added', '/assets/speech_text/0/text', 5)],
  ['avatar-added.avatars-array', set('v1.added', { avatars: {} })],
  ['avatar-added.avatar-id-string', at('v1.added', '/avatars/0/avatar_id', 9)],
  ['avatar-added.instructions-effective', at('v1.added', '/avatars/0/instructions', 5)],
  ['avatar-added.visual-effective', at('v1.added', '/avatars/0/visual/source_images', 'one')],
  ['avatar-added.voice-effective', at('v1.added', '/avatars/0/voice/speed', 'fast')],
  ['item-created.previous-item-id-nullable', set('i1.created', { previous_item_id: undefined })],
  ['item-created.item-object', set('i1.created', { item: 'i1' })],
  ['item.id-nonempty', at('i1.created', '/item/id', '')],
  ['item.type-in-set', at('i1.created', '/item/type', 'note')],
  ['item.status-in-set', at('i1.created', '/item/status', 'done')],
  ['item.message-role-in-set', at('i1.created', '/item/role', 'tool')],
  ['item.message-content-array', at('i1.created', '/item/content', undefined)],
  ['item.part-type-in-set', at('i1.created', '/item/content/0/type', 'output_text')],
  ['item.part-text-string', at('i1.created', '/item/content/0/text', undefined)],
  ['item.part-image-url-string', at('p1.created', '/item/content/0/image_url', undefined)],
  ['item.part-detail-in-set', at('p1.created', '/item/content/0/detail', 'medium')],
  ['item.part-audio-base64', at('p1.created', '/item/content/1/audio', '*')],
  ['item.part-transcript-string', at('p1.created', '/item/content/1/transcript', [])],
  ['item.function-call-call-id-string', at('c1.created', '/item/call_id', 1)],
  ['item.function-call-name-string', at('c1.created', '/item/name', undefined)],
  ['item.function-call-arguments-json', at('c1.created', '/item/arguments', {})],
  ['item.function-call-output-call-id-string', at('c2.created', '/item/call_id', undefined)],
  ['item.function-call-output-output-string', at('c2.created', '/item/output', {})],
  ['item-retrieved.item-object', set('g1.retrieved', { item: null })],
  ['item-deleted.item-id', set('d1.deleted', { item_id: undefined })],
])('%s: a false shape in the state of text_chat (%#)', (row, change) => {
  expect(broken(textState, change)).toEqual([row])
})

test.each<[row: string, change: Change]>([
  ['response-created.response-object', set('s1.created', { response: undefined })],
  ['response-created.status-in-progress', at('s1.created', '/response/status', 'completed')],
  ['response-created.request-event-id-names-request', set('s1.created', { request_event_id: null })],
  ['response.id-string', at('s1.done', '/response/id', '')],
  ['response.status-details-object-or-null', at('s1.done', '/response/status_details', 'late')],
  ['response.output-array', at('s1.done', '/response/output', {})],
  ['response.output-items-shape', at('s1.done', '/response/output/0', 'm-s1')],
  ['response.output-items-shape', at('s1.done', '/response/output/0/type', undefined)],
  ['response.max-output-tokens-number-or-inf', at('s1.done', '/response/max_output_tokens', 'many')],
  ['response-done.response-object', set('s1.done', { response: 'r-s1' })],
  ['response-done.status-final', at('s1.done', '/response/status', 'in_progress')],
  ['output-item-done.response-id', set('s1.item.done', { response_id: undefined })],
  ['output-item-done.output-index-number', set('s1.item.done', { output_index: '0' })],
  ['output-item-done.item-object', set('s1.item.done', { item: undefined })],
  ['output-item-done.item-object', at('s1.item.done', '/item/id', undefined)],
  ['output-item-done.status-in-set', at('s1.item.done', '/item/status', 'cancelled')],
  ['output-item-done.function-call-name', at('t1.item.done', '/item/name', undefined)],
  ['output-item-done.function-call-arguments', at('t1.item.done', '/item/arguments', { a: 1 })],
  ['text-delta.response-id', set('s1.delta1', { response_id: '' })],
  ['text-delta.item-id', set('s1.delta1', { item_id: undefined })],
  ['text-delta.output-index-number', set('s1.delta1', { output_index: null })],
  ['text-delta.delta-string', set('s1.delta1', { delta: undefined })],
  ['text-done.response-id', set('s1.text', { response_id: undefined })],
  ['text-done.item-id', set('s1.text', { item_id: 4 })],
  ['text-done.output-index-number', set('s1.text', { output_index: '0' })],
  ['text-done.text-string', set('s1.text', { text: null })],
])('%s: a false shape in a response (%#)', (row, change) => {
  expect(broken(textResponses, change)).toEqual([row])
})

test.each<[row: string, steps: Steps, change: Change]>([
  ['render-started.response-id', videoResponses, set('s1.started', { response_id: undefined })],
  ['render-stopped.response-id', videoResponses, set('s1.stopped', { response_id: undefined })],
  ['render-stopped.status-in-set', videoResponses, set('s1.stopped', { status: 'stopped' })],
  ['session-updated.source-image-id-string-or-null', videoState, at('u1.updated', '/session/source_image_id', 3)],
  ['session-closed.session-id', speechAndOpening, set('z1', { session_id: undefined })],
  ['session-closed.reason-string', speechAndOpening, set('z1', { reason: undefined })],
  ['opening-done.status-in-set', speechAndOpening, set('o1', { status: 'over' })],
  ['opening-done.reason-string', speechAndOpening, set('o1', { reason: 1 })],
  ['speech-started.item-id', speechAndOpening, set('b1', { item_id: '' })],
  ['speech-started.audio-start-integer', speechAndOpening, set('b1', { audio_start_ms: 1.5 })],
  ['speech-stopped.item-id', speechAndOpening, set('b2', { item_id: undefined })],
  ['speech-stopped.audio-end-integer', speechAndOpening, set('b2', { audio_end_ms: 'late' })],
  ['transcription-delta.item-id', speechAndOpening, set('b3', { item_id: undefined })],
  ['transcription-delta.content-index-integer', speechAndOpening, set('b3', { content_index: null })],
  ['transcription-delta.delta-string', speechAndOpening, set('b3', { delta: 1 })],
  ['transcription-completed.item-id', speechAndOpening, set('b4', { item_id: undefined })],
  ['transcription-completed.content-index-integer', speechAndOpening, set('b4', { content_index: undefined })],
  ['transcription-completed.transcript-string', speechAndOpening, set('b4', { transcript: undefined })],
  ['transcription-failed.item-id', speechAndOpening, set('b5', { item_id: undefined })],
  ['transcription-failed.content-index-integer', speechAndOpening, set('b5', { content_index: 0.5 })],
  ['transcription-failed.error-object', speechAndOpening, set('b5', { error: 'no' })],
  ['transcription-failed.error-type-string', speechAndOpening, at('b5', '/error/type', undefined)],
  ['transcription-failed.error-message-string', speechAndOpening, at('b5', '/error/message', undefined)],
  ['transcription-failed.error-code-string', speechAndOpening, at('b5', '/error/code', 5)],
])('%s: a false shape elsewhere (%#)', (row, steps, change) => {
  expect(broken(steps, change)).toEqual([row])
})

test.each<[what: string, steps: Steps, change: Change]>([
  ['unknown fields', textState, at('u1.updated', '/session/added_later', { in: '1.1' })],
  ['no optional fields of an error', textState, at('u3.error', '/error', { type: 'x', message: '' })],
  ['any param', textState, at('u3.error', '/error/param', [1])],
  ['no id in a response', textResponses, at('s1.created', '/response/id', undefined)],
  ['a number of tokens', textResponses, at('s1.done', '/response/max_output_tokens', 4096.5)],
  ['status details', textResponses, at('s1.done', '/response/status_details', { reason: 'stop' })],
  ['integers as strings', speechAndOpening, set('b2', { audio_end_ms: '900' })],
  ['a nameless update with any name in its end', textState, set('u8.done', { request_event_id: null })],
  ['no status of an item', textResponses, at('s1.item.done', '/item/status', undefined)],
  ['a call without id', textResponses, at('t1.item.done', '/item/call_id', undefined)],
  ['null for what an added avatar has none of', textState, at('v1.added', '/avatars/0/visual', null)],
])('%s are no false shape', (_, steps, change) => {
  expect(broken(steps, change)).toEqual([])
})

test('the end of an update names it, whatever else was sent without a name', () => {
  const nameless: Change = set('before', { event_id: undefined })
  const endless: Change = set('u1.done', { request_event_id: undefined })
  const update = { session: { active_avatar_id: 'guide' } }
  const told = (...first: Steps) =>
    broken(
      [
        ...opened('named', state('text_chat', 'guide'), 'one', { max_duration_seconds: 60 }),
        ...first,
        ...applied('u1', { active_avatar_id: 'host' }, state('text_chat', 'host')),
      ],
      all(nameless, endless),
    )
  const row = 'session-update-done.request-event-id'
  expect(told(...response('before', { asked: speech('Hello there.') }))).toEqual([row])
  expect(told(send('before', 'session.rewind'))).toEqual([row])
  expect(told(send('before', 'session.update', update))).toEqual([])
  // Whether an update that comes as the session ends is still answered is not said, and so it may be.
  expect(told(pass(61_000), send('before', 'session.update', update))).toEqual([])
})

test('an unknown status of a response is neither in progress nor final', () => {
  const created = broken(textResponses, at('s1.created', '/response/status', 'queued'))
  expect(created).toEqual(['response-created.status-in-progress', 'response.status-in-set'])
  const done = broken(textResponses, at('s1.done', '/response/status', 'finished'))
  expect(done).toEqual(['response-done.status-final', 'response.status-in-set'])
})

test('an item that lacks a field may be shown without it, however the service writes the JSON of its arguments', () => {
  const call = { type: 'function_call', call_id: 'c', arguments: '{"topic":"weather"}' }
  const shown = { ...call, id: 'i9', status: 'completed', arguments: '{\n  "topic": "weather"\n}\n' }
  const steps = (sent: JsonObject): Steps => [
    ...textState,
    send('nameless', 'conversation.item.create', { item: sent }),
    come('nameless.created', 'conversation.item.created', { previous_item_id: null, item: shown }),
  ]
  const row = 'item.function-call-name-string'
  expect(verdictsOf([shapes], steps(call)).broken).not.toContain(row)
  expect(verdictsOf([shapes], steps({ ...call, name: 'note' })).broken).toContain(row)
})

test('whoever takes an item with a name that it need not refuse may show it as it came', () => {
  for (const path of ['/item/status', '/item/role', '/item/content/0/detail']) {
    const taken = all(at('p1.create', path, 'unheard-of'), at('p1.created', path, 'unheard-of'))
    expect(broken(textState, taken)).toEqual([])
    expect(broken(textState, at('p1.created', path, 'unheard-of'))).toHaveLength(1)
  }
})
