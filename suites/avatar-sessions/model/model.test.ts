import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostStates, type StimulusOutcome, type State, start, step, type Status, type Stimulus } from './model.ts'
import { explain, type Seen } from './explain.ts'

/** What correct services do differently (3.1, 4.1, and what they leave open). */
interface Manners {
  readonly showsStatus: boolean
  /** How many requests a cleanup takes. */
  readonly cleanup: number
  readonly end: 'closed' | 'failed'
  /** What the key gives when its session is over. */
  readonly afterEnd: 'replay' | 'new' | 'refuse'
  readonly forgets: boolean
  readonly listsClosing: boolean
  readonly refusesRepeatedClose: boolean
  /** Percentage of answers that get lost. */
  readonly losses: number
}

const manners: fc.Arbitrary<Manners> = fc.record({
  showsStatus: fc.boolean(),
  cleanup: fc.integer({ min: 0, max: 4 }),
  end: fc.constantFrom('closed', 'failed'),
  afterEnd: fc.constantFrom('replay', 'new', 'refuse'),
  forgets: fc.boolean(),
  listsClosing: fc.boolean(),
  refusesRepeatedClose: fc.boolean(),
  losses: fc.constantFrom(0, 30),
})

const deeds = fc.array(
  fc.record({
    act: fc.constantFrom('create', 'create', 'volley', 'get', 'get', 'list', 'close', 'connect'),
    dice: fc.integer({ min: 0, max: 99 }),
    after: fc.boolean(),
  }),
  { minLength: 5, maxLength: 40, size: 'max' },
)

interface Live {
  readonly id: string
  status: Status
  /** Requests until the cleanup is done. */
  left: number
}

/** A correct service, as far as one key goes. Shares nothing with the model but the words. */
class Service {
  readonly #manners: Manners
  readonly all: Live[] = []

  constructor(given: Manners) {
    this.#manners = given
  }

  tick(): void {
    for (const one of this.all) {
      if (one.status !== 'closing') continue
      one.left -= 1
      if (one.left < 0) one.status = this.#manners.end
    }
  }

  create(): StimulusOutcome {
    const last = this.all.at(-1)
    const { afterEnd } = this.#manners
    if (last !== undefined && (last.status === 'active' || afterEnd === 'replay')) return this.#made(last)
    if (last !== undefined && afterEnd === 'refuse') return { is: 'refused' }
    this.all.push({ id: `s${this.all.length + 1}`, status: 'active', left: 0 })
    return this.#made(this.all.at(-1) ?? { id: '', status: 'active', left: 0 })
  }

