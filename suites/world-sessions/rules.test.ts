import { expect, test } from 'vitest'
import { requirements } from '#spec/register'
import { saidOf } from '#testing/said-of'
import { isObject, type Json, type JsonObject } from '#trace/json'
import { merged, without } from './bodies.ts'
import { capabilities, lavish, renewed, Run, type Turn } from '#testing/hand-made-worlds'
import { rules } from './rules.ts'

const C1 = 'create-world-session 1'
const C2 = 'create-world-session 2'
const G = 'get-world-session 2'
const scenario = 'world-sessions.life'

/** Longer than reads may be behind. */
const settled_ms = 2_500

/** Two sessions, one with much; secrets twice, then a close to its end. Some looks come when all reads have caught up. */
function life(turn?: Turn, pause_ms = settled_ms): Run {
  const run = new Run(turn)
  const plain = run.create('w-plain', { idempotency_key: 'k-1' })
  const rich = run.create('w-rich', { ...lavish, idempotency_key: 'k-2' })
  run.get(plain)
  run.get(rich)
  for (const nth of [1, 2]) run.call('create-client-secret', renewed('w-rich', nth), {}, 'w-rich')
  run.create('w-rich', { ...lavish, idempotency_key: 'k-2' })
  run.trace.pass(pause_ms)
  run.get(rich)
  run.call('close-world-session', { session_id: 'w-rich', status: 'closing' }, {}, 'w-rich')
  run.trace.pass(pause_ms)
  run.get(rich, { status: 'closing' })
  run.get(rich, { status: 'closed' })
  run.trace.pass(pause_ms)
  run.get(rich, { status: 'closed' })
  return run
}

function rowsOf(run: Run, verdict: 'held' | 'broken' | 'unobserved'): readonly string[] {
  // A create without a scenario is one that cleanup sends again.
  for (const entry of run.trace.entries) if (entry.kind !== 'header') Object.assign(entry, { scenario })
  const said = [...saidOf(rules, run.trace)].filter((one) => one.startsWith(`${verdict} `))
  return said.map((one) => one.replace(`${verdict} world-sessions.`, '')).toSorted()
}

/** Puts a value where a dotted path leads, in the answer of one call. */
function put(what: string, path: string, value: Json | undefined): Turn {
  return (name, data) => (name === what ? set(data, path.split('.'), value) : data)
}

function set(node: Json | undefined, [first = '', ...rest]: readonly string[], value: Json | undefined): JsonObject {
  const members = isObject(node) ? node : {}
  const inside = rest.length === 0 ? value : set(members[first], rest, value)
  return inside === undefined ? without(members, first) : { ...members, [first]: inside }
}

const early: JsonObject = { status: 'provisioning', control: { url: '', client_secret: '', expires_at: null } }

/** What stands where some languages have no time. */
const zeroTime = '0001-01-01T00:00:00Z'

const noLiveAudio: Turn = (what, data) =>
  what === C2
    ? merged(data, { live_input: { audio: { enabled: false } }, capabilities: { live_audio: { supported: false } } })
    : data

test.each<[string, string, string, Json]>([
  ['a sequence of a moment ago', 'get-world-session 3', 'last_sequence', 2],
  ['an open session of a moment ago', 'get-world-session 4', 'status', 'active'],
  ['a closing session of a moment ago', 'get-world-session 6', 'status', 'closing'],
])('%s, from a replica, breaks nothing', (_, what, path, value) => {
  expect(rowsOf(life(put(what, path, value), 100), 'broken')).toEqual([])
})

test('right answers break nothing', () => {
  expect(rowsOf(life(), 'broken')).toEqual([])
})

test('every row of a rule is in the register', () => {
  const known = new Set<string>(requirements.keys())
  expect(rules.flatMap(({ proves }) => proves).filter((row) => !known.has(row))).toEqual([])
})

