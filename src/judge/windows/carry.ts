import type { Units, SessionUnit } from './units.ts'
import type { Line, Window, WindowSize } from './window.ts'

/** Requests are carried on for longer than any rule looks back over a pause: two readings of a minute, and their rounds. */
const requestsKept_ms = 300_000
/** What comes of a session after its end, reads of replicas included. */
const sessionSettles_ms = 60_000
/** Whose answer is not there by then has none. */
const pendingKept_ms = 600_000

/** What becomes of a window that is full. */
export interface Cut {
  readonly kept: readonly Line[]
  readonly dropped: ReadonlySet<number>
  readonly since: number
  /** Sessions that are longer than what can be held: from here on each of their events is judged by itself. */
  readonly setAside: readonly string[]
}

/**
 * Sessions that go on are kept whole, from their create on, and so are the requests of the last minutes: whatever a rule
 * may set beside what comes next. The longest sessions are set aside where half a window does not hold all.
 *
 * @param partial sessions whose beginning is not here any more, or never was
 */
export function cutWindow(window: Window, units: Units, partial: ReadonlySet<string>, size: WindowSize): Cut {
  const now = window.last?.entry.t ?? 0
  const sizes = sizesOf(window, units)
  const going = [...units.sessions.values()].filter(({ session }) => !partial.has(session))
  const kept = going.filter((unit) => !isOver(unit, sizes.get(unit.session)?.last ?? 0, now))
  const setAside = longest(kept, sizes, { lines: size.lines / 2, bytes: size.bytes / 2 })
  const whole = new Set(kept.map(({ session }) => session)).difference(new Set(setAside))
  const isWhole = ({ entry }: Line): boolean => whole.has(units.of(entry) ?? '')
  const requests = requestsFrom(window, isWhole, now, size)
  const stays = (line: Line): boolean => {
    const { entry } = line
    if (entry.kind === 'header') return true
    if (units.isPending(entry)) return entry.t >= now - pendingKept_ms
    if (isWhole(line) || units.opensLasting(entry)) return true
    return 'exchange' in entry && requests.has(entry.exchange)
  }
  const [stay, go] = [window.lines.filter(stays), window.lines.filter((line) => !stays(line))]
  const since = go.length === 0 ? window.since : Math.max(window.since, requests.since)
  return { kept: stay, dropped: new Set(go.map(({ line }) => line)), since, setAside }
}

function isOver({ connected, ending }: SessionUnit, last: number, now: number): boolean {
  return !connected && ending && now - last >= sessionSettles_ms
}

interface Held extends WindowSize {
  readonly first: number
  readonly last: number
}

function sizesOf(window: Window, units: Units): ReadonlyMap<string, Held> {
  const sizes = new Map<string, Held>()
  for (const { line, entry, bytes } of window.lines) {
    const session = units.of(entry)
    if (session === undefined) continue
    const held = sizes.get(session) ?? { lines: 0, bytes: 0, first: line, last: 0 }
    sizes.set(session, { ...held, lines: held.lines + 1, bytes: held.bytes + bytes, last: entry.t })
  }
  return sizes
}

/** The sessions to give up, so that the others fit. */
function longest(units: readonly SessionUnit[], sizes: ReadonlyMap<string, Held>, room: WindowSize): readonly string[] {
  const held = units.map(({ session }) => ({ session, ...(sizes.get(session) ?? none) }))
  let lines = held.reduce((sum, one) => sum + one.lines, 0)
  let bytes = held.reduce((sum, one) => sum + one.bytes, 0)
  const given: string[] = []
  for (const one of held.toSorted((a, b) => b.bytes - a.bytes || a.first - b.first)) {
    if (lines <= room.lines && bytes <= room.bytes) break
    given.push(one.session)
    lines -= one.lines
    bytes -= one.bytes
  }
  return given
}

const none: Held = { lines: 0, bytes: 0, first: 0, last: 0 }

interface Requests {
  has(exchange: number): boolean
  readonly since: number
}

/** The requests of the last minutes; fewer where a quarter of the window does not hold them. */
function requestsFrom(window: Window, isWhole: (line: Line) => boolean, now: number, size: WindowSize): Requests {
  const begun = new Map<number, number>()
  let [lines, bytes] = [0, 0]
  let since = now - requestsKept_ms
  for (const line of window.lines.toReversed()) {
    const { entry } = line
    if (!('exchange' in entry) || isWhole(line)) continue
    lines += 1
    bytes += line.bytes
    if (lines > size.lines / 4 || bytes > size.bytes / 4) {
      since = Math.max(since, entry.t + 0.001)
      break
    }
  }
  for (const { entry } of window.lines) {
    if (entry.kind === 'request' && !begun.has(entry.exchange)) begun.set(entry.exchange, entry.t)
  }
  return { has: (exchange) => (begun.get(exchange) ?? 0) >= since, since: Math.max(0, since) }
}
