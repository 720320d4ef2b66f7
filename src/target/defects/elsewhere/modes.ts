import type { Behaviour } from '#target/behaviour/behaviour'
import type { Rule } from '#target/behaviour/rules/rule'
import { textOf, type Wire, wireAt } from '#target/wire'
import { type DefectEntry, defectsOf } from '../table.ts'

type Rules = Behaviour['rules']
type Mode = 'text_chat' | 'video_avatar'

/** The mode of the create that is being read. */
function modeOf({ create }: Behaviour): () => string {
  let body: Wire = {}
  const { read } = create
  create.read = (given) => {
    body = read(given)
    return body
  }
  return () => textOf(wireAt(body, 'session')['mode']) ?? 'video_avatar'
}

/** Creates of one mode are not held to a rule that holds for both. */
const unchecked =
  <Input>(mode: Mode, pick: (rules: Rules) => Rule<Input>) =>
  (behaviour: Behaviour): void => {
    const current = modeOf(behaviour)
    const rule = pick(behaviour.rules)
    const { broken } = rule
    rule.broken = (input) => current() !== mode && broken(input)
  }

const inVideo = <Input>(what: string, pick: (rules: Rules) => Rule<Input>): DefectEntry => [
  `In video sessions ${what}.`,
  unchecked('video_avatar', pick),
]

const inText = <Input>(what: string, pick: (rules: Rules) => Rule<Input>): DefectEntry => [
  `In text sessions ${what}.`,
  unchecked('text_chat', pick),
]

/** Rules that hold in both modes and are enforced in one. */
export const modeDefects = [
  ...defectsOf('avatar-sessions', {
    'create.model-unknown-rejected~in-video': inVideo(
      'any model is taken',
      ({ createSession }) => createSession['model-unsupported'],
    ),
    'create.recording-unknown-rejected~in-video': inVideo(
      'any recording mode is taken',
      ({ createSession }) => createSession['recording-mode-unknown'],
    ),
    'create.active-avatar-ambiguous-rejected~in-video': [
      'In video sessions the first of several avatars is the active one.',
      ({ create }) => {
        const { activeAvatarId } = create
        create.activeAvatarId = (session, avatars) =>
          activeAvatarId(session, avatars) ??
          (session['active_avatar_id'] === undefined && (session['mode'] ?? 'video_avatar') === 'video_avatar'
            ? textOf(avatars[0]?.['avatar_id'])
            : undefined)
      },
    ],
    'create.active-avatar-unknown-rejected~in-video': [
      'In video sessions an unknown active avatar means the first one.',
      ({ create }) => {
        const { activeAvatarId } = create
        create.activeAvatarId = (session, avatars) => {
          const named = activeAvatarId(session, avatars)
          const video = (session['mode'] ?? 'video_avatar') === 'video_avatar'
          const known = avatars.some(({ avatar_id }) => avatar_id === named)
          return named === undefined || known || !video ? named : textOf(avatars[0]?.['avatar_id'])
        }
      },
    ],
    'avatars.avatar-id-missing-rejected~in-video': inVideo(
      'avatars need no id',
      ({ avatars }) => avatars['avatar-id-missing'],
    ),
    'avatars.avatar-id-duplicate-rejected~in-video': inVideo(
      'avatars may share an id',
      ({ avatars }) => avatars['avatar-id-repeated'],
    ),
    'avatars.voice-provider-missing-rejected~in-text': inText(
      'a voice needs no provider',
      ({ avatars }) => avatars['voice-provider-missing'],
    ),
    'assets.duplicate-within-array-rejected~in-video': inVideo(
      'assets may share an id',
      ({ createAssets }) => createAssets['asset-id-repeated'],
    ),
    'assets.speech-text-missing-rejected~in-video': inVideo(
      'speech texts need no text',
      ({ createAssets }) => createAssets['speech-text-missing'],
    ),
    'conversation.temperature-out-of-range-rejected~in-video': inVideo(
      'any temperature is taken',
      ({ conversation }) => conversation['temperature-high'],
    ),
    'conversation.tool-name-missing-rejected~in-video': inVideo(
      'tools need no name',
      ({ conversation }) => conversation['tool-name-missing'],
    ),
    'pipeline.tts-config-missing-rejected~in-video': inVideo(
      'a pipeline needs no tts_config',
      ({ pipeline }) => pipeline['tts-missing'],
    ),
    'create.max-duration-too-short-rejected~in-video': inVideo(
      'any positive duration is taken',
      ({ createSession }) => createSession['duration-low'],
    ),
    'create.disconnected-timeout-out-of-range-rejected~in-video': inVideo(
      'a disconnected timeout of 9 is taken',
      ({ createSession }) => createSession['disconnected-low'],
    ),
    'create.auto-close-above-duration-rejected~in-video': inVideo(
      'an idle timeout may exceed the duration',
      ({ createSession }) => createSession['idle-over-duration'],
    ),
  }),
  ...defectsOf('limits', {
    'avatar-voice-speed.above-maximum-rejected~in-text': inText(
      'a voice may have any speed',
      ({ avatars }) => avatars['voice-speed-high'],
    ),
  }),
]