test.each<[string, Turn]>([
  ['integers as text', put(G, 'usage.generated_video_ms', '0')],
  ['a frame rate with a fraction', put(C1, 'output.fps', 23.976)],
  ['more fields', (_, data) => ({ ...data, extra: { deep: 1 } })],
  [
    'references with a field that nobody knows',
    put(C2, 'references', [{ name: 'ship', rank: 1 }, { name: 'captain' }]),
  ],
  ['a lower idle time', (what, data) => (what === C2 ? set(data, ['continuation', 'max_idle_ms'], 9) : data)],
  ['no Event ids', put(G, 'runtime', { media_status: 'held', media_time_ms: 0 })],
  ['other types in the capabilities', put(C1, 'capabilities', merged(capabilities, { event_handling: ['replace'] }))],
  ['a session that failed at once', (what, data) => (what === C1 ? { session_id: 'w-plain', status: 'failed' } : data)],
  ['another language in force', put(C2, 'live_input.audio.language', 'auto')],
  ['transcription that the model lacks', put(C2, 'live_input.audio.transcription', false)],
  ['no live audio in this session', noLiveAudio],
  ['the least idle time', put(C2, 'continuation.max_idle_ms', 45_000)],
  [
    'references in another order than they were sent in',
    put(C2, 'references', [{ name: 'captain' }, { name: 'ship' }]),
  ],
  ['references in another order', put(G, 'references', [{ name: 'captain' }, { name: 'ship' }])],
  ['a capability list in another order', put(G, 'capabilities.event_content_types', ['input_reference', 'input_text'])],
  ['a later expiry in Get', put(G, 'control.expires_at', '2026-01-15T12:09:00Z')],
  ['descriptors to come', (what, data) => (what === C1 ? { ...data, ...early } : data)],
  [
    'descriptors to come that have a time already',
    (what, data) => (what === C1 ? { ...data, status: 'provisioning', control: { expires_at: zeroTime } } : data),
  ],
  ['a lifetime counted from the end of the allocation', put(C2, 'expires_at', '2026-01-15T12:10:04Z')],
])('%s: nothing is broken by it', (_, turn) => {
  const broken = rowsOf(life(turn), 'broken').filter(
    (row) => !/^get\.same-(capabilities|continuation|output|live-input|expires-at)$/.test(row),
  )
  expect(broken).toEqual([])
})

test.each<[string, string, string, Json | undefined]>([
  ['session.id-nonempty', C1, 'session_id', ''],
  ['status.in-set-on-create', C1, 'status', 'closed'],
  ['session.model-echoed', C1, 'model', 'svc-w2-stream'],
  ['control.url-nonempty', C1, 'control.url', ''],
  ['control.url-path', C1, 'control.url', 'wss://svc.example/v1/realtime-avatar/control'],
  ['control.client-secret-nonempty', C1, 'control.client_secret', 1],
  ['control.expires-at-in-future', C1, 'control.expires_at', '2026-01-15T11:59:00Z'],
  ['control.secret-session-scoped', C2, 'control.client_secret', '[client_secret control w-plain]'],
  ['media.client-secret-nonempty', C1, 'media.client_secret', undefined],
  ['media.expires-at-timestamp', C1, 'media.expires_at', 1_768_478_400],
  ['media.secret-other-than-api-key', C2, 'media.client_secret', '[api_key primary]'],
  ['output.aspect-ratio-default', C1, 'output.aspect_ratio', '1:1'],
  ['output.aspect-ratio-effective', C2, 'output.aspect_ratio', '16:9'],
  ['output.resolution-effective', C2, 'output.resolution', '720p'],
  ['output.captions-effective', C2, 'output.captions', false],
  ['output.fps-positive', C1, 'output.fps', 0],
  ['live-input.enabled-effective', C2, 'live_input.audio.enabled', false],
  ['live-input.language-effective', C2, 'live_input.audio.language', 7],
  ['live-input.object', C2, 'live_input', undefined],
  ['live-input.object-unasked', C1, 'live_input', undefined],
  ['live-input.off-unasked', C1, 'live_input.audio.enabled', true],
  ['continuation.start-mode-default', C1, 'continuation.start_mode', 'automatic'],
  ['continuation.max-idle-not-raised', C2, 'continuation.max_idle_ms', 60_001],
  ['continuation.max-idle-integer', C2, 'continuation.max_idle_ms', undefined],
  ['continuation.manual-starts-held', C1, 'runtime.media_status', 'running'],
  ['references.names-returned', C2, 'references', [{ name: 'ship' }]],
  ['references.name-only', C2, 'references', [{ name: 'ship', note: 'A schooner.' }, { name: 'captain' }]],
  ['references.array-unasked', C1, 'references', undefined],
  ['runtime.media-status-in-set', G, 'runtime.media_status', 'paused'],
  ['runtime.media-status-in-set', 'get-world-session 5', 'runtime.media_status', 'ended'],
  ['metadata.returned', C2, 'metadata', {}],
  ['session.expires-at-in-future', C1, 'expires_at', '2026-01-15T12:00:00Z'],
  ['session.expires-at-within-request', C2, 'expires_at', '2026-01-15T12:11:00Z'],
  ['capabilities.reconnect-event-replay', C1, 'capabilities.reconnect.event_replay', true],
  ['capabilities.max-references', C1, 'capabilities.limits.max_references', undefined],
  ['get.names-session', G, 'session_id', 'w-plain'],
  ['get.no-client-secret', G, 'delivery', [{ client_secret: 'x' }]],
  ['get.no-secret-value', 'get-world-session 3', 'hint', 'use [client_secret media w-rich 2]'],
  ['get.control-url-kept', G, 'control.url', 'wss://media.example/join?session_id=w-rich'],
  ['get.media-expires-at-kept', G, 'media.expires_at', '2026-01-15T12:04:00Z'],
  ['get.runtime', G, 'runtime.media_time_ms', undefined],
  ['get.runtime', 'get-world-session 6', 'runtime', undefined],
  ['get.usage-audio', G, 'usage.generated_audio_ms', undefined],
  ['get.same-output', G, 'output.aspect_ratio', '16:9'],
  ['get.same-metadata', G, 'metadata', undefined],
  ['get.same-capabilities', G, 'capabilities.live_audio.supported', false],
  ['get.last-sequence-never-falls', 'get-world-session 3', 'last_sequence', 2],
  [
    'client-secret.control-secret-fresh',
    'create-client-secret 1',
    'control.client_secret',
    '[client_secret control w-rich]',
  ],
  [
    'client-secret.media-secret-fresh-again',
    'create-client-secret 2',
    'media.client_secret',
    '[client_secret media w-rich 1]',
  ],
  ['client-secret.expiry-not-sooner', 'create-client-secret 1', 'media.expires_at', '2026-01-15T12:04:00Z'],
  ['client-secret.names-session', 'create-client-secret 1', 'session_id', 'w-plain'],
  ['close.status-in-set', 'close-world-session 1', 'status', 'active'],
  ['close.names-session', 'close-world-session 1', 'session_id', 'w-plain'],
  ['close.leaves-active', 'get-world-session 4', 'status', 'active'],
  ['close.closed-is-final', 'get-world-session 6', 'status', 'closing'],
  ['close.never-active-again', 'get-world-session 6', 'status', 'active'],
])('%s is broken by %s %s', (row, what, path, value) => {
  expect(rowsOf(life(put(what, path, value)), 'broken')).toContain(row)
})

