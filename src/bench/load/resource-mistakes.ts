import type { AudioFile } from '#target/files/audio-file'
import type { Character } from '#target/characters/character'
import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { everyNth, everyNthOf } from '#target/variations/every-nth'

/** Of so many things, one is wrong: each user meets few of them. */
const NTH = 4

/** What the reference target does wrong, each time it is started anew. */
export type Mistakes = { readonly [name: string]: () => Override }

type FileField = (file: AudioFile) => unknown

/** A field of an upload's answer that is another one now and then. */
function fileField(name: string, change: (right: unknown, before: AudioFile | undefined) => unknown): () => Override {
  return () => {
    const isTurn = everyNth(NTH, 0)
    let before: AudioFile | undefined
    return ({ files }) => {
      const right: FileField | undefined = files.shown[name]
      files.shown[name] = (file) => {
        const shown = isTurn() ? change(right?.(file), before) : right?.(file)
        before = file
        return shown
      }
    }
  }
}

/** Mistakes of a busy store of files. */
export const uploadMistakes: Mistakes = {
  'a file gets the id of the one before now and then': fileField('file_id', (right, before) => before?.id ?? right),
  'ids of files begin anew after seven uploads': () => {
    let count = 0
    return ({ files }) => (files.id = () => `file_aud_${(count++ % 7) + 100}`)
  },
  'an id of a file lacks its beginning now and then': fileField('file_id', (right) => String(right).slice(9)),
  'the size of a file is that of the one before now and then': fileField(
    'size_bytes',
    (right, before) => before?.bytes ?? right,
  ),
  'the size of a file is what of it came first':
    () =>
    ({ files }) =>
      (files.shown['size_bytes'] = ({ bytes }) => Math.min(bytes, 65_536)),
  'the type of a file is another one now and then': fileField('mime_type', () => 'audio/mpeg'),
  'the kind of a file is missing now and then': fileField('file_type', () => undefined),
  'the kind of a file is its type now and then': fileField('file_type', () => 'audio/wav'),
  'the address of a file is missing now and then': fileField('url', () => undefined),
  'the address of a file is a path now and then': fileField('url', (right) => new URL(String(right)).pathname),
  'a file was created at no time now and then': fileField('created_at', () => undefined),
  'a file was created at a number now and then': fileField('created_at', (right) => Date.parse(String(right))),
  'files of one size are one file':
    () =>
    ({ files }) =>
      (files.same = (file, known) => [...known].find(({ bytes }) => bytes === file.bytes)),
  'files that come beside another one lack their field now and then': () => {
    const isTurn = everyNth(NTH, 0)
    return ({ files }) => {
      const { fileIn } = files
      files.fileIn = (parts, isFile) => (isTurn() ? undefined : fileIn(parts, isFile))
    }
  },
}

type Lists = Behaviour['characters']['list']

/** A field of the list's items that is another character's now and then. */
function itemField(name: string, change: (right: unknown, before: unknown) => unknown, nth = 7): () => Override {
  return () => {
    const isTurn = everyNth(nth, 0)
    let before: unknown
    return ({ characters: { views } }) => {
      const right = views.summary[name]
      views.summary[name] = (character) => {
        const own = right?.(character)
        const shown = isTurn() ? change(own, before) : own
        before = own
        return shown
      }
    }
  }
}

/** When each character was deleted. */
function deletions(characters: Behaviour['characters']): (character: Character) => number {
  const at = new WeakMap<Character, number>()
  const { deleted } = characters
  characters.deleted = (character) => {
    deleted(character)
    at.set(character, Date.now())
  }
  return (character) => Date.now() - (at.get(character) ?? Date.now())
}

const list =
  (change: (lists: Lists) => void): Override =>
  ({ characters }) =>
    change(characters.list)

