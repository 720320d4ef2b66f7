import { onData } from '../tools.ts'
import { defectsOf } from '../table.ts'

const files = defectsOf('audio-files', {
  'upload.wav-accepted~first-part': [
    'Only the first part of a form is looked at.',
    ({ files: own }) => void (own.fileIn = (parts, isFile) => parts.slice(0, 1).find(isFile)),
  ],
})

const characters = defectsOf('characters', {
  'list.item-name~later-page': [
    'Pages that a token leads to show names in capitals.',
    ({ characters: { list } }) => {
      const { cut } = list
      list.cut = (following, size, start) => {
        const page = cut(following, size, start)
        if (start === undefined) return page
        return { ...page, characters: page.characters.map((one) => ({ ...one, name: one.name.toUpperCase() })) }
      }
    },
  ],
  'replace.returns-written~second': [
    'A second replace keeps what the first one wrote.',
    ({ characters: own }) => {
      const times = new Map<string, number>()
      const { replaced } = own
      own.replaced = (old, next) => {
        const time = (times.get(old.id) ?? 0) + 1
        times.set(old.id, time)
        return time === 2 ? { name: old.name, configuration: old.configuration } : replaced(old, next)
      }
    },
  ],
})

const voices = defectsOf('voices', {
  'get.name~second': [
    'Get shows every voice under the name of the first one that it found.',
    (b) => {
      let first: unknown
      onData(b, 'get-voice', (data) => {
        first ??= data['name']
        return { ...data, name: first }
      })
    },
  ],
})

const worlds = defectsOf('world-sessions', {
  'client-secret.media-secret-fresh-again~third': [
    'The third media secret of a session is the second one again.',
    ({ world: { life } }) => {
      const { renews } = life
      life.renews = (channel, given) => (channel === 'media' && given === 3 ? false : renews(channel, given))
    },
  ],
})

/** What is not the first of its kind: a part of a form, a page, a replace, a voice, a secret. */
export const overlookedPlaceDefects = [...files, ...characters, ...voices, ...worlds]
