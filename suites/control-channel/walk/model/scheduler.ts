import type { Policy } from '../../model/script.ts'

/**
 * Something of ours that the service has to schedule: a `response.create`, or what may end the active response, a
 * `response.cancel` and a `session.update`.
 */
export interface Request {
  readonly id: number
  readonly policy: Policy | 'cancel' | 'update'
  /** Nothing is wrong with it, so that only its policy can have it refused. */
  readonly sound: boolean
  /** Nothing of it can show in text, and the session may be in text: it may be passed over without a word. */
  readonly ignorable?: boolean
  /** What was known to have been read when it was sent, and is handled before it. */
  readonly behind: Pick<ReadonlySet<number>, 'has'>
  /** As far as the session tells, its response ends as `failed` or `cancelled`, or never: then what waits may be cleared. */
  readonly mayClear: boolean
}

/**
 * Where a request stands for the service: not handled yet, refused and the `error` not here yet, waiting for the active
 * response, active, or over and its `response.done` not here yet; `lost`: over, by no good end, and what waited with it.
 */
type Phase = 'sent' | 'refused' | 'waiting' | 'active' | 'over' | 'lost'

interface Standing extends Request {
  readonly phase: Phase
  /** Its `response.created` came. */
  readonly told: boolean
  /** Something was to end it before its time. */
  readonly cut: boolean
  /** All of this in a word, by which truths are told apart. */
  readonly key: string
  /** All that may become of the same request, each made once: the truths share them. */
  readonly forms: (Standing | undefined)[]
}

type Form = Pick<Standing, 'phase' | 'told' | 'cut'>

const places: { readonly [phase in Phase]: number } = {
  sent: 0,
  refused: 4,
  waiting: 8,
  active: 12,
  over: 16,
  lost: 20,
}
/** A letter for each place: words are put together for every truth, and short ones are cheap. */
const letters = 'abcdefghijklmnopqrstuvwx'

function standing(request: Request, { phase, told, cut }: Form, forms: Standing['forms']): Standing {
  const place = places[phase] + (told ? 2 : 0) + (cut ? 1 : 0)
  const known = forms[place]
  if (known !== undefined) return known
  const { id, policy, sound, ignorable = false, behind, mayClear } = request
  const key = `${id}${letters[place]}`
  const one: Standing = { id, policy, sound, ignorable, behind, mayClear, phase, told, cut, key, forms }
  forms[place] = one
  return one
}

/** One possible truth: what is not in it is settled. */
export type State = readonly Standing[]

/** What passed, as far as scheduling shows in it. */
export type Sight =
  | { readonly saw: 'sent'; readonly request: Request }
  | { readonly saw: 'created'; readonly id: number }
  | { readonly saw: 'done'; readonly id: number; readonly status: string }
  | { readonly saw: 'error'; readonly id: number }
  /** Text of it: it was active behind everything that came before. */
  | { readonly saw: 'text'; readonly id: number }
  /** Whatever was sent before was handled by now. */
  | { readonly saw: 'handled'; readonly id: number }
  /** Nothing came for longer than anything may take. */
  | { readonly saw: 'silence' }

/** More possible truths than these say nothing. */
export const mostStates = 2_000

/**
 * The truths that are possible after something was seen; none where a correct service cannot have shown it (4.4
 * Scheduling). What happens unseen (handling, coming to an end, beginning) may happen at any time, in any order.
 */
export function step(before: readonly State[], sight: Sight): readonly State[] {
  if (sight.saw === 'sent') {
    const one = standing(sight.request, { phase: 'sent', told: false, cut: false }, [])
    return before.map((state) => [...state, one])
  }
  const after: State[] = []
  let isSame = true
  for (const state of before) {
    const then = seen(state, sight)
    if (then !== state) isSame = false
    if (then !== undefined) after.push(then)
  }
  // Most sights change nothing: then the same list is handed back, and what may follow unseen is known of it.
  return isSame ? before : distinct(after)
}

