import type { Entry } from '#trace/entry'
import { Collected, collectFindings } from '../findings.ts'
import { sessionWasSeen } from '../recordings.ts'
import { concludeTrace, headerOf } from '../judge.ts'
import type { RegisterView } from '../register-view.ts'
import type { Results } from '../results.ts'
import type { Rule } from '../rule.ts'
import { indexTrace, type TraceIndex } from '../trace-index.ts'
import { countTraffic } from '../traffic.ts'
import { copyOf, countDropped, nothingCounted, sum, trim } from './accounts.ts'
import { cutWindow } from './carry.ts'
import { filtered } from './partial.ts'
import { unreadSessions } from './unread.ts'
import { type Units, unitsOf } from './units.ts'
import { defaultWindow, Window, type WindowSize } from './window.ts'

/** Most ids that are remembered of sessions that were set aside. */
const asideRemembered = 100_000

/** How a recording ended, for its results. */
export interface RecordingEnd {
  readonly truncated: boolean
  /** Of the bytes of the whole trace, hex. */
  readonly sha256: string
}

/** Lines of sessions of which not all is known. */
interface PartialLines {
  readonly frames: ReadonlySet<number>
  readonly requests: ReadonlySet<number>
}

/**
 * Judges a recording while it grows, in bounded memory. A window of the trace is held; when it is full it is judged, what
 * rests on lines that are over is entered for good, and {@link cutWindow} says what is carried on. Where the windows end
 * depends on the lines alone, so the same trace gives the same results whenever and by whom it is judged. A recording of
 * one window is judged like any other trace.
 */
export class WindowedJudge {
  readonly #register: RegisterView
  readonly #rules: readonly Rule[]
  readonly #size: WindowSize
  readonly #window = new Window()
  readonly #collected = new Collected()
  /** Sessions of which only single events are judged. */
  readonly #aside = new Set<string>()
  #counted = nothingCounted
  #lines = 0

  /** @param size for tests; results of one trace are equal only under one size */
  constructor(register: RegisterView, rules: readonly Rule[], size: WindowSize = defaultWindow) {
    this.#register = register
    this.#rules = rules
    this.#size = size
  }

  /** Lines so far. */
  get lines(): number {
    return this.#lines
  }

  /** Lines that are held. */
  get held(): number {
    return this.#window.lines.length
  }

  /** Sessions that grew too long to be judged as a whole. */
  get setAside(): number {
    return this.#aside.size
  }

  /** @throws UnjudgeableTrace for a first line that is no header of this release. */
  add(entry: Entry, bytes: number): void {
    this.#lines += 1
    if (this.#lines === 1) headerOf(indexTrace([entry]), this.#register)
    this.#window.add({ line: this.#lines, entry, bytes })
    if (this.#window.isFull(this.#size)) this.#cut()
  }

  /** Results as if the recording ended here. @throws UnjudgeableTrace */
  results(end: RecordingEnd): Results {
    const trace = this.#window.index()
    const collected = copyOf(this.#collected)
    const units = unitsOf(trace)
    this.#judge(trace, this.#linesOf(units, this.#partial(trace, units)), () => true, collected)
    trim(collected)
    return concludeTrace(
      {
        trace,
        header: headerOf(trace, this.#register),
        read: end,
        findings: collected,
        created: this.#counted.created || sessionWasSeen(trace),
        traffic: sum(this.#counted.traffic, countTraffic(trace)),
      },
      this.#register,
    )
  }

  #cut(): void {
    const trace = this.#window.index()
    const units = unitsOf(trace)
    const partial = this.#partial(trace, units)
    const cut = cutWindow(this.#window, units, partial, this.#size)
    const isDropped = (lines: readonly number[]): boolean => lines.some((line) => cut.dropped.has(line))
    this.#judge(trace, this.#linesOf(units, partial), isDropped, this.#collected)
    trim(this.#collected)
    const dropped = this.#window.lines.filter(({ line }) => cut.dropped.has(line))
    this.#counted = countDropped(this.#counted, dropped, trace)
    this.#window.keep(cut.kept, cut.since)
    for (const session of cut.setAside) this.#aside.add(session)
    for (const session of this.#aside) {
      if (this.#aside.size <= asideRemembered) break
      this.#aside.delete(session)
    }
  }

  #judge(
    trace: TraceIndex,
    { frames, requests }: PartialLines,
    counts: (lines: readonly number[]) => boolean,
    collected: Collected,
  ): void {
    const filter = {
      counts,
      isPartial: (line: number) => frames.has(line),
      isOfPartial: (line: number) => requests.has(line),
    }
    const rules = this.#rules.map((rule) => filtered(rule, filter))
    collectFindings(trace, rules, (id) => this.#register.rows.has(id), collected)
  }

  /** Sessions whose create is not in the window, or was not at an earlier cut, and those of which something was not read. */
  #partial(trace: TraceIndex, units: Units): ReadonlySet<string> {
    const found = [...units.sessions.values()].filter(({ session, created }) => !created || this.#aside.has(session))
    return unreadSessions(trace, this.#window.lines).union(new Set(found.map(({ session }) => session)))
  }

  /** Lines of partial sessions. */
  #linesOf(units: Units, partial: ReadonlySet<string>): PartialLines {
    const [frames, requests] = [new Set<number>(), new Set<number>()]
    for (const { line, entry } of this.#window.lines) {
      if (partial.has(units.of(entry) ?? '')) ('channel' in entry ? frames : requests).add(line)
    }
    return { frames, requests }
  }
}
