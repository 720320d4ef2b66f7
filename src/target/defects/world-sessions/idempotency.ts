import type { Behaviour } from '#target/behaviour/behaviour'
import { type KeyEvent, sameJson } from '#target/behaviour/world/idempotency'
import type { Account } from '#target/keys'
import { isWire, type Wire, without } from '#target/wire'
import { defectsOf } from '../table.ts'

/** Keys that met something count as unknown from then on. */
function forgetAfter({ world: { idempotency } }: Behaviour, event: KeyEvent): void {
  const met = new Set<string>()
  idempotency.noted = (happened, scoped) => {
    if (happened === event) met.add(scoped)
  }
  idempotency.forgets = (scoped) => met.has(scoped)
}

const bodyOf = (text: string): Wire => {
  const body: unknown = JSON.parse(text)
  return isWire(body) ? body : {}
}
const alike = (first: string, again: string, ...left: string[]): boolean =>
  sameJson(without(bodyOf(first), ...left), without(bodyOf(again), ...left))

const retryDefects = defectsOf('world-sessions', {
  'idempotency.retry-same-session': [
    'A key is forgotten when its create is answered.',
    ({ world }) => void (world.idempotency.returns = () => false),
  ],
  'idempotency.concurrent-one-session': [
    'A key counts only when its create is done.',
    ({ world }) => {
      world.idempotency.joinsInFlight = false
      world.create.allocationMs = 150
    },
  ],
  'idempotency.after-429-one-session': [
    'Capacity lacks every second time, and a key is of no use any more once it met that.',
    (b) => {
      b.world.create.crowded = (asked) => asked % 2 === 0
      forgetAfter(b, 'crowded')
    },
  ],
  'idempotency.after-5xx-one-session': [
    'Every second create fails, and a key is of no use any more once it met a 5xx.',
    (b) => {
      b.world.create.weather = (count) => (count % 2 === 0 ? 'before' : undefined)
      forgetAfter(b, 'fault')
    },
  ],
  'idempotency.after-timeout-one-session': [
    'A key is of no use any more once its caller went away.',
    (b) => {
      b.world.create.allocationMs = 400
      b.world.idempotency.joinsInFlight = false
      forgetAfter(b, 'abandoned')
    },
  ],
})

const conflictDefects = defectsOf('world-sessions', {
  'idempotency.other-body-conflict': [
    'A known key returns its session, whatever the body.',
    ({ world }) => void (world.idempotency.sameBody = () => true),
  ],
  'idempotency.other-body-conflict~second-session': [
    'A known key with another body makes another session.',
    ({ world }) => void (world.idempotency.conflict = undefined),
  ],
  'idempotency.other-body-conflict~prompt': [
    'The initial prompt does not count for a conflict.',
    ({ world: { idempotency } }) => {
      idempotency.sameBody = (first, again) => alike(first, again, 'initial_prompt')
    },
  ],
  'idempotency.other-nested-value-conflict': [
    'Only model and prompt count for a conflict.',
    ({ world: { idempotency } }) => {
      idempotency.sameBody = (first, again) =>
        sameJson(bodyOf(first)['initial_prompt'], bodyOf(again)['initial_prompt'])
    },
  ],
  'idempotency.other-nested-value-conflict~shallow': [
    'Objects of a body count for a conflict by their keys alone.',
    ({ world: { idempotency } }) => {
      const shallow = (body: Wire): Wire =>
        Object.fromEntries(
          Object.entries(body).map(([key, value]) => [
            key,
            isWire(value) && key !== 'initial_prompt' ? Object.keys(value).toSorted() : value,
          ]),
        )
      idempotency.sameBody = (first, again) => sameJson(shallow(bodyOf(first)), shallow(bodyOf(again)))
    },
  ],
  'idempotency.conflict-code': [
    'A conflict is answered with 20004.',
    ({ world }) => void (world.idempotency.conflict = '20004'),
  ],
  'idempotency.conflict-changes-nothing': ['A conflict frees the key.', (b) => forgetAfter(b, 'conflict')],
})

const scopeDefects = defectsOf('world-sessions', {
  'idempotency.other-key-other-session': [
    'Keys count without their last character, and not as a part of the body.',
    ({ world: { idempotency } }) => {
      idempotency.scope = (account, key) => `${account.workspace}\n${key.slice(0, -1)}`
      idempotency.sameBody = (first, again) => alike(first, again, 'idempotency_key')
    },
  ],
  'idempotency.other-key-other-session~body': [
    'The same body returns the same session, whatever the key.',
    ({ world: { idempotency } }) => {
      idempotency.scope = ({ workspace }: Account) => workspace
      idempotency.sameBody = (first, again) => alike(first, again, 'idempotency_key')
    },
  ],
  'idempotency.without-key-new-session': [
    'A create without key repeats the last one.',
    ({ world }) => void (world.idempotency.keyless = 'none'),
  ],
  'idempotency.scoped-to-workspace': [
    'Keys are shared by all workspaces.',
    ({ world }) => void (world.idempotency.scope = (_account, key) => key),
  ],
})

export const worldIdempotencyDefects = [...retryDefects, ...conflictDefects, ...scopeDefects]
