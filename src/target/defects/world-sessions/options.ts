import { waive } from '#target/behaviour/rules/waive'
import { textOf } from '#target/wire'
import { defectsOf } from '../table.ts'
import { refuseWorld } from './tools.ts'

const outputDefects = defectsOf('world-sessions', {
  'create.aspect-ratio-16-9-accepted': [
    'The ratio that is the default must not be named.',
    (b) => refuseWorld(b, ({ output }) => output['aspect_ratio'] === '16:9'),
  ],
  'create.aspect-ratio-9-16-accepted': [
    'An upright session is refused as a parameter.',
    (b) => refuseWorld(b, ({ output }) => output['aspect_ratio'] === '9:16', '20004'),
  ],
  'create.aspect-ratio-1-1-accepted': [
    'A square session is refused as a parameter.',
    (b) => refuseWorld(b, ({ output }) => output['aspect_ratio'] === '1:1', '20004'),
  ],
  'create.aspect-ratio-unknown-rejected': [
    'Any aspect ratio will do.',
    ({ world }) => waive(world.rules, 'aspect-ratio-unsupported'),
  ],
  'create.aspect-ratio-unknown-rejected~nearest': [
    'An unknown aspect ratio means the default.',
    ({ world }) => {
      const { output } = world.create
      waive(world.rules, 'aspect-ratio-unsupported')
      world.create.output = (asked, defaults) => {
        const known = world.create.aspectRatios.includes(textOf(asked['aspect_ratio']) ?? '')
        return output(known ? asked : { ...asked, aspect_ratio: undefined }, defaults)
      }
    },
  ],
  'create.resolution-480p-accepted': [
    '480p is refused as a parameter.',
    (b) => refuseWorld(b, ({ output }) => output['resolution'] === '480p', '20004'),
  ],
  'create.resolution-720p-accepted': [
    '720p is refused as a parameter.',
    (b) => refuseWorld(b, ({ output }) => output['resolution'] === '720p', '20004'),
  ],
  'create.resolution-default-accepted': [
    'The resolution that is the default must not be named.',
    (b) => refuseWorld(b, ({ output }) => output['resolution'] === '720p'),
  ],
  'create.resolution-unknown-rejected': [
    'Any resolution will do.',
    ({ world }) => waive(world.rules, 'resolution-unsupported'),
  ],
  'create.resolution-unknown-rejected~lowered': [
    'Resolutions above 720p are lowered to it.',
    ({ world }) => {
      const { output } = world.create
      waive(world.rules, 'resolution-unsupported')
      world.create.output = (asked, defaults) => {
        const known = world.create.resolutions.includes(textOf(asked['resolution']) ?? '720p')
        return output(known ? asked : { ...asked, resolution: '720p' }, defaults)
      }
    },
  ],
  'create.captions-accepted': [
    'Captions are refused as a parameter.',
    (b) => refuseWorld(b, ({ output }) => output['captions'] === true, '20004'),
  ],
})

const liveInputDefects = defectsOf('world-sessions', {
  'create.live-audio-accepted': [
    'Live audio is refused, though the capabilities support it.',
    (b) => refuseWorld(b, ({ audio }) => audio['enabled'] === true),
  ],
  'create.live-audio-transcription-accepted': [
    'Transcription is refused, though the capabilities support live audio.',
    (b) => refuseWorld(b, ({ audio }) => audio['transcription'] === true, '10009'),
  ],
  'create.live-audio-language-tag-accepted': [
    'The language of live audio can only be detected.',
    (b) => refuseWorld(b, ({ audio }) => audio['language'] !== undefined && audio['language'] !== 'auto', '10009'),
  ],
  'create.live-audio-language-auto-accepted': [
    'The language of live audio must be named.',
    (b) => refuseWorld(b, ({ audio }) => audio['language'] === 'auto', '10009'),
  ],
  'create.live-audio-off-accepted': [
    'Live audio must not be named when it is off.',
    (b) => refuseWorld(b, ({ audio }) => audio['enabled'] === false),
  ],
  'create.live-audio-unsupported-rejected': [
    'Live audio is accepted, though the capabilities do not support it.',
    ({ world }) => {
      world.capabilities.live_audio.supported = false
      waive(world.rules, 'live-audio-unsupported')
    },
  ],
  'create.live-audio-unsupported-rejected~dropped': [
    'Live audio that the capabilities do not support is left out in silence.',
    ({ world }) => {
      const { liveInput } = world.create
      world.capabilities.live_audio.supported = false
      waive(world.rules, 'live-audio-unsupported')
      world.create.liveInput = () => liveInput({})
    },
  ],
})

const runDefects = defectsOf('world-sessions', {
  'create.start-mode-manual-accepted': [
    'The start mode that is the default must not be named.',
    (b) => refuseWorld(b, ({ continuation }) => continuation['start_mode'] === 'manual'),
  ],
  'create.start-mode-automatic-accepted': [
    'An automatic start is refused, though the capabilities offer it.',
    (b) => refuseWorld(b, ({ continuation }) => continuation['start_mode'] === 'automatic'),
  ],
  'create.start-mode-automatic-unsupported-rejected': [
    'An automatic start is accepted, though the capabilities do not offer it.',
    ({ world }) => {
      world.capabilities.continuation.automatic = false
      waive(world.rules, 'start-mode-unsupported')
    },
  ],
  'create.start-mode-unknown-rejected': [
    'An unknown start mode means manual.',
    ({ world }) => {
      waive(world.rules, 'start-mode-unknown')
      world.create.startMode = ({ start_mode: asked }) => (asked === 'automatic' ? asked : 'manual')
    },
  ],
  'create.max-idle-accepted': [
    'The idle time must not be named.',
    (b) => refuseWorld(b, ({ continuation }) => continuation['max_idle_ms'] !== undefined),
  ],
  'create.max-session-duration-accepted': [
    'The lifetime must not be named.',
    (b) => refuseWorld(b, ({ body }) => body['max_session_duration_seconds'] !== undefined),
  ],
  'create.metadata-accepted': [
    'Metadata are refused.',
    (b) => refuseWorld(b, ({ body }) => body['metadata'] !== undefined),
  ],
})

export const worldOptionDefects = [...outputDefects, ...liveInputDefects, ...runDefects]
