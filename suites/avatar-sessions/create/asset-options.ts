import type { Profile } from '#spec/profile'
import { fullInstructions, fullText, recording } from '#scenario/author/bodies'
import type { Change } from '../change.ts'
import type { CreateOption } from './bundle.ts'

/** Several of each kind, so that a fault can stand in their midst; one of them is longer than a field that was made for a name. */
const spoken = [
  { asset_id: 'greeting', text: 'Good morning.' },
  { asset_id: 'thanks', text: fullText('Thank you.') },
  { asset_id: 'farewell', text: 'Good night.' },
]
const gestures = [
  { asset_id: 'nod', prompt: 'Nod slowly.' },
  { asset_id: 'bow', prompt: fullText('Bow once.') },
  { asset_id: 'turn', prompt: 'Turn to the left.' },
]

/** Assets that a create may carry (2.4). */
export function assetOptions(profile: Profile): readonly CreateOption[] {
  return [
    {
      id: 'speech-text',
      rows: ['avatar-sessions.assets.speech-text-accepted'],
      change: { add: { '/assets/speech_text': spoken } },
    },
    {
      id: 'visual-prompt',
      rows: ['avatar-sessions.assets.visual-prompt-accepted'],
      change: { add: { '/assets/visual_prompts': gestures } },
    },
    {
      // How long they may be is not said.
      id: 'assets-long',
      rows: [],
      change: {
        set: {
          '/assets/speech_text/-': { asset_id: 'story', text: fullInstructions },
          '/assets/visual_prompts/-': { asset_id: 'dance', prompt: fullInstructions },
        },
      },
      mayBeRefused: true,
    },
    ...audioOptions(profile),
  ]
}

const asset = (asset_id: string, more: object): Change => ({ set: { '/assets/audio/-': { asset_id, ...more } } })

/** Audio of the profile where it has the type; else an address that only a target which fetches nothing takes. */
function audioOptions(profile: Profile): readonly CreateOption[] {
  const { url, type, given } = recording(profile)
  const fetched = given ? {} : { mayBeRefused: true, given: ['audio'] }
  const typed = (id: string, mime_type: string, row: CreateOption['rows'][number]): CreateOption => {
    if (given && type === mime_type) return { id, rows: [row], change: asset(id, { url, mime_type }) }
    const example = `https://example.com/speech.${mime_type === 'audio/wav' ? 'wav' : 'mp3'}`
    return {
      id,
      rows: [row],
      change: asset(id, { url: example, mime_type }),
      mayBeRefused: true,
      given: ['audio-example'],
    }
  }
  return [
    {
      id: 'audio',
      rows: ['avatar-sessions.assets.audio-accepted'],
      change: { add: { '/assets/audio': ['jingle', 'chime', 'gong'].map((asset_id) => ({ asset_id, url })) } },
      ...fetched,
    },
    {
      id: 'audio-example',
      rows: [],
      change: asset('example', { url: 'https://example.com/speech.wav' }),
      mayBeRefused: true,
    },
    typed('audio-wav', 'audio/wav', 'avatar-sessions.assets.audio-wav-accepted'),
    typed('audio-mpeg', 'audio/mpeg', 'avatar-sessions.assets.audio-mpeg-accepted'),
  ]
}
