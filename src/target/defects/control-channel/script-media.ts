import { notBase64 } from '#target/behaviour/rules/faults'
import type { ResponseInput } from '#target/behaviour/rules/response-create'
import { waive } from '#target/behaviour/rules/waive'
import { defectsOf } from '../table.ts'
import { isOfAnotherKind, isPlanned, narrow, refuseResponse, scriptOf, visualOf, vocalOf } from './script-input.ts'

const isAudio = (input: ResponseInput): boolean => vocalOf(input)['type'] === 'audio'
const audioDefects = defectsOf('control-channel', {
  'script-audio.url-accepted': [
    'Audio must come as bytes.',
    (b) => refuseResponse(b, (input) => isAudio(input) && vocalOf(input)['url'] !== undefined),
  ],
  'script-audio.bytes-accepted': [
    'Audio must come by URL.',
    (b) => refuseResponse(b, (input) => isAudio(input) && vocalOf(input)['audio'] !== undefined),
  ],
  'script-audio.mpeg-bytes-accepted': [
    'Bytes must be those of WAV.',
    (b) =>
      refuseResponse(
        b,
        (input) =>
          isAudio(input) && vocalOf(input)['audio'] !== undefined && vocalOf(input)['mime_type'] === 'audio/mpeg',
      ),
  ],
  'script-audio.mime-type-missing-rejected': [
    'Audio needs no type.',
    ({ rules }) => waive(rules.responseCreate, 'audio-type-missing'),
  ],
  'script-audio.mime-type-unknown-rejected': [
    'Audio may be of any type.',
    ({ rules }) => waive(rules.responseCreate, 'audio-type-unknown'),
  ],
  'script-audio.url-and-bytes-rejected': [
    'Bytes win over a URL.',
    ({ rules }) => waive(rules.responseCreate, 'audio-both'),
  ],
  'script-audio.no-source-rejected': [
    'Audio without a source is silent.',
    ({ rules }) => waive(rules.responseCreate, 'audio-neither'),
  ],
  'script-audio.bytes-not-matching-not-completed': [
    'Bytes of another type are played.',
    ({ rules }) => waive(rules.responseCreate, 'audio-bytes-mismatch'),
  ],
  'script-audio.url-not-https-rejected': [
    'Audio may come from anywhere.',
    ({ rules }) => waive(rules.responseCreate, 'audio-url-not-https'),
  ],
  'script-audio.data-url-not-completed': [
    'Data URLs are played.',
    ({ rules }) => waive(rules.responseCreate, 'audio-data-url'),
  ],
  'script-audio.not-base64-not-completed': [
    'Bytes that are no base64 are played.',
    ({ rules }) => narrow(rules.responseCreate['audio-not-base64'], (input) => !notBase64(vocalOf(input)['audio'])),
  ],
  'script-audio-asset.added-asset-accepted': [
    'Added audio is unknown.',
    (b) =>
      refuseResponse(
        b,
        (input) =>
          vocalOf(input)['type'] === 'audio_asset' &&
          !isPlanned(input.session, 'audio', vocalOf(input)['audio_asset_id']),
      ),
  ],
  'script-audio-asset.create-time-asset-accepted': [
    'Audio of the creation is unknown.',
    (b) =>
      refuseResponse(
        b,
        (input) =>
          vocalOf(input)['type'] === 'audio_asset' &&
          isPlanned(input.session, 'audio', vocalOf(input)['audio_asset_id']),
      ),
  ],
  'script-audio-asset.unknown-asset-rejected': [
    'Unknown audio is silent.',
    ({ rules }) =>
      narrow(rules.responseCreate['audio-asset-unknown'], (input) =>
        isOfAnotherKind(input.session, 'audio', vocalOf(input)['audio_asset_id']),
      ),
  ],
  'script-audio-asset.other-kind-rejected': [
    'Any asset may be played.',
    ({ rules }) =>
      narrow(
        rules.responseCreate['audio-asset-unknown'],
        (input) => !isOfAnotherKind(input.session, 'audio', vocalOf(input)['audio_asset_id']),
      ),
  ],
  'script-audio-asset.id-missing-rejected': [
    'Without an id the audio is silent.',
    ({ rules }) => waive(rules.responseCreate, 'audio-asset-missing'),
  ],
})

const has = (input: ResponseInput, key: string): boolean => scriptOf(input)[key] !== undefined
const asset = (input: ResponseInput): unknown => visualOf(input)['visual_prompt_asset_id']

const visualDefects = defectsOf('control-channel', {
  'script-visual.prompt-accepted': [
    'A prompt is refused.',
    (b) =>
      refuseResponse(
        b,
        (input) =>
          visualOf(input)['prompt'] !== undefined &&
          asset(input) === undefined &&
          !String(visualOf(input)['prompt']).includes('[SHOT_SEP]'),
      ),
  ],
  'script-visual.several-actions-accepted': [
    'One action at a time.',
    (b) => refuseResponse(b, (input) => String(visualOf(input)['prompt']).includes('[SHOT_SEP]')),
  ],
  'script-visual.added-asset-accepted': [
    'Added prompts are unknown.',
    (b) =>
      refuseResponse(
        b,
        (input) => asset(input) !== undefined && !isPlanned(input.session, 'visual_prompts', asset(input)),
      ),
  ],
  'script-visual.create-time-asset-accepted': [
    'Prompts of the creation are unknown.',
    (b) => refuseResponse(b, (input) => isPlanned(input.session, 'visual_prompts', asset(input))),
  ],
  'script-visual.beside-vocal-accepted': [
    'A script is either vocal or visual.',
    (b) => refuseResponse(b, (input) => has(input, 'vocal') && has(input, 'visual')),
  ],
  'script-visual.prompt-and-asset-rejected': [
    'A prompt wins over an asset.',
    ({ rules }) => waive(rules.responseCreate, 'visual-both'),
  ],
  'script-visual.neither-rejected': [
    'A visual may hold nothing.',
    ({ rules }) => waive(rules.responseCreate, 'visual-neither'),
  ],
  'script-visual.unknown-asset-rejected': [
    'Unknown prompts do nothing.',
    ({ rules }) =>
      narrow(rules.responseCreate['visual-asset-unknown'], (input) =>
        isOfAnotherKind(input.session, 'visual_prompts', asset(input)),
      ),
  ],
  'script-visual.other-kind-rejected': [
    'A speech text may be acted.',
    ({ rules }) =>
      narrow(
        rules.responseCreate['visual-asset-unknown'],
        (input) => !isOfAnotherKind(input.session, 'visual_prompts', asset(input)),
      ),
  ],
  'script-visual.not-rendered-in-text-chat': [
    'Actions are rendered in text, too.',
    ({ rules, responses }) => {
      waive(rules.responseCreate, 'visual-in-text-chat')
      const { renders } = responses
      responses.renders = (plan) => renders(plan) || plan.kind === 'visual'
    },
  ],
  'script-visual.duration-accepted': [
    'A duration is refused.',
    (b) => refuseResponse(b, (input) => Number.isInteger(visualOf(input)['duration_ms'])),
  ],
  'script-visual.duration-omitted-accepted': [
    'A duration is required.',
    (b) => refuseResponse(b, (input) => has(input, 'visual') && visualOf(input)['duration_ms'] === undefined),
  ],
  'script-visual.duration-not-integer-rejected': [
    'Any duration is accepted.',
    ({ rules }) => waive(rules.responseCreate, 'visual-duration-invalid'),
  ],
})

export const scriptMediaDefects = [...audioDefects, ...visualDefects]
