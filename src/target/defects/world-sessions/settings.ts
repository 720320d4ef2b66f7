import { put } from '../paths.ts'
import { change } from '../paths.ts'
import { textOf, wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { looks, onGot, onMade } from './tools.ts'

const outputDefects = defectsOf('world-sessions', {
  'output.aspect-ratio-in-set': ['The ratio is shown as a number.', (b) => onMade(b, put('output.aspect_ratio', 1.78))],
  'output.aspect-ratio-in-set~slash': [
    'The ratio is written with a slash.',
    (b) =>
      onMade(
        b,
        change('output.aspect_ratio', (ratio) => String(ratio).replace(':', '/')),
      ),
  ],
  'output.resolution-in-set': [
    'The resolution is shown by its size.',
    (b) =>
      onMade(
        b,
        change('output.resolution', (value) => (value === '720p' ? '1280x720' : '854x480')),
      ),
  ],
  'output.fps-positive': ['The frame rate is zero.', ({ world }) => void (world.create.fps = 0)],
  'output.fps-positive~missing': ['The frame rate is not returned.', (b) => onMade(b, put('output.fps', undefined))],
  'output.captions-boolean': [
    'Captions are shown in words.',
    (b) =>
      onMade(
        b,
        change('output.captions', (on) => (on === true ? 'on' : 'off')),
      ),
  ],
  'output.aspect-ratio-effective': [
    'Every session is wide, whatever was asked.',
    ({ world }) => {
      const { output } = world.create
      world.create.output = (asked, defaults) => ({ ...output(asked, defaults), aspect_ratio: '16:9' })
    },
  ],
  'output.aspect-ratio-effective~square': [
    'A square is made upright.',
    (b) =>
      onMade(
        b,
        change('output.aspect_ratio', (ratio) => (ratio === '1:1' ? '9:16' : ratio)),
      ),
  ],
  'output.resolution-effective': [
    'Whoever asks for 480p gets 720p.',
    (b) =>
      onMade(
        b,
        change('output.resolution', () => '720p'),
      ),
  ],
  'output.captions-effective': [
    'Requested captions stay off.',
    ({ world }) => {
      const { output } = world.create
      world.create.output = (asked, defaults) => ({ ...output(asked, defaults), captions: false })
    },
  ],
  'output.captions-off-effective': [
    'Captions are on as soon as they are named.',
    ({ world }) => {
      const { output } = world.create
      world.create.output = (asked, defaults) => ({
        ...output(asked, defaults),
        captions: asked['captions'] !== undefined,
      })
    },
  ],
  'output.aspect-ratio-default': [
    'Unasked, a session is upright.',
    ({ world }) => void (world.create.defaultRatio = '9:16'),
  ],
  'output.resolution-default': [
    'Unasked, a session has 480p, though 720p is supported.',
    ({ world }) => void (world.create.defaultResolution = () => '480p'),
  ],
  'output.captions-default': [
    'Unasked, captions are on.',
    ({ world }) => {
      const { output } = world.create
      world.create.output = (asked, defaults) => ({ ...output(asked, defaults), captions: asked['captions'] ?? true })
    },
  ],
  'output.partial-keeps-defaults': [
    'An output without a resolution means 480p.',
    ({ world }) => {
      const { output } = world.create
      world.create.output = (asked, defaults) =>
        output(asked, { ...defaults, resolution: Object.keys(asked).length > 0 ? '480p' : defaults.resolution })
    },
  ],
  'output.partial-keeps-defaults~ratio': [
    'An output without a ratio means a square.',
    ({ world }) => {
      const { output } = world.create
      world.create.output = (asked, defaults) =>
        output(asked, { ...defaults, ratio: Object.keys(asked).length > 0 ? '1:1' : defaults.ratio })
    },
  ],
})

const liveInputDefects = defectsOf('world-sessions', {
  'live-input.object': [
    'Live input that was set comes back as a list.',
    (b) =>
      onMade(
        b,
        change('live_input', (value) => [value]),
      ),
  ],
  'live-input.object~gone': [
    'Live input comes back only when nothing was sent of it.',
    ({ world }) => {
      const { liveInput } = world.create
      world.create.liveInput = (body) => (body['live_input'] === undefined ? liveInput(body) : undefined)
    },
  ],
  'live-input.object-unasked': [
    'Live input comes back only when something was sent of it.',
    ({ world }) => {
      const { liveInput } = world.create
      world.create.liveInput = (body) => (body['live_input'] === undefined ? undefined : liveInput(body))
    },
  ],
  'live-input.enabled-effective': [
    'Live audio comes back as off.',
    (b) => onMade(b, put('live_input.audio.enabled', false)),
  ],
  'live-input.disabled-effective': [
    'Live audio is on as soon as it is named.',
    ({ world }) => {
      const { liveInput } = world.create
      world.create.liveInput = (body) => {
        const named = wireAt(wireAt(body, 'live_input'), 'audio')['enabled'] !== undefined
        return put('audio.enabled', named)(liveInput(body) ?? {})
      }
    },
  ],
  'live-input.off-unasked': [
    'Live audio is on unless it is switched off.',
    ({ world }) => {
      const { liveInput } = world.create
      world.create.liveInput = (body) =>
        body['live_input'] === undefined
          ? { audio: { enabled: true, transcription: true, language: 'auto' } }
          : liveInput(body)
    },
  ],
  'live-input.transcription-effective': [
    'The setting of transcription comes back in words.',
    (b) =>
      onMade(
        b,
        change('live_input.audio.transcription', (on) => (on === true ? 'on' : 'off')),
      ),
  ],
  'get.same-live-input~turned': [
    'A create shows the setting of transcription turned round.',
    (b) =>
      onMade(
        b,
        change('live_input.audio.transcription', (on) => on !== true),
      ),
  ],
  'live-input.language-effective': [
    'A language comes back in its parts.',
    (b) =>
      onMade(
        b,
        change('live_input.audio.language', (tag) => textOf(tag)?.split('-')),
      ),
  ],
  'get.same-live-input~region': [
    'A create shows a language without its region.',
    (b) =>
      onMade(
        b,
        change('live_input.audio.language', (tag) => textOf(tag)?.split('-')[0]),
      ),
  ],
})

const startDefects = defectsOf('world-sessions', {
  'continuation.start-mode-in-set': [
    'The start mode is shown by its effect.',
    (b) =>
      onMade(
        b,
        change('continuation.start_mode', (mode) => (mode === 'manual' ? 'held' : mode)),
      ),
  ],
  'continuation.start-mode-effective': [
    'Whoever asks for a manual start gets an automatic one.',
    ({ world: { create } }) => {
      const { startMode } = create
      create.startMode = (asked) => (asked['start_mode'] === 'manual' ? 'automatic' : startMode(asked))
    },
  ],
  'continuation.manual-stays-held~called': [
    'An automatic session is called manual, and runs.',
    (b) => onMade(b, put('continuation.start_mode', 'manual')),
  ],
  'continuation.start-mode-default': [
    'A session starts on its own unless told otherwise.',
    ({ world }) => void (world.create.startMode = (asked) => textOf(asked['start_mode']) ?? 'automatic'),
  ],
  'continuation.manual-starts-held~connecting': [
    'A manual session is connecting until somebody comes.',
    ({ world }) => {
      const { whenReady } = world.runtime
      world.runtime.whenReady = (mode) => (mode === 'manual' ? 'connecting' : whenReady(mode))
    },
  ],
  'continuation.manual-starts-held': [
    'A manual session starts to run.',
    ({ world }) => void (world.runtime.whenReady = () => 'running'),
  ],
  'continuation.manual-stays-held': [
    'A manual session runs from the second look on.',
    (b) => {
      const look = looks()
      onGot(b, (data) => {
        const manual = wireAt(data, 'continuation')['start_mode'] === 'manual' && data['status'] === 'active'
        return manual && look(data) > 1 ? put('runtime.media_status', 'running')(data) : data
      })
    },
  ],
  'continuation.automatic-generates': [
    'An automatic session is held at first.',
    ({ world }) => void (world.runtime.whenReady = () => 'held'),
  ],
})

const idleDefects = defectsOf('world-sessions', {
  'continuation.max-idle-integer': [
    'The idle time comes back with a unit.',
    (b) =>
      onMade(
        b,
        change('continuation.max_idle_ms', (ms) => `${String(ms)}ms`),
      ),
  ],
  'continuation.max-idle-integer~seconds': [
    'The idle time comes back in parts of milliseconds.',
    (b) =>
      onMade(
        b,
        change('continuation.max_idle_ms', (ms) => Number(ms) - 0.5),
      ),
  ],
  'continuation.max-idle-not-raised': [
    'No idle time is below two minutes.',
    ({ world }) => {
      const { maxIdleMs } = world.create
      world.create.maxIdleMs = (asked, ...rest) => Math.max(120_000, maxIdleMs(asked, ...rest))
    },
  ],
  'continuation.max-idle-not-raised~rounded': [
    'The idle time is rounded up to whole minutes, and one more.',
    ({ world }) => {
      const { maxIdleMs } = world.create
      world.create.maxIdleMs = (asked, ...rest) => Math.floor(maxIdleMs(asked, ...rest) / 60_000 + 1) * 60_000
    },
  ],
  'continuation.idle-enters-held': [
    'Generation goes on whatever the idle time.',
    ({ world }) => void (world.runtime.idleMs = () => 2 ** 31),
  ],
  'continuation.idle-enters-held~tenfold': [
    'Generation goes on for ten times the idle time that is shown.',
    ({ world }) => void (world.runtime.idleMs = ({ maxIdleMs }) => maxIdleMs * 10),
  ],
})

export const worldSettingDefects = [...outputDefects, ...liveInputDefects, ...startDefects, ...idleDefects]
