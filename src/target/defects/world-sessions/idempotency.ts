import type { Override } from '#target/behaviour/behaviour'
import { type KeyEvent, sameJson } from '#target/behaviour/world/idempotency'
import type { Account } from '#target/keys'
import { around, remembering, set } from '#target/overrides/operators'
import { Refusal } from '#target/refusal'
import { isWire, type JsonObject, objectsAt, without } from '#target/wire'
import { defectsOf } from '../tools/table.ts'

const withoutContents = (text: string): string => {
  const body = JSON.parse(text) as JsonObject
  if (!Array.isArray(body['references'])) return text
  return JSON.stringify({ ...body, references: objectsAt(body, 'references').map((one) => without(one, 'content')) })
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  if (!isWire(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, sorted(member)]))
}

const bodyOf = (text: string): JsonObject => {
  const body: unknown = JSON.parse(text)
  return isWire(body) ? body : {}
}

const comparedBy = (make: (body: JsonObject) => JsonObject) => (first: string, again: string) =>
  sameJson(make(bodyOf(first)), make(bodyOf(again)))

/** Compares the members of the one that is chosen, whatever the other has besides. */
const comparedAsFar =
  (choose: (first: JsonObject, again: JsonObject) => JsonObject) =>
  (first: string, again: string): boolean => {
    const [before, now] = [bodyOf(first), bodyOf(again)]
    return Object.keys(choose(before, now)).every((name) => sameJson(before[name], now[name]))
  }

/** Keys that met something count as unknown from then on. */
const forgetAfter = (event: KeyEvent): Override =>
  remembering(() => {
    const met = new Set<string>()
    return [
      set('world.idempotency.noted', (happened, scoped) => {
        if (happened === event) met.add(scoped)
      }),
      set('world.idempotency.forgets', (scoped) => met.has(scoped)),
    ]
  })

/** Changes that hold once the secrets of some session were renewed. */
const onceRenewed = (make: (renewed: () => boolean) => Override): Override =>
  remembering(() => {
    let count = 0
    return [
      around('world.reach.secretRefusal', (secretRefusal) => (session, key) => {
        count += 1
        return secretRefusal(session, key)
      }),
      make(() => count > 0),
    ]
  })

const alike = (first: string, again: string, ...left: string[]): boolean =>
  sameJson(without(bodyOf(first), ...left), without(bodyOf(again), ...left))

