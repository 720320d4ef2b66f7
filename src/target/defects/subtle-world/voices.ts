import type { Voice } from '#target/voices/voice'
import { change } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onData } from '../tools.ts'

/** 2.8 and 4.3: voices. */
export const subtleVoiceDefects = defectsOf('voices', {
  'list.own-included~long-name': [
    'Voices whose names have more than a hundred characters are not listed.',
    ({ voices }) => void (voices.finds = ({ name }, operation) => operation !== 'list-voices' || name.length <= 100),
  ],
  'clone.voice-ids-distinct~same-file': [
    'A second clone of a file returns the first voice.',
    ({ voices }) => {
      const firsts = new Map<string, Voice>()
      const first = (voice: Voice): Voice => {
        const known = firsts.get(voice.file.id) ?? voice
        firsts.set(voice.file.id, known)
        return known
      }
      for (const [name, field] of Object.entries(voices.cloned)) voices.cloned[name] = (voice) => field(first(voice))
      voices.finds = (voice) => first(voice) === voice
    },
  ],
  'name.counted-in-characters~three-bytes': [
    'A name may have 256 bytes.',
    ({ voices }) => {
      const { nameLength } = voices
      voices.nameLength = (name) => Math.max(nameLength(name), Buffer.byteLength(name) - 128)
    },
  ],
  'clone.name-returned~blanks': [
    'Several blanks in a row become one in a name.',
    ({ voices }) => void (voices.cloned['name'] = ({ name }) => name.replaceAll(/ {2,}/gu, ' ')),
  ],
  'clone.language-optional~refused-before': [
    'A file is not found any more once a clone of it was refused.',
    ({ voices }) => {
      const burned = new Set<string>()
      let named = ''
      const { fileOf } = voices
      voices.fileOf = (id, files) => {
        named = id
        return burned.has(id) ? undefined : fileOf(id, files)
      }
      voices.makesRefused = (code) => {
        if (code !== '20005') burned.add(named)
        return false
      }
    },
  ],
  'get.language~three-letters': [
    'Get shows two letters of a language.',
    (b) =>
      onData(
        b,
        'get-voice',
        change('language', (language) => String(language).slice(0, 2)),
      ),
  ],
  'list.other-workspace-excluded~no-language': [
    'Voices without a language are listed for every workspace.',
    ({ access, voices }) => {
      const { sees } = access
      let own = true
      access.sees = (account, owner, operation) => {
        own = sees(account, owner, operation)
        return operation === 'list-voices' || own
      }
      voices.finds = ({ language }, operation) => operation !== 'list-voices' || own || language === undefined
    },
  ],
})