/** What a truth becomes; undefined where it can be none. */
function seen(state: State, sight: Exclude<Sight, { saw: 'sent' }>): State | undefined {
  if (sight.saw === 'silence') return state.some(isOwed) || isStalled(state) ? undefined : state
  const one = state.find(({ id }) => id === sight.id)
  if (sight.saw === 'handled') return one?.phase === 'sent' ? undefined : state
  if (one === undefined) return undefined
  switch (sight.saw) {
    case 'created':
      return isBegun(one) && !one.told ? change(state, one, { told: true }) : undefined
    case 'done':
      return mayEnd(one, sight.status) ? without(state, one) : undefined
    case 'error':
      return one.phase === 'refused' ? without(state, one) : undefined
    case 'text':
      // What was cut may have had text on its way.
      return one.phase === 'active' || (isOver(one) && one.cut) ? state : undefined
  }
}

const isOver = ({ phase }: Standing): boolean => phase === 'over' || phase === 'lost'

const isBegun = (one: Standing): boolean => one.phase === 'active' || isOver(one)

/** Nothing ends as `cancelled` that nobody cut short, and nothing that takes others with it ends well. */
function mayEnd(one: Standing, status: string): boolean {
  if (!isOver(one) || (status === 'cancelled' && !one.cut)) return false
  return one.phase === 'over' || status === 'failed' || status === 'cancelled'
}

/** No `response.create`: nothing that is told of it says how a response stands. */
export const isAside = ({ policy }: Pick<Request, 'policy'>): boolean => policy === 'cancel' || policy === 'update'

/** Its answer is still to come. */
const isOwed = (one: Standing): boolean =>
  one.phase === 'sent' ? !isAside(one) : one.phase === 'refused' || (isBegun(one) && !one.told)

/** What waits would begin, since nothing is active. */
const isStalled = (state: State): boolean => find(state, 'waiting') !== undefined && find(state, 'active') === undefined

/** All truths to which unseen happenings may have led: the same list where there are no others. */
export function unseen(states: readonly State[]): readonly State[] {
  if (!states.some(isMoving)) return states
  const known = new Map<string, State>()
  for (const state of states) known.set(keyOf(state), state)
  for (const state of known.values()) {
    if (known.size > mostStates) break
    if (isMoving(state)) for (const next of happenings(state)) known.set(keyOf(next), next)
  }
  return known.size === states.length ? states : [...known.values()]
}

/** Something in it may happen unseen. */
function isMoving(state: State): boolean {
  for (const { phase } of state) if (phase === 'sent' || phase === 'active' || phase === 'waiting') return true
  return false
}

function happenings(state: State): readonly State[] {
  const [active, waiting] = [find(state, 'active'), find(state, 'waiting')]
  const found: State[] = []
  for (const one of state) if (isNext(state, one)) found.push(...handle(state, one))
  if (active !== undefined) found.push(change(state, active, { phase: 'over' }))
  // Whether what waits runs when the active response failed or was cancelled is not said.
  if (active?.mayClear === true && waiting !== undefined)
    found.push(...cleared(change(state, active, { phase: 'lost' }), waiting))
  if (waiting !== undefined && active === undefined) found.push(change(state, waiting, { phase: 'active' }))
  return found
}

const isNext = (state: State, { phase, behind }: Standing): boolean =>
  phase === 'sent' && !state.some((other) => other.phase === 'sent' && behind.has(other.id))

/** What a request that is handled now may come to. */
function handle(state: State, one: Standing): readonly State[] {
  if (one.policy === 'cancel') return cancel(state, one)
  if (one.policy === 'update') return update(state, one)
  const refusal = change(state, one, { phase: 'refused' })
  const legal = schedule(state, one, refusal)
  const ignored = one.ignorable === true ? [without(state, one)] : []
  return one.sound ? legal : [...legal, refusal, ...ignored]
}

