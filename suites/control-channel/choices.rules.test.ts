import { expect, test } from 'vitest'
import { collectFindings } from '#judge/findings'
import { choices as registered } from '#spec/register'
import { speechAndOpening } from '#testing/channel/others'
import { type Steps, traceOf } from '#testing/channel/steps'
import { textResponses } from '#testing/channel/text-responses'
import { textStateRepeated } from '#testing/channel/text-state'
import { videoResponses, videoState } from '#testing/channel/video'
import { rules } from './rules.ts'

function seen(steps: Steps): { readonly [choice: string]: readonly string[] } {
  const { seen: all } = collectFindings(traceOf(steps), rules, () => true)
  const known = [...all].map(([choice, { what }]): [string, string[]] => [
    choice.replace('control-channel.', ''),
    [...what],
  ])
  for (const choice of all.keys()) expect(registered.has(choice as never), choice).toBe(true)
  return Object.fromEntries(known)
}

test('what a target makes of updates, additions and items is reported', () => {
  expect(seen(textStateRepeated)).toMatchObject({
    'asset-add.existing-id': ['refused with an error', 'accepted'],
    'avatar-add.existing-id': ['refused with an error', 'accepted'],
    'item-create.client-id-kept': ['kept'],
    'item-create.duplicate-id': ['refused with an error'],
    'item-retrieve.unknown': ['an error'],
    'item-created.append-previous': ['the last item'],
    'session-update.superseding': ['"cancelled"'],
    'session-update-done.reason-values': ['superseded'],
    'session-update-done.request-event-id-without-client-id': ['the id of session.updated'],
    'error.code-values': ['invalid_event'],
    'error.event-id-present': ['present'],
  })
})

test('what it makes of responses is reported', () => {
  expect(seen(textResponses)).toMatchObject({
    'scheduling.cut-status': ['"cancelled"'],
    'scheduling.interrupt-order': ['before it'],
    'text-delta.granularity': ['one delta', 'several deltas'],
    'text-done.on-cut-item': ['it does not'],
    'response-created.request-event-id-present': ['present'],
    'response-created.output-at-start': ['none'],
    'script.visual-in-text-chat': ['accepted'],
    'item-created.order-in-response': ['after response.created'],
  })
  expect(seen(videoResponses)).toMatchObject({
    'render.before-text': ['before'],
    'render-stopped.cut-status': ['"interrupted"'],
    'script.audio-item': ['none'],
  })
})

test('what it makes of the state in video, and of the end, is reported', () => {
  expect(seen(videoState)).toMatchObject({
    'session-update.null-image-in-video': ['accepted'],
    'session-updated.media-details': ['left out', 'told'],
  })
  expect(seen(speechAndOpening)).toMatchObject({
    'opening-done.seen': ['told and replayed'],
    'session-closed.reason-values': ['"client_request"'],
    'session-closed.seen': ['before the end', 'missed'],
    'session-closed.close-code': ['1000'],
  })
})