/** Mistakes of a busy store of characters. */
export const pagingMistakes: Mistakes = {
  'a page goes on where the last one that anybody asked for ended': () => {
    let last: number | undefined
    return list((lists) => {
      const { placeOf, token } = lists
      lists.token = (place) => {
        last = place
        return token(place)
      }
      lists.placeOf = (given) => (placeOf(given) === undefined ? undefined : last)
    })
  },
  'a page repeats the last character of the one before now and then': () => {
    const isTurn = everyNth(NTH, 0)
    return list((lists) => {
      lists.following = (sorted, place) => {
        const from = isTurn() ? place + 1 : place
        return sorted.filter(({ serial }) => serial < from)
      }
    })
  },
  'a page leaves out a character now and then': () => {
    const isTurn = everyNth(NTH, 0)
    return list((lists) => {
      lists.following = (sorted, place) => sorted.filter(({ serial }) => serial < place).slice(isTurn() ? 1 : 0)
    })
  },
  'one of four characters is never listed': () => {
    const isHidden = everyNthOf(NTH, 0)
    return list((lists) => {
      const shown = lists.lists
      lists.lists = (one) => !isHidden(one) && shown(one)
    })
  },
  'a deleted character comes back after a second':
    () =>
    ({ characters }) => {
      const since = deletions(characters)
      characters.list.lists = (one) => !one.deleted || since(one) > 1_000
    },
  'one of four deletes is not carried out': () => {
    const isTurn = everyNth(NTH, 0)
    return ({ characters }) => {
      const { deleted } = characters
      characters.deleted = (one) => {
        if (!isTurn()) deleted(one)
      }
    }
  },
  'a delete takes the newest character along now and then': () => {
    const isTurn = everyNth(NTH, 0)
    return ({ characters }) => {
      characters.alsoDeletes = (one, all) =>
        isTurn() ? all.filter((other) => other !== one && !other.deleted).slice(-1) : []
    }
  },
  'a delete does not find its character now and then': () => {
    const isLost = everyNthOf(NTH, 0)
    return ({ characters }) => {
      const { found } = characters
      characters.found = (one, operation) => found(one, operation) && !(operation === 'delete-character' && isLost(one))
    }
  },
  'an item bears the name of the one before now and then': itemField('name', (right, before) => before ?? right),
  'an item lacks its name now and then': itemField('name', () => undefined),
  'an item bears another model now and then': itemField('model', () => 'svc-a1-stream-lite'),
  'an item was created at another time now and then': itemField('created_at', () => '2020-01-01T00:00:00Z'),
  'an item bears the id of the one before now and then': itemField('character_id', (right, before) => before ?? right),
  'a create is called wrong now and then': () => {
    const isTurn = everyNth(5, 0)
    return ({ characters }) => {
      const { rejects } = characters
      characters.moderates = () => true
      characters.moderatedTexts = () => [isTurn() ? 'wrong' : '']
      characters.rejects = (text) => text === 'wrong' || rejects(text)
      characters.rejected = () => '20012'
    }
  },
  'the first page is called wrong now and then': () => {
    const isTurn = everyNth(3, 0)
    return list((lists) => {
      const { size } = lists
      lists.size = (given, sizes) => (given !== '200' && isTurn() ? undefined : size(given, sizes))
    })
  },
  'a character is made twice now and then': () => {
    const isTurn = everyNth(5, 0)
    return ({ characters }) => {
      const right = characters.list.cut
      // The copy shows beside its original, under an id of its own.
      const copies = new WeakMap<Character, Character | undefined>()
      const copyOf = (one: Character): Character[] => {
        if (!copies.has(one)) copies.set(one, isTurn() ? { ...one, id: `${one.id}0` } : undefined)
        const copy = copies.get(one)
        return copy === undefined ? [one] : [one, copy]
      }
      characters.list.cut = (following, size, start) => {
        const page = right(following, size, start)
        return { ...page, characters: page.characters.flatMap(copyOf).slice(0, size) }
      }
    }
  },
  'the list turns round after twelve characters': () =>
    list((lists) => {
      const { order } = lists
      let asked = 0
      lists.order = (one, other) => {
        asked = Math.max(asked, one.serial)
        return asked > 12 ? -order(one, other) : order(one, other)
      }
    }),
  'ten characters are listed and no more': () =>
    list((lists) => {
      lists.following = (sorted, place) => sorted.slice(0, 10).filter(({ serial }) => serial < place)
    }),
  'a token is good for a single user at a time': () => {
    let last = ''
    return list((lists) => {
      const { placeOf, token } = lists
      lists.token = (place) => (last = token(place))
      lists.placeOf = (given) => (given === last ? placeOf(given) : undefined)
    })
  },
}

/** Variations of correct lists whose tokens do not hold for good. */
export const pageKinds: readonly (readonly string[])[] = [
  ['character-page-tokens-outdated'],
  ['character-tokens-short-lived', 'character-tokens-odd'],
  ['character-page-tokens-outdated', 'character-lists-late'],
]