function schedule(state: State, one: Standing, refusal: State): readonly State[] {
  const [active, waiting] = [find(state, 'active'), find(state, 'waiting')]
  const start = change(state, one, { phase: 'active' })
  const busy = active !== undefined || waiting !== undefined
  // "Busy until the active response reaches `response.done`": one that is lost may not be there yet.
  const maybe = busy || find(state, 'lost') === undefined ? [] : [start]
  if (!busy && maybe.length === 0) return [start]
  switch (one.policy) {
    case 'reject_if_busy':
      return [...maybe, refusal]
    case 'after_current_response':
      return [...maybe, waiting === undefined ? change(state, one, { phase: 'waiting' }) : refusal]
    default: {
      const interrupted = cleared(start, waiting).flatMap((rest) =>
        active === undefined ? [rest] : [change(rest, active, ended), ...unbegun(rest, active)],
      )
      return one.policy === 'unknown' ? [...interrupted, refusal] : interrupted
    }
  }
}

const ended = { phase: 'over', cut: true } as const

/** What waited never starts; whether an `error` says so is not said. */
function cleared(state: State, waiting: Standing | undefined): readonly State[] {
  return waiting === undefined ? [state] : [without(state, waiting), change(state, waiting, { phase: 'refused' })]
}

/** What was not told as begun yet may never have begun, as what waits has not: then nothing more is told of it. */
function unbegun(state: State, active: Standing): readonly State[] {
  return active.told ? [] : [without(state, active)]
}

/** What an update does to the active response is not said; what waits "snapshots effective inputs at submit time". */
function update(state: State, one: Standing): readonly State[] {
  const rest = without(state, one)
  const active = find(rest, 'active')
  return active === undefined ? [rest] : [rest, change(rest, active, { cut: true })]
}

/** "Targets the current active response, all further fields and behavior: not shown": what waits may stay or not. */
function cancel(state: State, asked: Standing): readonly State[] {
  const rest = without(state, asked)
  const [active, waiting] = [find(rest, 'active'), find(rest, 'waiting')]
  const cut = active === undefined ? [] : [change(rest, active, { cut: true }), ...unbegun(rest, active)]
  const kept = [rest, ...cut]
  return waiting === undefined ? kept : [...kept, ...kept.flatMap((one) => cleared(one, waiting))]
}

function find(state: State, phase: Phase): Standing | undefined {
  return state.find((one) => one.phase === phase)
}

function change(state: State, one: Standing, { phase, told, cut }: Partial<Form>): State {
  return state.map((other) => {
    if (other.id !== one.id) return other
    return standing(
      other,
      { phase: phase ?? other.phase, told: told ?? other.told, cut: cut ?? other.cut },
      other.forms,
    )
  })
}

function without(state: State, one: Standing): State {
  return state.filter(({ id }) => id !== one.id)
}

function distinct(states: readonly State[]): readonly State[] {
  if (states.length < 2) return states
  return [...new Map(states.map((state) => [keyOf(state), state])).values()]
}

/** Of which requests a story tells that they were refused, and that they began. */
export interface Heard {
  readonly refused: ReadonlySet<number>
  readonly begun: ReadonlySet<number>
}

/**
 * Of truths that differ in nothing but what is never told of (a refusal without an `error`, a response that was over before
 * it was told as begun), those without it: they allow all that the others do. Whatever an interruption clears leaves two
 * of them and more, which would double all truths each time.
 */
export function withoutUntold(states: readonly State[], { refused, begun }: Heard): readonly State[] {
  const isUntold = ({ phase, id, told }: Standing): boolean =>
    (phase === 'refused' && !refused.has(id)) || ((phase === 'over' || phase === 'lost') && !told && !begun.has(id))
  if (!states.some((state) => state.some(isUntold))) return states
  const whole = new Set(states.map(keyOf))
  return states.filter((state) => {
    const heard = state.filter((one) => !isUntold(one))
    return heard.length === state.length || !whole.has(keyOf(heard))
  })
}

function keyOf(state: State): string {
  let key = ''
  for (const one of state) key += one.key
  return key
}
