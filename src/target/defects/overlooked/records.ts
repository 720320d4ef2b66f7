import type { Behaviour } from '#target/behaviour/behaviour'
import { rule } from '#target/behaviour/rules/rule'
import { demand } from '#target/behaviour/rules/waive'
import type { Character } from '#target/characters/character'
import { isWire, textOf, wireAt, wiresOf } from '#target/wire'
import { defectsOf } from '../table.ts'

/** The character that a replace is about to write. */
function underReplace({ characters }: Behaviour): () => Character | undefined {
  let current: Character | undefined
  const { found } = characters
  characters.found = (character, operation) => {
    if (operation === 'replace-character') current = character
    return found(character, operation)
  }
  return () => current
}

function numberedPages({ characters: { list } }: Behaviour): void {
  const sizes = new Map<number, { size: number; page: number }>()
  let all: Character[] = []
  const { following, cut } = list
  list.following = (sorted, place) => {
    all = sorted
    return following(sorted, place)
  }
  list.cut = (rest, size, start) => {
    const before = start === undefined ? undefined : sizes.get(start)
    const page = before?.page ?? 0
    const from = before !== undefined && before.size !== size ? all.slice(page * size) : rest
    const made = cut(from, size, start)
    if (made.after !== undefined) sizes.set(made.after, { size, page: page + 1 })
    return made
  }
}

function staleResolution({ characters: { views } }: Behaviour): void {
  const last = new WeakMap<Character, unknown>()
  const { resolution } = views.summary
  const seen = (character: Character): unknown => {
    const now = resolution?.(character) ?? last.get(character)
    last.set(character, now)
    return now
  }
  views.summary['resolution'] = seen
  const { configuration } = views
  views.configuration = (character) => {
    seen(character)
    return configuration(character)
  }
}

/** Records of characters and files: what of the old one lives on, and what is told apart by where it came from. */
export const overlookedRecordDefects = [
  ...defectsOf('characters', {
    'list.shows-replaced~output-omitted': [
      'After a replace that omits output List still shows the resolution of before.',
      staleResolution,
    ],
    'list.each-once~other-size': [
      'A page asked with another page_size than the one before is counted in pages of the new size.',
      numberedPages,
    ],
    'deleted.starts-no-session~second': [
      'A deleted character is refused once; the second attempt starts it.',
      ({ characters }) => {
        const refused = new WeakSet<Character>()
        const { found } = characters
        characters.found = (character, operation) => {
          const starts = operation === 'create-session-from-character'
          if (!starts || !character.deleted) return found(character, operation)
          if (refused.has(character)) return true
          refused.add(character)
          return false
        }
      },
    ],
    'replace.active-avatar-unknown-rejected~old': [
      'A replace takes an active_avatar_id that only the record before knew.',
      (behaviour) => {
        const old = underReplace(behaviour)
        const unknown = behaviour.rules.replacement.session['active-avatar-unknown']
        const { broken } = unknown
        const knew = (id: unknown): boolean =>
          wiresOf(old()?.configuration['avatars']).some((avatar) => avatar['avatar_id'] === id)
        unknown.broken = (input) => broken(input) && !knew(wireAt(input.body, 'session')['active_avatar_id'])
      },
    ],
    'replace.output-missing-default-mode-rejected~was-text': [
      'A replace without session and output passes on a text_chat character.',
      (behaviour) => {
        const old = underReplace(behaviour)
        const missing = behaviour.rules.replacement.session['output-missing']
        const { broken } = missing
        const wasText = (): boolean => wireAt(old()?.configuration, 'session')['mode'] === 'text_chat'
        missing.broken = (input) => broken(input) && !(input.body['session'] === undefined && wasText())
      },
    ],
    'session.conversation-without-effect~unsaved': [
      'A conversation sent with a start takes effect where the character saved none.',
      ({ characters: { sessions } }) => {
        const { body } = sessions
        sessions.body = (saved, sent, combination) => ({
          ...(isWire(sent['conversation']) ? { conversation: sent['conversation'] } : {}),
          ...body(saved, sent, combination),
        })
      },
    ],
  }),
  ...defectsOf('avatar-sessions', {
    'pipeline.tts-cloned-voice-accepted~character': [
      'A character with a cloned voice cannot be started.',
      ({ rules, voices }) => {
        const table: Record<string, (typeof rules.start.pipeline)['tts-missing']> = rules.start.pipeline
        demand(
          table,
          'voice-cloned',
          rule('4.3', 'pipeline_config.tts_config.tts_voice_id', ({ given }) => {
            const id = textOf(wireAt(given, 'tts_config')['tts_voice_id']) ?? ''
            return id.startsWith('voice_') && !voices.public.some((one) => one.id === id)
          }),
        )
      },
    ],
  }),
  ...defectsOf('audio-files', {
    'code-20006.empty-file~mpeg': [
      'An empty file that is declared audio/mpeg is answered with 20008.',
      ({ rules }) => {
        rules.upload['file-empty'].broken = ({ part }) => part?.bytes.length === 0 && part.declared !== 'audio/mpeg'
        const { broken } = rules.upload['type-unsupported']
        rules.upload['type-unsupported'].broken = (input) => input.part?.bytes.length === 0 || broken(input)
      },
    ],
  }),
]
