import type { Behaviour } from '#target/behaviour/behaviour'
import { isWire, textOf, type Wire, wiresAt } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { onData } from '../tools.ts'

/** Changes the data of an operation into something that is no object any more. */
const reshape = ({ http }: Behaviour, operation: string, make: (data: Wire) => unknown): void =>
  void http.data.push((data, answered) => (answered === operation && isWire(data) ? make(data) : data))

const onList = (behaviour: Behaviour, make: (voices: Wire[]) => Wire[]): void =>
  onData(behaviour, 'list-voices', (data) => ({ ...data, voices: make(wiresAt(data, 'voices')) }))

const isPublic = (voice: Wire): boolean => String(voice['voice_id']).startsWith('voice_public')

const upperCase = (value: unknown): unknown => textOf(value)?.toUpperCase()

const cloneDefects = defectsOf('voices', {
  'clone.result-object': ['A clone is answered with a list.', (b) => reshape(b, 'clone-voice', (data) => [data])],
  'clone.result-object~id-alone': [
    'A clone is answered with its id alone.',
    (b) => reshape(b, 'clone-voice', (data) => data['voice_id']),
  ],
  'clone.voice-id-string': ['A clone has no id.', (b) => onData(b, 'clone-voice', drop('voice_id'))],
  'clone.voice-id-string~number': ['A clone has a number as id.', (b) => onData(b, 'clone-voice', put('voice_id', 17))],
  'clone.voice-id-shaped': [
    'A voice id begins with `vc_`.',
    ({ voices }) => void (voices.id = (random) => `vc_${random.hex(16)}`),
  ],
  'clone.voice-id-shaped~hyphen': [
    'A voice id begins with `voice-`.',
    ({ voices }) => void (voices.id = (random) => `voice-${random.hex(16)}`),
  ],
  'clone.voice-ids-distinct': ['Every voice has the same id.', ({ voices }) => void (voices.id = () => 'voice_0001')],
  'clone.name-returned': [
    'A clone shows its name in capitals.',
    (b) => onData(b, 'clone-voice', change('name', upperCase)),
  ],
  'clone.name-returned~cut': [
    'A name keeps its first hundred characters.',
    ({ voices }) => void (voices.cloned['name'] = ({ name }) => name.slice(0, 100)),
  ],
  'clone.name-returned~ascii': [
    'A name loses its accents.',
    ({ voices }) => void (voices.cloned['name'] = ({ name }) => name.replaceAll(/[^ -~]/gu, '?')),
  ],
  'clone.language-returned': [
    'A clone shows its language in capitals.',
    (b) => onData(b, 'clone-voice', change('language', upperCase)),
  ],
  'clone.language-returned~default': [
    'Every clone is English.',
    ({ voices }) => void (voices.cloned['language'] = ({ language }) => (language === undefined ? '' : 'en')),
  ],
  'clone.language-empty-when-omitted': [
    'A clone without a language is English.',
    ({ voices }) => void (voices.cloned['language'] = ({ language }) => language ?? 'en'),
  ],
  'clone.language-empty-when-omitted~null': [
    'The language of a clone without one is null.',
    ({ voices }) => void (voices.cloned['language'] = ({ language }) => language ?? null),
  ],
  'clone.language-empty-when-omitted~missing': [
    'A clone without a language shows none.',
    ({ voices }) => void (voices.cloned['language'] = ({ language }) => language),
  ],
})

