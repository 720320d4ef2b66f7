import { change, put } from '#target/overrides/changes'
import { around } from '#target/overrides/operators'
import { textOf, objectAt } from '#target/wire'
import { defectsOf } from '../tools/table.ts'
import { onMade } from '../tools/world-sessions.ts'

export const liveInputDefects = defectsOf('world-sessions.live-input', {
  'enabled-effective: Live audio comes back as off.': onMade(put('live_input.audio.enabled', false)),
  'enabled-effective~alone: Live audio that is switched on without saying more comes back as off.': around(
    'world.create.liveInput',
    (liveInput) => (body) => {
      const alone = Object.keys(objectAt(objectAt(body, 'live_input'), 'audio')).join() === 'enabled'
      const effective = liveInput(body)
      return alone && effective !== undefined ? change('audio.enabled', () => false)(effective) : effective
    },
  ),
  'object: Live input that was set comes back as a list.': onMade(change('live_input', (value) => [value])),
  'object~gone: Live input comes back only when nothing was sent of it.': around(
    'world.create.liveInput',
    (liveInput) => (body) => (body['live_input'] === undefined ? liveInput(body) : undefined),
  ),
  'object-unasked: Live input comes back only when something was sent of it.': around(
    'world.create.liveInput',
    (liveInput) => (body) => (body['live_input'] === undefined ? undefined : liveInput(body)),
  ),
  'disabled-effective: Live audio is on as soon as it is named.': around(
    'world.create.liveInput',
    (liveInput) => (body) => {
      const named = objectAt(objectAt(body, 'live_input'), 'audio')['enabled'] !== undefined
      return put('audio.enabled', named)(liveInput(body) ?? {})
    },
  ),
  'off-unasked: Live audio is on unless it is switched off.': around(
    'world.create.liveInput',
    (liveInput) => (body) =>
      body['live_input'] === undefined
        ? { audio: { enabled: true, transcription: true, language: 'auto' } }
        : liveInput(body),
  ),
  'transcription-effective: The setting of transcription comes back in words.': onMade(
    change('live_input.audio.transcription', (on) => (on === true ? 'on' : 'off')),
  ),
  'language-effective: A language comes back in its parts.': onMade(
    change('live_input.audio.language', (tag) => textOf(tag)?.split('-')),
  ),
})
