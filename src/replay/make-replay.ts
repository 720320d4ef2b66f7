import type { RequirementResult, Results } from '#judge/results'
import type { Rule } from '#judge/rule'
import type { TraceIndex } from '#judge/trace-index'
import type { Row } from '#judge/register-view'
import type { Entry } from '#trace/entry'
import { cutOut } from './cut/cut.ts'
import { rulesAbout, showsStill } from './cut/failing.ts'
import { entriesAt } from './cut/sub-trace.ts'
import type { Replay } from './replay-file.ts'

/**
 * Cuts the shortest sequence that shows the first failure of a row out of the trace of its run.
 *
 * @returns undefined where nothing shorter than the whole run shows it
 */
export function makeReplay(
  row: RequirementResult,
  { index, results, rules, register }: ReplaySource,
): Replay | undefined {
  const [failure] = row.failures ?? []
  if (failure === undefined) return undefined
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