  /** The answer of the first create is sent again as it was. */
  #made({ id }: Live): StimulusOutcome {
    return { is: 'made', id, status: 'active' }
  }

  get({ status }: Live): StimulusOutcome {
    const { forgets, showsStatus } = this.#manners
    if (forgets && (status === 'closed' || status === 'failed')) return { is: 'refused' }
    return showsStatus ? { is: 'shown', status } : { is: 'shown' }
  }

  close(one: Live): StimulusOutcome {
    if (one.status !== 'active') return { is: this.#manners.refusesRepeatedClose ? 'refused' : 'accepted' }
    one.left = this.#manners.cleanup
    one.status = 'closing'
    return { is: 'accepted' }
  }

  list(known: readonly string[]): StimulusOutcome {
    const open = this.all.filter(
      ({ status }) => status === 'active' || (status === 'closing' && this.#manners.listsClosing),
    )
    const shown = known.filter((id) => open.some((one) => one.id === id))
    return { is: 'listed', shown, missing: known.filter((id) => !shown.includes(id)) }
  }

  connect({ status }: Live): StimulusOutcome {
    return { is: status === 'active' ? 'admitted' : 'nothing' }
  }
}

interface Deed {
  readonly act: string
  readonly dice: number
  readonly after: boolean
}

/** What a caller sees of the service: some answers are lost, the deed done or not. */
function play(service: Service, plan: readonly Deed[], given: Manners): readonly Seen[] {
  const known: string[] = []
  return plan.flatMap((deed, place): readonly Seen[] => {
    service.tick()
    const live = service.all.filter(({ id }) => known.includes(id))
    const one = live[deed.dice % Math.max(1, live.length)]
    const [stimulus, act] = sending(service, deed.act, one, known)
    if (stimulus === undefined) return []
    const lost = deed.dice < given.losses && (deed.act === 'create' || deed.act === 'close')
    const outcome: StimulusOutcome = !lost ? act() : { is: 'lost' }
    if (lost && deed.after) act()
    for (const id of idsIn(outcome)) if (!known.includes(id)) known.push(id)
    return [{ stimulus, outcome, lines: [place], t: place }]
  })
}

function sending(
  service: Service,
  act: string,
  one: Live | undefined,
  known: readonly string[],
): readonly [Stimulus | undefined, () => StimulusOutcome] {
  const nothing = (): StimulusOutcome => ({ is: 'nothing' })
  if (act === 'create') return [{ act }, () => service.create()]
  if (act === 'volley') {
    return [{ act: 'create' }, () => ({ is: 'together', of: [1, 2, 3, 4].map(() => service.create()).toReversed() })]
  }
  if (act === 'list') return [{ act }, () => service.list(known)]
  if (one === undefined) return [undefined, nothing]
  if (act === 'get') return [{ act, id: one.id }, () => service.get(one)]
  if (act === 'connect') return [{ act, id: one.id }, () => service.connect(one)]
  return [{ act: 'close', id: one.id }, () => service.close(one)]
}

function idsIn(outcome: StimulusOutcome): readonly string[] {
  if (outcome.is === 'together') return outcome.of.flatMap(idsIn)
  return outcome.is === 'made' ? [outcome.id] : []
}

const strictly = () => false
const leniently = () => true

test('whatever a correct service does, some truth explains it', () => {
  fc.assert(
    fc.property(manners, deeds, (given, plan) => {
      const history = play(new Service(given), plan, given)
      expect(explain(history, strictly).is).toBe('legal')
      expect(explain(history, leniently).is).toBe('legal')
    }),
    { numRuns: 1_000, seed: 1 },
  )
})

test('truths never become many', () => {
  fc.assert(
    fc.property(manners, deeds, (given, plan) => {
      const result = explain(play(new Service(given), plan, given), leniently)
      if (result.is === 'overflow') throw new Error('too many')
      expect(Math.max(...result.believed.map((states) => states.length))).toBeLessThanOrEqual(mostStates)
    }),
    { numRuns: 300, seed: 2 },
  )
})

const seen = (stimulus: Stimulus, outcome: StimulusOutcome): Seen => ({ stimulus, outcome, lines: [], t: 0 })
const shown = (id: string, status: Status): Seen => seen({ act: 'get', id }, { is: 'shown', status })
const created = (id: string): Seen => seen({ act: 'create' }, { is: 'made', id })
const closed = (id: string): Seen => seen({ act: 'close', id }, { is: 'accepted' })
const notFound = (id: string): Seen => seen({ act: 'get', id }, { is: 'refused' })
const listed = (is: readonly string[], not: readonly string[]): Seen =>
  seen({ act: 'list' }, { is: 'listed', shown: is, missing: not })
const admitted = (id: string): Seen => seen({ act: 'connect', id }, { is: 'admitted' })

const alive = 'z'

/** Said of an open session, one after the other, even an ending that nobody asked for explains none of them. */
const impossible: readonly (readonly [string, readonly Seen[]])[] = [
  ['two open sessions for one key', [created('other'), shown(alive, 'active')]],
  ['two sessions from one race', [seen({ act: 'create' }, together(created('p'), created('q')))]],
  ['lost and found again', [notFound(alive), shown(alive, 'active')]],
  ['closed and active again', [shown(alive, 'closed'), shown(alive, 'active')]],
  ['closed and connected', [shown(alive, 'closed'), admitted(alive)]],
  ['missing from the list and active', [listed([], [alive]), shown(alive, 'active')]],
  ['a refused close, and active', [seen({ act: 'close', id: alive }, { is: 'refused' }), shown(alive, 'active')]],
  ['an accepted close, and active', [closed(alive), shown(alive, 'active')]],
  ['closing, and active again', [closed(alive), shown(alive, 'closing'), shown(alive, 'active')]],
  ['closed, and failed later', [closed(alive), shown(alive, 'closed'), shown(alive, 'failed')]],
  ['closed, and closing later', [closed(alive), shown(alive, 'closed'), shown(alive, 'closing')]],
  ['closed, and listed', [closed(alive), shown(alive, 'closed'), listed([alive], [])]],
]

function together(...creates: readonly Seen[]): StimulusOutcome {
  return { is: 'together', of: creates.map(({ outcome }) => outcome) }
}

test.each(impossible)('nothing explains %s, whatever went before', (_, fault) => {
  fc.assert(
    fc.property(manners, deeds, (given, plan) => {
      const calm: Manners = { ...given, losses: 0, cleanup: 0, forgets: false, afterEnd: 'new' }
      const before = play(new Service(calm), plan, calm)
      const over = before.flatMap((one) => idsIn(one.outcome)).flatMap((id) => [closed(id), shown(id, given.end)])
      const history = [...before, ...over, created(alive), shown(alive, 'active')]
      expect(explain(history, leniently).is).toBe('legal')
      expect(explain([...history, ...fault], leniently).is).toBe('broken')
    }),
    { numRuns: 50, seed: 3 },
  )
})

const after = (...history: readonly Seen[]): readonly State[] =>
  history.reduce<readonly State[]>((left, one) => step(left, one.stimulus, one.outcome, { unprompted: false }), start)

test('a create whose answer was lost may have made a session, and the retry tells which', () => {
  const lost = seen({ act: 'create' }, { is: 'lost' })
  expect(after(lost)).toEqual([[], [{ id: undefined, phases: ['active'] }]])
  expect(after(lost, created('a'))).toEqual([[{ id: 'a', phases: ['active'] }]])
  expect(after(lost, created('a'), created('b'))).toEqual([])
})

test('a close whose answer was lost may take effect at any time', () => {
  const lost = seen({ act: 'close', id: 'a' }, { is: 'lost' })
  expect(after(created('a'), lost, shown('a', 'active'), shown('a', 'closing'), shown('a', 'closed'))).toHaveLength(1)
  expect(after(created('a'), lost, shown('a', 'closing'), shown('a', 'active'))).toEqual([])
})

test('a key may give its old session, a new one or a refusal when the session is over', () => {
  const end = [created('a'), closed('a'), shown('a', 'closed')] as const
  for (const outcome of [created('a'), created('b'), seen({ act: 'create' }, { is: 'refused' })]) {
    expect(after(...end, outcome)).not.toEqual([])
  }
})

test('losers of a race may be refused or get no answer', () => {
  const race = together(
    seen({ act: 'create' }, { is: 'refused' }),
    seen({ act: 'create' }, { is: 'lost' }),
    created('a'),
  )
  expect(after(seen({ act: 'create' }, race))).toEqual([[{ id: 'a', phases: ['active'] }]])
})

test('a Get that shows no status excludes nothing', () => {
  const bare = seen({ act: 'get', id: 'a' }, { is: 'shown' })
  expect(after(created('a'), closed('a'), bare)).toEqual([
    [{ id: 'a', shut: true, phases: ['closing', 'closed', 'failed'] }],
  ])
})

test('a session that ended by itself may be listed until it is closed (4.1)', () => {
  const done = [created('a'), shown('a', 'closed'), listed(['a'], []), closed('a'), shown('a', 'closed')]
  expect(explain(done, () => true).is).toBe('legal')
})
