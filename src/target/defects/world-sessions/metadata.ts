import type { Override } from '#target/behaviour/behaviour'
import { notJsonObject } from '#target/behaviour/validations/faults'
import { change } from '#target/overrides/changes'
import { snake } from '#target/overrides/data'
import { around, set } from '#target/overrides/operators'
import { isWire, type JsonObject, textOf } from '#target/wire'
import { isInherited } from '../tools/assets.ts'
import { defectsOf } from '../tools/table.ts'
import { onMade } from '../tools/world-sessions.ts'

/** Changes the values that are kept. */
const withValues = (make: (value: string) => string): Override =>
  around(
    'world.create.metadata',
    (metadata) => (body) =>
      Object.fromEntries(Object.entries(metadata(body)).map(([key, value]) => [key, make(textOf(value) ?? '')])),
  )

const parsed = (value: unknown): unknown =>
  textOf(value)?.startsWith('{') === true && !notJsonObject(value) ? JSON.parse(String(value)) : value

export const metadataDefects = defectsOf('world-sessions.metadata', {
  'own-only: The metadata of earlier sessions are merged into those of a new one.': around(
    'world.create.metadata',
    (metadata) => {
      let kept: JsonObject = {}
      return (body) => (kept = { ...kept, ...metadata(body) })
    },
  ),
  'own-only~omitted: A session without metadata has those of the one before.': around(
    'world.create.metadata',
    (metadata) => {
      let last: JsonObject = {}
      return (body) => (last = body['metadata'] === undefined ? last : metadata(body))
    },
  ),
  'returned: Metadata do not come back.': set('world.create.metadata', () => ({})),
  'returned~snake-case: Keys of metadata come back in snake_case.': around(
    'world.create.metadata',
    (metadata) => (body) =>
      Object.fromEntries(Object.entries(metadata(body)).map(([key, value]) => [snake(key), value])),
  ),
  'returned~empty: Empty values of metadata do not come back.': around(
    'world.create.metadata',
    (metadata) => (body) => Object.fromEntries(Object.entries(metadata(body)).filter(([, value]) => value !== '')),
  ),
  'returned~keys: Keys of metadata come back in small letters without dashes.': around(
    'world.create.metadata',
    (metadata) => {
      const plain = (key: string): string => key.toLowerCase().replaceAll(/[^a-z]/gu, '')
      return (body) => Object.fromEntries(Object.entries(metadata(body)).map(([key, value]) => [plain(key), value]))
    },
  ),
  'returned~last: The last member of metadata is lost.': around(
    'world.create.metadata',
    (metadata) => (body) => Object.fromEntries(Object.entries(metadata(body)).slice(0, -1)),
  ),
  'returned~cut: Values of metadata come back up to their 64th character.': around(
    'world.create.metadata',
    (metadata) => (body) =>
      Object.fromEntries(Object.entries(metadata(body)).map(([key, value]) => [key, textOf(value)?.slice(0, 64)])),
  ),
  'returned~key-cut: Keys of metadata come back up to their 64th character.': around(
    'world.create.metadata',
    (metadata) => (body) =>
      Object.fromEntries(Object.entries(metadata(body)).map(([key, value]) => [key.slice(0, 64), value])),
  ),
  'returned~line-breaks: Line breaks in values of metadata come back as blanks.': withValues((value) =>
    value.replaceAll('\n', ' '),
  ),
  'returned~escaped: Values of metadata come back as HTML.': withValues((value) =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  ),
  'returned~trimmed: Values of metadata come back trimmed.': withValues((value) => value.trim()),
  'returned~dashes: Dashes in keys of metadata come back as underscores.': around(
    'world.create.metadata',
    (metadata) => (body) =>
      Object.fromEntries(Object.entries(metadata(body)).map(([key, value]) => [key.replaceAll('-', '_'), value])),
  ),
  'returned~dots: Keys of metadata with a dot are not returned.': around(
    'world.create.metadata',
    (metadata) => (body) => Object.fromEntries(Object.entries(metadata(body)).filter(([key]) => !key.includes('.'))),
  ),
  'returned~non-ascii-keys: Keys of metadata outside ASCII are not returned.': around(
    'world.create.metadata',
    (metadata) => (body) => Object.fromEntries(Object.entries(metadata(body)).filter(([key]) => !/[^ -~]/u.test(key))),
  ),
  'returned~inherited: Keys of metadata that objects have for a member by themselves are not returned.': around(
    'world.create.metadata',
    (metadata) => (body) => Object.fromEntries(Object.entries(metadata(body)).filter(([key]) => !isInherited(key))),
  ),
  'returned~reserved: Keys of metadata that sessions have themselves are not returned.': around(
    'world.create.metadata',
    (metadata) => (body) =>
      Object.fromEntries(Object.entries(metadata(body)).filter(([key]) => !['id', 'name', 'type'].includes(key))),
  ),
  'string-values~booleans: Values of metadata that read true or false come back as such.': onMade(
    change('metadata', (map) =>
      isWire(map)
        ? Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value === 'true' ? true : value]))
        : map,
    ),
  ),
  'string-values~json: A value of metadata that reads like an object of JSON comes back as one.': onMade(
    change('metadata', (map) =>
      isWire(map) ? Object.fromEntries(Object.entries(map).map(([key, value]) => [key, parsed(value)])) : map,
    ),
  ),
  'string-values: Values of metadata come back in a list.': onMade(
    change('metadata', (map) =>
      isWire(map) ? Object.fromEntries(Object.entries(map).map(([key, value]) => [key, [value]])) : map,
    ),
  ),
  'string-values~length: Metadata come back with a count.': onMade(
    change('metadata', (map) => (isWire(map) ? { ...map, size: Object.keys(map).length } : map)),
  ),
})
