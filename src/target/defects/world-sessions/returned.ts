import { isWire, textOf } from '#target/wire'
import { change, drop, put } from '../paths.ts'
import { defectsOf } from '../table.ts'
import { looks, onGot, onMade, onShown } from './tools.ts'

const referenceDefects = defectsOf('world-sessions', {
  'references.array': [
    'References come back as an object.',
    (b) =>
      onMade(
        b,
        change('references', (list) => (Array.isArray(list) ? { names: list } : list)),
      ),
  ],
  'references.array-unasked': [
    'Without references there is no list of them.',
    (b) =>
      onMade(
        b,
        change('references', (list) => (Array.isArray(list) && list.length === 0 ? undefined : list)),
      ),
  ],
  'references.names-returned': [
    'The last reference is lost.',
    ({ world }) => {
      const { references } = world.create
      world.create.references = (body) => references(body).slice(0, -1)
    },
  ],
  'references.names-returned~upper-case': [
    'Names of references come back in capitals.',
    (b) =>
      onMade(
        b,
        change('references.*.name', (name) => textOf(name)?.toUpperCase()),
      ),
  ],
  'references.names-returned~twice': [
    'The first reference comes back twice.',
    (b) =>
      onMade(
        b,
        change('references', (list) => (Array.isArray(list) ? [...list.slice(0, 1), ...list] : list)),
      ),
  ],
  'references.order-kept': [
    'References come back in reverse.',
    ({ world }) => {
      const { references } = world.create
      world.create.references = (body) => references(body).toReversed()
    },
  ],
  'references.order-kept~last-first': [
    'The last reference comes back first.',
    (b) =>
      onShown(
        b,
        change('references', (list) => (Array.isArray(list) ? [...list.slice(-1), ...list.slice(0, -1)] : list)),
      ),
  ],
  'references.name-only': [
    'References come back with their content.',
    ({ world }) => {
      world.views.created['references'] = ({ session }) => session.plan.references
    },
  ],
  'references.name-only~get': [
    'Get shows the first text of each reference.',
    ({ world }) => {
      world.views.got['references'] = ({ session }) =>
        session.plan.references.map(({ name, content }) => ({
          name,
          summary: content[0]?.['text'] ?? content[0]?.['url'],
        }))
    },
  ],
})

const runtimeDefects = defectsOf('world-sessions', {
  'runtime.object': [
    'The runtime is shown by its media status.',
    (b) =>
      onMade(
        b,
        change('runtime', (runtime) => (isWire(runtime) ? runtime['media_status'] : runtime)),
      ),
  ],
  'runtime.object~missing': ['A create shows no runtime.', (b) => onMade(b, drop('runtime'))],
  'runtime.media-status-in-set': [
    'A held session is paused.',
    (b) =>
      onShown(
        b,
        change('runtime.media_status', (status) => (status === 'held' ? 'paused' : status)),
      ),
  ],
  'runtime.media-status-in-set~closed': [
    'The media of a closed session have ended.',
    (b) =>
      onGot(
        b,
        change('runtime.media_status', (status) => (status === 'disconnected' ? 'ended' : status)),
      ),
  ],
  'runtime.media-time-integer': [
    'The media time is told in seconds.',
    (b) =>
      onShown(
        b,
        change('runtime.media_time_ms', (ms) => Number(ms) / 1000 + 0.25),
      ),
  ],
  'runtime.media-time-integer~negative': [
    'The media time of a fresh session is below zero.',
    (b) => onMade(b, put('runtime.media_time_ms', -1)),
  ],
  'runtime.applied-event-id': [
    'The applied Event is told as a number.',
    (b) => onShown(b, put('runtime.applied_world_event_id', 0)),
  ],
  'runtime.pending-event-id': [
    'The pending Event is told as an object.',
    (b) => onShown(b, put('runtime.pending_world_event_id', {})),
  ],
  'runtime.media-time-never-falls': [
    'The media time runs backwards.',
    (b) => {
      const look = looks()
      onGot(b, (data) => put('runtime.media_time_ms', Math.max(0, 90_000 - look(data)))(data))
    },
  ],
})

const metadataDefects = defectsOf('world-sessions', {
  'metadata.returned': ['Metadata do not come back.', ({ world }) => void (world.create.metadata = () => ({}))],
  'metadata.returned~keys': [
    'Keys of metadata come back in small letters without dashes.',
    ({ world }) => {
      const { metadata } = world.create
      const plain = (key: string): string => key.toLowerCase().replaceAll(/[^a-z]/gu, '')
      world.create.metadata = (body) =>
        Object.fromEntries(Object.entries(metadata(body)).map(([key, value]) => [plain(key), value]))
    },
  ],
  'metadata.returned~last': [
    'The last member of metadata is lost.',
    ({ world }) => {
      const { metadata } = world.create
      world.create.metadata = (body) => Object.fromEntries(Object.entries(metadata(body)).slice(0, -1))
    },
  ],
  'metadata.string-values': [
    'Values of metadata come back in a list.',
    (b) =>
      onMade(
        b,
        change('metadata', (map) =>
          isWire(map) ? Object.fromEntries(Object.entries(map).map(([key, value]) => [key, [value]])) : map,
        ),
      ),
  ],
  'metadata.string-values~length': [
    'Metadata come back with a count.',
    (b) =>
      onMade(
        b,
        change('metadata', (map) => (isWire(map) ? { ...map, size: Object.keys(map).length } : map)),
      ),
  ],
})

export const worldReturnedDefects = [...referenceDefects, ...runtimeDefects, ...metadataDefects]
