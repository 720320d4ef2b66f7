import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { around, set, several } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { type JsonObject, objectAt } from '#target/wire'
import { refuseCreate } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

/** What the create that is being read has in its body. */
function readBody({ create }: Behaviour): () => JsonObject {
  let last: JsonObject = {}
  const { read } = create
  create.read = (body) => {
    last = read(body)
    return last
  }
  return () => last
}

/** The key of a video_avatar create is not honoured. */
const unkeyedVideo: Override = (behaviour) => {
  const body = readBody(behaviour)
  let count = 0
  const { named } = behaviour.idempotency
  behaviour.idempotency.named = (operation, key) => {
    if (operation !== 'create-avatar-session') return named(operation, key)
    const mode = objectAt(body(), 'session')['mode'] ?? 'video_avatar'
    count += 1
    return mode === 'video_avatar' ? `${named(operation, key)}\n${count}` : named(operation, key)
  }
}

export const idempotencyDefects = defectsOf('avatar-sessions.idempotency', {
  'retry-same-session: A key is forgotten when its create is answered.': set('idempotency.returns', () => false),
  'retry-same-session~video: The key of a video_avatar create is not honoured.': unkeyedVideo,
  'retry-same-session~video-close-empty: The key of a video_avatar create is not honoured, and Close tells no status.':
    several(unkeyedVideo, set('views.closed', {})),
  'retry-shows-same: A repeated create shows the timeouts of a session that has none.': set(
    'views.replayed.auto_close',
    () => ({ disconnected_timeout_seconds: 0, interaction_idle_timeout_seconds: 0 }),
  ),
  'retry-shows-same~model: A repeated create shows the other model.': set('views.replayed.model', ({ plan }) =>
    plan.model === 'svc-a1-stream' ? 'svc-a1-stream-lite' : 'svc-a1-stream',
  ),
  'retry-shows-same~avatars: A repeated create shows the first avatar alone.': set(
    'views.replayed.avatars',
    ({ plan }) => plan.avatars.slice(0, 1),
  ),
  'retry-same-session~second-retry: The second retry of a create makes another session.': around(
    'idempotency.returns',
    () => {
      const given = new WeakSet<Session>()
      return (_status, session) => {
        if (given.has(session)) return false
        given.add(session)
        return true
      }
    },
  ),
  'retry-same-session~after-refusal: A key whose first create was refused stands for no session ever after.': ({
    create,
    idempotency,
  }) => {
    const spoiled = new Set<string>()
    let current: string | undefined
    let count = 0
    const { read } = create
    create.read = (body) => {
      current = undefined
      return read(body)
    }
    const { named } = idempotency
    idempotency.named = (operation, key) => {
      current = named(operation, key)
      count += 1
      return spoiled.has(current) ? `${current}\n${count}` : current
    }
    idempotency.remembersFailure = (code) => {
      if (code === '30004' && current !== undefined) spoiled.add(current)
      return false
    }
  },
  'retry-same-session~other-between: A workspace’s key is forgotten when a create with another one comes.': around(
    'idempotency.scope',
    (scope) => {
      const latest = new Map<string, { key: string; turn: number }>()
      return (account, key) => {
        const known = latest.get(account.workspace) ?? { key, turn: 0 }
        const turn = known.key === key ? known.turn : known.turn + 1
        latest.set(account.workspace, { key, turn })
        return `${scope(account, key)}\n${turn}`
      }
    },
  ),
  'retry-same-session~third: The third create with a key makes a session of its own.': around(
    'idempotency.scope',
    (scope) => {
      const uses = new Map<string, number>()
      return (account, key) => {
        const scoped = scope(account, key)
        const count = (uses.get(scoped) ?? 0) + 1
        uses.set(scoped, count)
        return count > 2 ? `${scoped}\n${count}` : scoped
      }
    },
  ),
  'concurrent-one-session: A key counts only when its create is done.': [
    set('idempotency.joinsInFlight', false),
    set('create.allocationMs', 120),
  ],
  'concurrent-one-session~gap: Between the look at a key and its taking a create leaves 5 ms.': [
    set('idempotency.joinsInFlight', false),
    set('create.allocationMs', 5),
  ],
  'after-429-one-session: A create over the limit is made, and made again on retry.': [
    set('rate.actsAnyway', (operation) => operation.startsWith('create')),
    set('idempotency.honoured', false),
  ],
  'after-5xx-one-session: A create that fails after its allocation is made again on retry.': set(
    'create.internalError',
    (count) => (count % 2 === 0 ? 'after' : undefined),
  ),
  'after-timeout-one-session: A create whose caller went away is made again on retry.': [
    set('create.allocationMs', 400),
    set('idempotency.joinsInFlight', false),
    set('idempotency.abandoned', 'forget'),
  ],
  'other-key-other-session: Keys count without their last character, while the session is active.': [
    set('idempotency.scope', (account, key) => `${account.workspace}\n${key.slice(0, -1)}`),
    set('idempotency.returns', (status) => status === 'active'),
  ],
  'other-key-other-session~cut: Only the first 64 characters of a key count.': around(
    'idempotency.named',
    (named) => (operation, key) => named(operation, key.slice(0, 64)),
  ),
  'other-key-other-session~case: Keys that differ in case only are the same key.': around(
    'idempotency.named',
    (named) => (operation, key) => named(operation, key.toLowerCase()),
  ),
  'other-key-other-session~trimmed: Keys are trimmed.': around(
    'idempotency.named',
    (named) => (operation, key) => named(operation, key.trim()),
  ),
  'other-key-other-session~ascii: Keys count without what is not ASCII.': around(
    'idempotency.named',
    (named) => (operation, key) => named(operation, key.replaceAll(/[^ -~]/gu, '')),
  ),
  'without-key-new-session: A create without key repeats the last one.': set('idempotency.keyless', 'none'),
  'without-key-new-session~required: A create needs a key.': refuseCreate(
    ({ body }) => body['idempotency_key'] === undefined,
  ),
  'scoped-to-workspace: Keys are shared by all workspaces.': set('idempotency.scope', (_account, key) => key),
  'retry-same-session~three-seconds: A key is forgotten after three seconds.': set('idempotency.lastsMs', 3000),
})