const listDefects = defectsOf('voices', {
  'list.voices-array': [
    'The list is an object by voice id.',
    (b) =>
      onData(b, 'list-voices', (data) => ({
        voices: Object.fromEntries(wiresAt(data, 'voices').map((voice) => [voice['voice_id'], voice])),
      })),
  ],
  'list.voices-array~items': [
    'The list is called `items`.',
    (b) => onData(b, 'list-voices', ({ voices }) => ({ items: voices })),
  ],
  'list.voice-id': [
    'Public voices have ids of another shape.',
    ({ voices }) => void (voices.public = voices.public.map((one) => ({ ...one, id: one.name.toLowerCase() }))),
  ],
  'list.voice-id~own': [
    'Own voices are listed under their bare ids.',
    (b) =>
      onList(b, (voices) =>
        voices.map((voice) =>
          isPublic(voice) ? voice : { ...voice, voice_id: String(voice['voice_id']).replace('voice_', '') },
        ),
      ),
  ],
  'list.name': ['Public voices have no name.', ({ voices }) => void (voices.shared['name'] = () => null)],
  'list.name~own': [
    'Own voices are listed without their names.',
    (b) => onList(b, (voices) => voices.map((voice) => (isPublic(voice) ? voice : drop('name')(voice)))),
  ],
  'list.language': [
    'Public voices have a language with a region.',
    ({ voices }) => void (voices.shared['language'] = ({ language }) => (language === 'en' ? 'en-US' : language)),
  ],
  'list.language~null': [
    'The language of a voice without one is listed as null.',
    (b) =>
      onData(
        b,
        'list-voices',
        change('voices.*.language', (value) => value || null),
      ),
  ],
  'list.voice-once': [
    'The newest own voice is listed twice.',
    ({ voices }) => {
      const { list } = voices
      voices.list = (own, shared) => list([...own, ...own.slice(-1)], shared)
    },
  ],
  'list.voice-once~public': [
    'The first public voice is listed twice.',
    ({ voices }) => {
      const { list } = voices
      voices.list = (own, shared) => list(own, [...shared, ...shared.slice(0, 1)])
    },
  ],
  'list.own-included': [
    'Only the newest own voice is listed.',
    ({ voices }) => {
      const { list } = voices
      voices.list = (own, shared) => list(own.slice(-1), shared)
    },
  ],
  'list.own-included~oldest': [
    'Only the oldest own voice is listed.',
    ({ voices }) => {
      const { list } = voices
      voices.list = (own, shared) => list(own.slice(0, 1), shared)
    },
  ],
  'list.own-included~none': [
    'Own voices are not listed.',
    ({ voices }) => void (voices.finds = (_voice, operation) => operation !== 'list-voices'),
  ],
  'list.own-included~language': [
    'Own voices without a language are not listed.',
    ({ voices }) =>
      void (voices.finds = ({ language }, operation) => operation !== 'list-voices' || language !== undefined),
  ],
  'list.own-unchanged': [
    'The list shows names in capitals.',
    (b) => onData(b, 'list-voices', change('voices.*.name', upperCase)),
  ],
  'list.own-unchanged~language': [
    'The list takes voices without a language for English ones.',
    (b) =>
      onData(
        b,
        'list-voices',
        change('voices.*.language', (value) => value || 'en'),
      ),
  ],
  'list.public-included': [
    'Public voices are not listed.',
    ({ voices }) => void (voices.findsPublic = (operation) => operation !== 'list-voices'),
  ],
})

const getDefects = defectsOf('voices', {
  'get.object': ['Get answers with a list.', (b) => reshape(b, 'get-voice', (data) => [data])],
  'get.object~text': [
    'Get answers with JSON in a string.',
    (b) => reshape(b, 'get-voice', (data) => JSON.stringify(data)),
  ],
  'get.voice-id': [
    'Get shows the id without its prefix.',
    (b) =>
      onData(
        b,
        'get-voice',
        change('voice_id', (id) => String(id).replace('voice_', '')),
      ),
  ],
  'get.voice-id~missing': ['Get shows no id.', (b) => onData(b, 'get-voice', drop('voice_id'))],
  'get.name': ['Get shows no name.', (b) => onData(b, 'get-voice', drop('name'))],
  'get.name~lower-case': [
    'Get shows the name in small letters.',
    (b) =>
      onData(
        b,
        'get-voice',
        change('name', (name) => textOf(name)?.toLowerCase()),
      ),
  ],
  'get.language': [
    'Get shows a language for every voice.',
    (b) =>
      onData(
        b,
        'get-voice',
        change('language', (value) => value || 'en'),
      ),
  ],
  'get.language~missing': [
    'Get shows no empty language.',
    (b) =>
      onData(
        b,
        'get-voice',
        change('language', (value) => value || undefined),
      ),
  ],
  'get.public-found': [
    'Get finds no public voice.',
    ({ voices }) => void (voices.findsPublic = (operation) => operation !== 'get-voice'),
  ],
  'get.public-found~other': [
    'Get shows public voices under other names.',
    (b) =>
      onData(b, 'get-voice', (data) => (isPublic(data) ? { ...data, name: `${String(data['name'])} (public)` } : data)),
  ],
})

/** 2.8 and 4.3: how voices are shown. */
export const voiceShownDefects = [...cloneDefects, ...listDefects, ...getDefects]
