import type { CreateOption } from './bundle.ts'

/**
 * Asset ids are "unique across `audio`, `speech_text` and `visual_prompts`" (2.4): an avatar, an image, or a word of the
 * programming language that the service is written in may be called the same. A list may be empty.
 */
export const namesakes: CreateOption = {
  id: 'namesakes',
  rows: ['avatar-sessions.assets.speech-text-accepted', 'avatar-sessions.assets.visual-prompt-accepted'],
  change: {
    set: {
      '/assets': {
        audio: [],
        speech_text: [{ asset_id: 'ada', text: 'Good evening.' }],
        visual_prompts: [
          { asset_id: 'face', prompt: 'Look up.' },
          { asset_id: 'constructor', prompt: 'Look down.' },
        ],
      },
    },
  },
}

/** "Caller-defined" (2.3): an id is what the caller wrote, blanks among it. */
export const oddAvatarId: CreateOption = {
  id: 'avatar-id-odd',
  rows: [],
  change: { set: { '/session/active_avatar_id': 'ada' }, add: { '/avatars': [{ avatar_id: ' Zoë  of the night ' }] } },
  mayBeRefused: true,
}

/** No section bounds an id: one that is longer than a short column comes back whole, or the create is refused. */
export const longAvatarId: CreateOption = {
  id: 'avatar-id-long',
  rows: [],
  change: {
    set: { '/session/active_avatar_id': 'ada' },
    add: { '/avatars': [{ avatar_id: `guide-${'of-the-museum-'.repeat(6)}01` }] },
  },
  mayBeRefused: true,
}
