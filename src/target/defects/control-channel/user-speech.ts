import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { again, onEvent, splitEvent } from '../tools.ts'

const STARTED = 'input_audio.speech_started'
const STOPPED = 'input_audio.speech_stopped'
const TRANSCRIPTION = 'conversation.item.input_audio_transcription'

/** A user who is heard and transcribed, whether asked or not: only then do the events come at all. */
const heard =
  (fails: boolean, then: Override): Override =>
  (b: Behaviour): void => {
    b.extras.userSpeech = { afterMs: 60, transcript: 'Can you hear me?', fails, unasked: true }
    then(b)
  }
const speaks = (then: Override): Override => heard(false, then)
const mumbles = (then: Override): Override => heard(true, then)

/** 6.2: these events need the audio of a user, which no test can send; they are judged when they come. */
export const userSpeechDefects = defectsOf('control-channel', {
  'speech-started.item-id': ['Speech starts without an item.', speaks((b) => onEvent(b, STARTED, drop('item_id')))],
  'speech-started.audio-start-integer': [
    'Speech starts in seconds.',
    speaks((b) =>
      onEvent(
        b,
        STARTED,
        change('audio_start_ms', (ms) => Number(ms) / 1000),
      ),
    ),
  ],
  'speech-stopped.item-id': ['Speech stops for an empty item.', speaks((b) => onEvent(b, STOPPED, put('item_id', '')))],
  'speech-stopped.audio-end-integer': [
    'The end of speech is left out.',
    speaks((b) => onEvent(b, STOPPED, drop('audio_end_ms'))),
  ],
  'speech-stopped.after-start': [
    'Speech stops before it starts.',
    speaks((b) => onEvent(b, STOPPED, put('audio_end_ms', 1))),
  ],
  'speech-stopped.follows-started': [
    'Speech stops for another item.',
    speaks((b) =>
      onEvent(
        b,
        STOPPED,
        change('item_id', (id) => `${String(id)}_end`),
      ),
    ),
  ],
  'transcription-delta.item-id': [
    'A partial transcript names no item.',
    speaks((b) => onEvent(b, `${TRANSCRIPTION}.delta`, drop('item_id'))),
  ],
  'transcription-delta.content-index-integer': [
    'A partial transcript has a fraction as index.',
    speaks((b) => onEvent(b, `${TRANSCRIPTION}.delta`, put('content_index', 0.5))),
  ],
  'transcription-delta.delta-string': [
    'A partial transcript is a list of words.',
    speaks((b) =>
      onEvent(
        b,
        `${TRANSCRIPTION}.delta`,
        change('delta', (text) => [text]),
      ),
    ),
  ],
  'transcription-delta.only-when-enabled': ['Speech is transcribed unasked.', speaks(() => undefined)],
  'transcription-completed.item-id': [
    'A transcript names no item.',
    speaks((b) => onEvent(b, `${TRANSCRIPTION}.completed`, drop('item_id'))),
  ],
  'transcription-completed.content-index-integer': [
    'A transcript has no index.',
    speaks((b) => onEvent(b, `${TRANSCRIPTION}.completed`, drop('content_index'))),
  ],
  'transcription-completed.transcript-string': [
    'A transcript is called `text`.',
    speaks((b) =>
      onEvent(b, `${TRANSCRIPTION}.completed`, ({ transcript, ...event }) => ({ ...event, text: transcript })),
    ),
  ],
  'transcription-completed.once': [
    'A transcript comes twice.',
    speaks((b) => splitEvent(b, `${TRANSCRIPTION}.completed`, (event) => [event, again(event)])),
  ],
  'transcription-failed.item-id': [
    'A failed transcription names no item.',
    mumbles((b) => onEvent(b, `${TRANSCRIPTION}.failed`, drop('item_id'))),
  ],
  'transcription-failed.content-index-integer': [
    'A failed transcription has its index as words.',
    mumbles((b) => onEvent(b, `${TRANSCRIPTION}.failed`, put('content_index', 'first'))),
  ],
  'transcription-failed.error-object': [
    'The error of a transcription is a string.',
    mumbles((b) => onEvent(b, `${TRANSCRIPTION}.failed`, put('error', 'failed'))),
  ],
  'transcription-failed.error-type-string': [
    'The error of a transcription has no type.',
    mumbles((b) => onEvent(b, `${TRANSCRIPTION}.failed`, drop('error.type'))),
  ],
  'transcription-failed.error-message-string': [
    'The error of a transcription has no message.',
    mumbles((b) => onEvent(b, `${TRANSCRIPTION}.failed`, drop('error.message'))),
  ],
  'transcription-failed.error-code-string': [
    'The error of a transcription has a number as code.',
    mumbles((b) => onEvent(b, `${TRANSCRIPTION}.failed`, put('error.code', 17))),
  ],
})
