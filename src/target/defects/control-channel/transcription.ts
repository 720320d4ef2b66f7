import type { Override } from '#target/behaviour/behaviour'
import { change, omit, put } from '#target/overrides/changes'
import { again, onEvent, splitEvent } from '#target/overrides/events'
import { heard, speaks } from '../tools/control-channel.ts'
import { defectsOf } from '../tools/table.ts'

const TRANSCRIPTION = 'conversation.item.input_audio_transcription'

const mumbles = (then: Override): Override => heard(true, then)

export const transcriptionDeltaDefects = defectsOf('control-channel.transcription-delta', {
  'item-id: A partial transcript names no item.': speaks(onEvent(`${TRANSCRIPTION}.delta`, omit('item_id'))),
  'content-index-integer: A partial transcript has a fraction as index.': speaks(
    onEvent(`${TRANSCRIPTION}.delta`, put('content_index', 0.5)),
  ),
  'delta-string: A partial transcript is a list of words.': speaks(
    onEvent(
      `${TRANSCRIPTION}.delta`,
      change('delta', (text) => [text]),
    ),
  ),
  'only-when-enabled: Speech is transcribed unasked.': speaks(() => undefined),
})

export const transcriptionCompletedDefects = defectsOf('control-channel.transcription-completed', {
  'item-id: A transcript names no item.': speaks(onEvent(`${TRANSCRIPTION}.completed`, omit('item_id'))),
  'content-index-integer: A transcript has no index.': speaks(
    onEvent(`${TRANSCRIPTION}.completed`, omit('content_index')),
  ),
  'transcript-string: A transcript is called `text`.': speaks(
    onEvent(`${TRANSCRIPTION}.completed`, ({ transcript, ...event }) => ({ ...event, text: transcript })),
  ),
  'once: A transcript comes twice.': speaks(splitEvent(`${TRANSCRIPTION}.completed`, (event) => [event, again(event)])),
})

export const transcriptionFailedDefects = defectsOf('control-channel.transcription-failed', {
  'item-id: A failed transcription names no item.': mumbles(onEvent(`${TRANSCRIPTION}.failed`, omit('item_id'))),
  'content-index-integer: A failed transcription has its index as words.': mumbles(
    onEvent(`${TRANSCRIPTION}.failed`, put('content_index', 'first')),
  ),
  'error-object: The error of a transcription is a string.': mumbles(
    onEvent(`${TRANSCRIPTION}.failed`, put('error', 'failed')),
  ),
  'error-type-string: The error of a transcription has no type.': mumbles(
    onEvent(`${TRANSCRIPTION}.failed`, omit('error.type')),
  ),
  'error-message-string: The error of a transcription has no message.': mumbles(
    onEvent(`${TRANSCRIPTION}.failed`, omit('error.message')),
  ),
  'error-code-string: The error of a transcription has a number as code.': mumbles(
    onEvent(`${TRANSCRIPTION}.failed`, put('error.code', 17)),
  ),
})
