import { change, omit } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { set } from '#target/overrides/operators'
import { textOf } from '#target/wire'
import { defectsOf } from '../tools/table.ts'
import { isPublic } from '../tools/voices.ts'

export const getDefects = defectsOf('voices.get', {
  'name: Get shows no name.': onData('get-voice', omit('name')),
  'name~second: Get shows every voice under the name of the first one that it found.': (b) => {
    let first: unknown
    onData('get-voice', (data) => {
      first ??= data['name']
      return { ...data, name: first }
    })(b)
  },
  'name~lower-case: Get shows the name in small letters.': onData(
    'get-voice',
    change('name', (name) => textOf(name)?.toLowerCase()),
  ),
  'language: Get shows a language for every voice.': onData(
    'get-voice',
    change('language', (value) => value || 'en'),
  ),
  'language~three-letters: Get shows two letters of a language.': onData(
    'get-voice',
    change('language', (language) => String(language).slice(0, 2)),
  ),
  'language~missing: Get shows no empty language.': onData(
    'get-voice',
    change('language', (value) => value || undefined),
  ),
  'object: Get answers with a list.': onData('get-voice', (data) => [data]),
  'object~text: Get answers with JSON in a string.': onData('get-voice', (data) => JSON.stringify(data)),
  'voice-id: Get shows the id without its prefix.': onData(
    'get-voice',
    change('voice_id', (id) => String(id).replace('voice_', '')),
  ),
  'voice-id~missing: Get shows no id.': onData('get-voice', omit('voice_id')),
  'public-found: Get finds no public voice.': set('voices.findsPublic', (operation) => operation !== 'get-voice'),
  'public-found~other: Get shows public voices under other names.': onData('get-voice', (data) =>
    isPublic(data) ? { ...data, name: `${String(data['name'])} (public)` } : data,
  ),
  'name~cut: Get shows the first 64 characters of a name.': onData(
    'get-voice',
    change('name', (name) => textOf(name)?.slice(0, 64)),
  ),
})
