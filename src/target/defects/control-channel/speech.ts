import { change, omit, put } from '#target/overrides/changes'
import { onEvent } from '#target/overrides/events'
import { speaks } from '../tools/control-channel.ts'
import { defectsOf } from '../tools/table.ts'

const STARTED = 'input_audio.speech_started'

const STOPPED = 'input_audio.speech_stopped'

export const speechStartedDefects = defectsOf('control-channel.speech-started', {
  'item-id: Speech starts without an item.': speaks(onEvent(STARTED, omit('item_id'))),
  'audio-start-integer: Speech starts in seconds.': speaks(
    onEvent(
      STARTED,
      change('audio_start_ms', (ms) => Number(ms) / 1000),
    ),
  ),
})

export const speechStoppedDefects = defectsOf('control-channel.speech-stopped', {
  'item-id: Speech stops for an empty item.': speaks(onEvent(STOPPED, put('item_id', ''))),
  'audio-end-integer: The end of speech is left out.': speaks(onEvent(STOPPED, omit('audio_end_ms'))),
  'after-start: Speech stops before it starts.': speaks(onEvent(STOPPED, put('audio_end_ms', 1))),
  'follows-started: Speech stops for another item.': speaks(
    onEvent(
      STOPPED,
      change('item_id', (id) => `${String(id)}_end`),
    ),
  ),
})
