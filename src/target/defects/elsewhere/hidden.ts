import type { Behaviour } from '#target/behaviour/behaviour'
import { waive } from '#target/behaviour/rules/waive'
import { isWire, wireAt, wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'

const MODES = ['text_chat', 'video_avatar']

/** An unknown mode of a create counts as one of the two. */
const readAs =
  (mode: string) =>
  ({ create, rules }: Behaviour): void => {
    waive(rules.createSession, 'mode-unknown')
    const known = create.mode
    create.mode = (session) => (MODES.includes(known(session)) ? known(session) : mode)
  }

/** An unknown mode of an update counts as another one, with all that follows from that. */
const updateAs =
  (mode: (current: string) => string, where: (current: string) => boolean = () => true) =>
  ({ update, rules }: Behaviour): void => {
    const { broken } = rules.sessionUpdate['mode-unknown']
    rules.sessionUpdate['mode-unknown'].broken = (input) => !where(input.session.state.mode) && broken(input)
    const asIs = update.mode
    update.mode = (asked, current) => {
      const read = asIs(asked, current)
      return MODES.includes(read) || !where(current.mode) ? read : mode(current.mode)
    }
  }

const isVideo = (mode: string): boolean => mode === 'video_avatar'

/** Avatars that a start sends replace the saved ones, where the saved active avatar is among them. */
function replaceAvatars({ rules, characters: { sessions } }: Behaviour): void {
  waive(rules.start.body, 'avatars-sent')
  const { body } = sessions
  sessions.body = (saved, sent, combination) => {
    const made = body(saved, sent, combination)
    return sent['avatars'] === undefined ? made : { ...made, avatars: sent['avatars'] }
  }
}

/** Avatars that a start sends are added to the saved ones, or take the place of their namesakes. */
function mergeAvatars({ rules, characters: { sessions } }: Behaviour): void {
  waive(rules.start.body, 'avatars-sent')
  const { body } = sessions
  sessions.body = (saved, sent, combination) => {
    const made = body(saved, sent, combination)
    const given = wiresAt(sent, 'avatars')
    const avatars = wiresAt(made, 'avatars').map((one) => ({
      ...one,
      ...given.find(({ avatar_id }) => avatar_id === one['avatar_id']),
    }))
    return { ...made, avatars }
  }
}

/** Faults that hide behind another one, where both are tried together. */
export const hiddenDefects = [
  ...defectsOf('avatar-sessions', {
    'create.mode-unknown-rejected~as-text': ['An unknown mode means text_chat.', readAs('text_chat')],
    'create.mode-unknown-rejected~as-video': ['An unknown mode means video_avatar.', readAs('video_avatar')],
    'pipeline.tts-voice-id-missing-rejected~beside-payload': [
      'Beside a payload of the provider no tts_voice_id is asked for.',
      ({ rules }) => {
        const { broken } = rules.pipeline['tts-voice-missing']
        rules.pipeline['tts-voice-missing'].broken = (input) =>
          broken(input) && wireAt(input.given, 'tts_config')['payload'] === undefined
      },
    ],
  }),
  ...defectsOf('control-channel', {
    'session-update.unknown-mode-rejected~as-video': [
      'An unknown mode of an update means video_avatar.',
      updateAs(() => 'video_avatar'),
    ],
    'session-update.unknown-mode-rejected~as-text': [
      'An unknown mode of an update means text_chat.',
      updateAs(() => 'text_chat'),
    ],
    'session-update.unknown-mode-rejected~passed-over': [
      'An unknown mode of an update is passed over.',
      updateAs((current) => current),
    ],
    'session-update.unknown-mode-rejected~in-video': [
      'In video sessions an unknown mode of an update is passed over.',
      updateAs((current) => current, isVideo),
    ],
    'session-update.unknown-avatar-rejected~in-video': [
      'In video sessions an unknown avatar of an update is passed over.',
      ({ rules, update }) => {
        const asIs = update.activeAvatarId
        update.activeAvatarId = (asked, current, session) => {
          const named = asIs(asked, current, session)
          const known = session.avatars.some(({ avatar_id }) => avatar_id === named)
          return known || !isVideo(current.mode) ? named : current.activeAvatarId
        }
        const { broken } = rules.sessionUpdate['active-avatar-unknown']
        rules.sessionUpdate['active-avatar-unknown'].broken = (input) =>
          !isVideo(input.session.state.mode) && broken(input)
      },
    ],
  }),
  ...defectsOf('characters', {
    'session.avatars-without-effect~replaced': [
      'Avatars that a start sends replace the saved ones, if the active one is among them.',
      replaceAvatars,
    ],
    'session.avatars-without-effect~merged': [
      'Avatars that a start sends change their namesakes among the saved ones.',
      mergeAvatars,
    ],
    'session.conversation-without-effect~instructions-replaced': [
      'Instructions that a start sends take the place of saved ones.',
      ({ characters: { sessions } }) => {
        const { body } = sessions
        sessions.body = (saved, sent, combination) => {
          const made = body(saved, sent, combination)
          const { instructions } = wireAt(sent, 'conversation')
          if (instructions === undefined || !isWire(made['conversation'])) return made
          return { ...made, conversation: { ...made['conversation'], instructions } }
        }
      },
    ],
    'session.conversation-without-effect~tools': [
      'Tools that a start sends are added.',
      ({ characters: { sessions } }) => {
        const { body } = sessions
        sessions.body = (saved, sent, combination) => {
          const made = body(saved, sent, combination)
          const tools = wiresAt(wireAt(sent, 'conversation'), 'tools')
          if (tools.length === 0) return made
          const own = wireAt(made, 'conversation')
          return { ...made, conversation: { ...own, tools: [...wiresAt(own, 'tools'), ...tools] } }
        }
      },
    ],
  }),
]