test('a key has one session, and other keys have others', () => {
  const run = new Run()
  for (const [id, key] of [
    ['w-1', 'k-1'],
    ['w-2', 'k-1'],
    ['w-2', 'k-2'],
  ] as const) {
    run.create(id, { idempotency_key: key })
  }
  const broken = rowsOf(run, 'broken').filter((row) => row.startsWith('idempotency'))
  expect(broken).toEqual(['idempotency.retry-same-session'])
  expect(rowsOf(run, 'held')).toContain('idempotency.other-key-other-session')
})

test('an automatic session must generate, and be held after its idle time', () => {
  const asked = { continuation: { start_mode: 'automatic', max_idle_ms: 1_000 } }
  const watched = (...looks: readonly JsonObject[]) => {
    const run = new Run()
    const made = run.create('w-auto', asked)
    for (const look of looks) {
      run.trace.pass(20_000)
      run.get(made, look)
    }
    return run
  }
  const held = { runtime: { media_status: 'held' } }
  const running = { runtime: { media_status: 'running', media_time_ms: 400 } }
  expect(rowsOf(watched(held, held), 'broken')).toEqual([])
  expect(rowsOf(watched(held, held, held, held, held, held, held), 'broken')).toEqual([
    'continuation.automatic-generates',
  ])
  expect(rowsOf(watched(running, running), 'broken')).toEqual(['continuation.idle-enters-held'])
  expect(rowsOf(watched(running, { runtime: { media_status: 'held', media_time_ms: 900 } }), 'broken')).toEqual([])
})

test('a Get from a replica may tell the expiry of before the session was ready', () => {
  const unready: JsonObject = { status: 'provisioning' }
  const ready: JsonObject = { status: 'active', expires_at: '2026-01-15T12:10:09Z' }
  const shown = [unready, ready, unready, ready]
  const run = new Run((what, data) => (what.startsWith('create') ? { ...data, ...unready } : data))
  const made = run.create('w-slow')
  for (const one of shown) run.get({ ...made, ...one })
  expect(rowsOf(run, 'broken')).toEqual([])
})

test('a session may be provisioned for twice as long as the profile allows, and no longer', () => {
  const provisioned = (ms: number) => {
    const run = new Run((what, data) => (what.startsWith('close') ? data : { ...data, status: 'provisioning' }))
    const made = run.create('w-slow')
    run.trace.pass(ms)
    run.get(made)
    return rowsOf(run, 'broken')
  }
  expect(provisioned(115_000)).toEqual([])
  expect(provisioned(121_000)).toEqual(['status.provisioning-becomes-active'])
})