export const idempotencyDefects = defectsOf('world-sessions.idempotency', {
  'other-nested-value-conflict: Only model and prompt count for a conflict.': set(
    'world.idempotency.sameBody',
    (first, again) => sameJson(bodyOf(first)['initial_prompt'], bodyOf(again)['initial_prompt']),
  ),
  'other-nested-value-conflict~reference: A body that differs in the content of a reference alone counts as identical.':
    around(
      'world.idempotency.sameBody',
      (sameBody) => (first, again) => sameBody(withoutContents(first), withoutContents(again)),
    ),
  'other-nested-value-conflict~case: Bodies that differ in capitals alone count as identical.': around(
    'world.idempotency.sameBody',
    (sameBody) => (first, again) => sameBody(first.toLowerCase(), again.toLowerCase()),
  ),
  'other-nested-value-conflict~metadata: Metadata do not count for a conflict.': set(
    'world.idempotency.sameBody',
    comparedBy((body) => without(body, 'metadata')),
  ),
  'other-nested-value-conflict~shallow: Objects of a body count for a conflict by their keys alone.': around(
    'world.idempotency.sameBody',
    () => {
      const shallow = (body: JsonObject): JsonObject =>
        Object.fromEntries(
          Object.entries(body).map(([key, value]) => [
            key,
            isWire(value) && key !== 'initial_prompt' ? Object.keys(value).toSorted() : value,
          ]),
        )
      return (first, again) => sameJson(shallow(bodyOf(first)), shallow(bodyOf(again)))
    },
  ),
  'other-body-conflict: A known key returns its session, whatever the body.': set(
    'world.idempotency.sameBody',
    () => true,
  ),
  'other-body-conflict~renewed: Once secrets were renewed, a known key returns its session, whatever the body.':
    onceRenewed((renewed) =>
      around('world.idempotency.sameBody', (sameBody) => (first, again) => renewed() || sameBody(first, again)),
    ),
  'other-body-conflict~order: Bodies that differ in the order of an array alone count as the same.': around(
    'world.idempotency.sameBody',
    (sameBody) => (first, again) =>
      sameBody(JSON.stringify(sorted(JSON.parse(first))), JSON.stringify(sorted(JSON.parse(again)))),
  ),
  'other-body-conflict~second-session: A known key with another body makes another session.': set(
    'world.idempotency.conflict',
    undefined,
  ),
  'other-body-conflict~prompt: The initial prompt does not count for a conflict.': set(
    'world.idempotency.sameBody',
    (first, again) => alike(first, again, 'initial_prompt'),
  ),
  'other-body-conflict~output: The output does not count for a conflict.': set(
    'world.idempotency.sameBody',
    (first, again) => alike(first, again, 'output'),
  ),
  'scoped-to-workspace: Keys are shared by all workspaces.': set('world.idempotency.scope', (_account, key) => key),
  'scoped-to-workspace~conflict: A key that another workspace has used is refused as a conflict.': around(
    'world.idempotency.scope',
    (scope) => {
      const owners = new Map<string, string>()
      return (account, key) => {
        const owner = owners.get(key) ?? account.workspace
        owners.set(key, owner)
        if (owner !== account.workspace) throw new Refusal('30004', 'idempotency conflict')
        return scope(account, key)
      }
    },
  ),
  'other-key-other-session: Keys count without their last character, and not as a part of the body.': [
    set('world.idempotency.scope', (account, key) => `${account.workspace}\n${key.slice(0, -1)}`),
    set('world.idempotency.sameBody', (first, again) => alike(first, again, 'idempotency_key')),
  ],
  'other-key-other-session~trimmed: Keys are trimmed.': around('world.create.read', (read) => (body) => {
    const { idempotency_key: key, ...others } = read(body)
    return typeof key === 'string' ? { ...others, idempotency_key: key.trim() } : read(body)
  }),
  'other-key-other-session~case: Keys that differ in case only are the same key.': [
    around('world.idempotency.scope', (scope) => (account, key) => scope(account, key.toLowerCase())),
    set(
      'world.idempotency.sameBody',
      comparedBy((body) => without(body, 'idempotency_key')),
    ),
  ],
  'other-key-other-session~body: The same body returns the same session, whatever the key.': [
    set('world.idempotency.scope', ({ workspace }: Account) => workspace),
    set('world.idempotency.sameBody', (first, again) => alike(first, again, 'idempotency_key')),
  ],
  'retry-same-session: A key is forgotten when its create is answered.': set('world.idempotency.returns', () => false),
  'retry-same-session~renewed: Keys are forgotten once secrets were renewed.': onceRenewed((renewed) =>
    set('world.idempotency.returns', () => !renewed()),
  ),
  'concurrent-one-session~gap: Between the look at a key and its taking a create leaves 5 ms.': [
    set('world.idempotency.joinsInFlight', false),
    set('world.create.allocationMs', 5),
  ],
  'concurrent-one-session: A key counts only when its create is done.': [
    set('world.idempotency.joinsInFlight', false),
    set('world.create.allocationMs', 150),
  ],
  'after-429-one-session: Capacity lacks every second time, and a key is of no use any more once it met that.': [
    set('world.create.crowded', (asked) => asked % 2 === 0),
    forgetAfter('crowded'),
  ],
  'after-5xx-one-session: Every second create fails, and a key is of no use any more once it met a 5xx.': [
    set('world.create.internalError', (count) => (count % 2 === 0 ? 'before' : undefined)),
    forgetAfter('fault'),
  ],
  'after-timeout-one-session: A key is of no use any more once its caller went away.': [
    set('world.create.allocationMs', 400),
    set('world.idempotency.joinsInFlight', false),
    forgetAfter('abandoned'),
  ],
  'conflict-code: A conflict is answered with 20004.': set('world.idempotency.conflict', '20004'),
  'conflict-changes-nothing: A conflict frees the key.': forgetAfter('conflict'),
  'conflict-changes-nothing~second: A second conflict frees the key.': remembering(() => {
    const met = new Map<string, number>()
    return [
      set('world.idempotency.noted', (event, scoped) => {
        if (event === 'conflict') met.set(scoped, (met.get(scoped) ?? 0) + 1)
      }),
      set('world.idempotency.forgets', (scoped) => (met.get(scoped) ?? 0) > 1),
    ]
  }),
  'conflict-changes-nothing~ends: A conflict ends the session of its key.': remembering(() => {
    const met = new Set<string>()
    let asked = ''
    return [
      around('world.idempotency.scope', (scope) => (account, key) => (asked = scope(account, key))),
      set('world.idempotency.noted', (event, scoped) => {
        if (event === 'conflict') met.add(scoped)
      }),
      around('world.views.replayed.status', (status) => (shown) => {
        if (met.has(asked)) shown.session.status = 'closed'
        return status(shown)
      }),
    ]
  }),
  'without-key-new-session: A create without key repeats the last one.': set('world.idempotency.keyless', 'none'),
  'retry-same-session~three-seconds: A key is forgotten after three seconds.': remembering(() => {
    const first = new Map<string, number>()
    return [
      around('world.idempotency.scope', (scope) => (account, key) => {
        const scoped = scope(account, key)
        if (!first.has(scoped)) first.set(scoped, Date.now())
        return scoped
      }),
      set('world.idempotency.forgets', (scoped) => Date.now() - (first.get(scoped) ?? 0) > 3000),
    ]
  }),
  'other-body-conflict~continuation: Continuation does not count for a conflict.': set(
    'world.idempotency.sameBody',
    (first, again) => alike(first, again, 'continuation'),
  ),
  'other-body-conflict~duration: The duration does not count for a conflict.': set(
    'world.idempotency.sameBody',
    comparedBy((body) => without(body, 'max_session_duration_seconds')),
  ),
  'other-body-conflict~fewer: What a body lacks does not count for a conflict.': set(
    'world.idempotency.sameBody',
    comparedAsFar((_first, again) => again),
  ),
  'other-body-conflict~more: What a body has besides does not count for a conflict.': set(
    'world.idempotency.sameBody',
    comparedAsFar((first) => first),
  ),
  'other-body-conflict~frame: The opening frame does not count for a conflict.': set(
    'world.idempotency.sameBody',
    (first, again) => alike(first, again, 'opening_frame'),
  ),
})
