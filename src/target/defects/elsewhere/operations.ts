import type { Behaviour } from '#target/behaviour/behaviour'
import { waive } from '#target/behaviour/rules/waive'
import { isWire, wireAt, wiresAt } from '#target/wire'
import { type DefectEntry, defectsOf } from '../table.ts'

type Tables = Behaviour['rules']['replacement']

const taken = (what: string, drop: (tables: Tables) => void): DefectEntry => [
  `A replace takes ${what}.`,
  ({ rules }) => drop(rules.replacement),
]

/** Faults that a create of a character is refused for, and a replace is not. */
const replaces = defectsOf('characters', {
  'replace.validated-as-create~model': taken('an unknown model', ({ session }) => waive(session, 'model-unsupported')),
  'replace.validated-as-create~mode': taken('an unknown mode', ({ session }) => waive(session, 'mode-unknown')),
  'replace.validated-as-create~ambiguous': taken('several avatars of which none is active', ({ session }) =>
    waive(session, 'active-avatar-ambiguous'),
  ),
  'replace.validated-as-create~tool-name': taken('a tool without a name', ({ conversation }) =>
    waive(conversation, 'tool-name-missing'),
  ),
  'replace.validated-as-create~voice-id': taken('an empty voice id', ({ pipeline }) =>
    waive(pipeline, 'tts-voice-empty'),
  ),
  'replace.validated-as-create~resolution': taken('an unknown resolution', ({ session }) =>
    waive(session, 'resolution-unsupported'),
  ),
  'replace.validated-as-create~source-image': taken('an unknown source image', ({ session }) =>
    waive(session, 'source-image-unknown'),
  ),
  'replace.validated-as-create~image-ids': taken('two images of one id', ({ avatars }) =>
    waive(avatars, 'source-image-id-repeated'),
  ),
  'replace.validated-as-create~media-type': taken('a media_type of no image', ({ avatars }) =>
    waive(avatars, 'media-type-not-image'),
  ),
  'replace.validated-as-create~voice-model': taken('a voice without a model', ({ avatars }) =>
    waive(avatars, 'voice-model-missing'),
  ),
  'replace.validated-as-create~negative-timeout': taken('a negative timeout', ({ session }) =>
    waive(session, 'disconnected-negative', 'idle-negative'),
  ),
  'replace.validated-as-create~idle': taken('an idle timeout below 30', ({ session }) => waive(session, 'idle-low')),
  'replace.validated-as-create~longest': taken('timeouts above 3600', ({ session }) =>
    waive(session, 'disconnected-high', 'idle-high'),
  ),
  'replace.validated-as-create~above-duration': taken('a disconnected timeout above the duration', ({ session }) =>
    waive(session, 'disconnected-over-duration'),
  ),
})

/** What a save lets through, and the start from it as well. */
const saves = defectsOf('characters', {
  'create.voice-incomplete-refused~model-alone': [
    'The voice of a character needs no model.',
    ({ rules }) => {
      for (const { avatars } of [rules.character, rules.replacement, rules.start]) waive(avatars, 'voice-model-missing')
    },
  ],
  'create.voice-incomplete-refused~voice-id-alone': [
    'The voice of a character needs no provider_voice_id.',
    ({ rules }) => {
      for (const { avatars } of [rules.character, rules.replacement, rules.start]) waive(avatars, 'voice-id-missing')
    },
  ],
  'create.voice-incomplete-refused~provider-alone': [
    'The voice of a character needs no provider.',
    ({ rules }) => {
      for (const { avatars } of [rules.character, rules.replacement, rules.start])
        waive(avatars, 'voice-provider-missing')
    },
  ],
  'create.temperature-out-of-range-refused~below': [
    'A character may have a temperature below 0.',
    ({ rules }) => {
      for (const { conversation } of [rules.character, rules.replacement, rules.start])
        waive(conversation, 'temperature-low')
    },
  ],
  'create.tool-name-missing-refused~last': [
    'Only the last tool of a character is looked at for its name.',
    ({ rules }) => {
      for (const { conversation } of [rules.character, rules.replacement, rules.start]) {
        const { broken } = conversation['tool-name-missing']
        conversation['tool-name-missing'].broken = (input) =>
          broken({ ...input, given: { tools: wiresAt(input.given, 'tools').slice(-1) } })
      }
    },
  ],
  'create.mode-unknown-refused~as-text': [
    'An unknown mode of a character means text_chat.',
    (behaviour) => readModes(behaviour, 'text_chat'),
  ],
  'create.mode-unknown-refused~as-video': [
    'An unknown mode of a character means video_avatar.',
    (behaviour) => readModes(behaviour, 'video_avatar'),
  ],
})

function readModes({ characters }: Behaviour, mode: string): void {
  const { read } = characters
  characters.read = (given) => {
    const body = read(given)
    const asked = wireAt(body, 'session')['mode']
    if (asked === undefined || asked === 'text_chat' || asked === 'video_avatar') return body
    return { ...body, session: { ...(isWire(body['session']) ? body['session'] : {}), mode } }
  }
}

export const operationDefects = [...replaces, ...saves]
