import type { Override } from '#target/behaviour/behaviour'
import { change, omit } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { around, remembering, set } from '#target/overrides/operators'
import { type JsonObject, objectsAt } from '#target/wire'
import { defectsOf } from '../tools/table.ts'
import { everybody, isPublic, upperCase } from '../tools/voices.ts'

const onList = (make: (voices: JsonObject[]) => JsonObject[]): Override =>
  onData('list-voices', (data) => ({ ...data, voices: make(objectsAt(data, 'voices')) }))

export const listDefects = defectsOf('voices.list', {
  'own-included: Only the newest own voice is listed.': around(
    'voices.list',
    (list) => (own, shared) => list(own.slice(-1), shared),
  ),
  'own-included~long-name: Voices whose names have more than a hundred characters are not listed.': set(
    'voices.finds',
    ({ name }, operation) => operation !== 'list-voices' || name.length <= 100,
  ),
  'own-included~oldest: Only the oldest own voice is listed.': around(
    'voices.list',
    (list) => (own, shared) => list(own.slice(0, 1), shared),
  ),
  'own-included~none: Own voices are not listed.': set(
    'voices.finds',
    (_voice, operation) => operation !== 'list-voices',
  ),
  'own-included~language: Own voices without a language are not listed.': set(
    'voices.finds',
    ({ language }, operation) => operation !== 'list-voices' || language !== undefined,
  ),
  'other-workspace-excluded: Every workspace lists all voices.': everybody('list-voices'),
  'other-workspace-excluded~no-language: Voices without a language are listed for every workspace.': remembering(() => {
    let own = true
    return [
      around('access.sees', (sees) => (account, owner, operation) => {
        own = sees(account, owner, operation)
        return operation === 'list-voices' || own
      }),
      set('voices.finds', ({ language }, operation) => operation !== 'list-voices' || own || language === undefined),
    ]
  }),
  'voices-array: The list is an object by voice id.': onData('list-voices', (data) => ({
    voices: Object.fromEntries(objectsAt(data, 'voices').map((voice) => [voice['voice_id'], voice])),
  })),
  'voices-array~items: The list is called `items`.': onData('list-voices', ({ voices }) => ({ items: voices })),
  'voice-id: Public voices have ids of another shape.': around('voices.public', (shared) =>
    shared.map((one) => ({ ...one, id: one.name.toLowerCase() })),
  ),
  'voice-id~own: Own voices are listed under their bare ids.': onList((voices) =>
    voices.map((voice) =>
      isPublic(voice) ? voice : { ...voice, voice_id: String(voice['voice_id']).replace('voice_', '') },
    ),
  ),
  'name: Public voices have no name.': set('voices.shared.name', () => null),
  'name~own: Own voices are listed without their names.': onList((voices) =>
    voices.map((voice) => (isPublic(voice) ? voice : omit('name')(voice))),
  ),
  'language: Public voices have a language with a region.': set('voices.shared.language', ({ language }) =>
    language === 'en' ? 'en-US' : language,
  ),
  'language~null: The language of a voice without one is listed as null.': onData(
    'list-voices',
    change('voices.*.language', (value) => value || null),
  ),
  'voice-once: The newest own voice is listed twice.': around(
    'voices.list',
    (list) => (own, shared) => list([...own, ...own.slice(-1)], shared),
  ),
  'voice-once~public: The first public voice is listed twice.': around(
    'voices.list',
    (list) => (own, shared) => list(own, [...shared, ...shared.slice(0, 1)]),
  ),
  'own-unchanged: The list shows names in capitals.': onData('list-voices', change('voices.*.name', upperCase)),
  'own-unchanged~language: The list takes voices without a language for English ones.': onData(
    'list-voices',
    change('voices.*.language', (value) => value || 'en'),
  ),
  'public-included: Public voices are not listed.': set(
    'voices.findsPublic',
    (operation) => operation !== 'list-voices',
  ),
  'own-included~second: List shows the first own voice only.': set('voices.list', (own, shared) => ({
    voices: [...own.slice(0, 1), ...shared],
  })),
})
