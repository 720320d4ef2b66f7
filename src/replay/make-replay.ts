import type { Failure, RequirementResult, Results } from '#judge/results'
import type { Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { Row } from '#judge/register-view'
import type { Entry } from '#trace/entry'
import { cutOut } from './cut/cut.ts'
import { rulesAbout, showsStill } from './cut/failing.ts'
import { entriesAt } from './cut/sub-trace.ts'
import type { Replay } from './replay-file.ts'

/** How many failures of a row are looked at: the others are more of the same. */
const mostFailures = 4

/** A failure of a row as something that can be sent again. */
export interface FailureReplay {
  /** Its place among the failures of the row, from 0. */
  readonly place: number
  readonly replay: Replay
}

/**
 * Cuts the shortest sequence that shows a failure of a row out of the trace of its run, for one failure after the other:
 * where the first comes only now and then, or nothing shorter than the whole run shows it, another one may tell more. What
 * one scenario shows comes before what shows only across a run.
 */
export function* replaysOf(row: RequirementResult, source: ReplaySource): Generator<FailureReplay, undefined> {
  const failures = (row.failures ?? []).map((failure, place) => ({ failure, place }))
  const across = ({ failure }: { failure: Failure }): number => (failure.scenario === undefined ? 1 : 0)
  const ordered = failures.toSorted((one, other) => across(one) - across(other))
  for (const { failure, place } of ordered.slice(0, mostFailures)) {
    const replay = replayOf(row, failure, source)
    if (replay !== undefined) yield { place, replay }
  }
}

/** The first failure of a row that something shorter than the whole run shows. */
export function makeReplay(row: RequirementResult, source: ReplaySource): Replay | undefined {
  return replaysOf(row, source).next().value?.replay
}

function replayOf(
  row: RequirementResult,
  failure: Failure,
  { index, results, rules, register }: ReplaySource,
): Replay | undefined {
  const broken = { requirement: row.id, ...failure }
  const piece =
    cutOut(index, broken, showsStill(broken, rulesAbout(row.id, rules))) ??
    cutOut(index, broken, showsStill(broken, rules))
  if (piece === undefined) return undefined
  const { run, target } = results
  const short = new Set(piece.short)
  return {
    format: 'greenroom.replay/1',
    requirement: row.id,
    section: row.section,
    level: row.level,
    text: register.get(row.id)?.text ?? '',
    expected: failure.expected,
    got: failure.got,
    run: run.id,
    versions: run.versions,
    base_url: target.base_url,
    steps: entriesAt(index, piece.whole).map(withoutLink),
    evidence: piece.whole.flatMap((line, place) => (failure.evidence.includes(line) ? [place] : [])),
    short: piece.whole.flatMap((line, place) => (short.has(line) ? [place] : [])),
  }
}

/** What ties an entry to the one before it in its trace means nothing outside of it. */
function withoutLink(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'link')) as unknown as Entry
}

/** A judged run. */
export interface ReplaySource {
  readonly index: TraceIndex
  readonly results: Pick<Results, 'run' | 'target'>
  readonly rules: readonly Rule[]
  readonly register: ReadonlyMap<string, Row>
}
