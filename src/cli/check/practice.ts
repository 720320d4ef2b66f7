import { judgeClaim } from '#judge/findings'
import type { Report, Rule } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import { type Entry, scenarioOf } from '#trace/entry'

/** So long, in milliseconds, whoever else has to do something in this thread may have to wait. */
const atOnce_ms = 8

/**
 * Judges for practice, and says nothing: code that has run for a while is compiled by then, and judges in half the time.
 *
 * @param entries of a part of a run
 * @param rest lets others have their turn; whatever it throws ends the practice
 */
export async function practise(
  entries: readonly Entry[],
  rules: readonly Rule[],
  rest: () => Promise<void>,
): Promise<void> {
  const trace = indexTrace(entries)
  const turns = [
    ...trace.claims.map(
      ({ entry }) =>
        () =>
          void judgeClaim(trace, entry),
    ),
    ...rules.map((rule) => () => rule.judge(trace, silent)),
  ]
  let began = performance.now()
  for (const turn of turns) {
    try {
      turn()
    } catch {
      // Who judges in earnest tells of it.
    }
    if (performance.now() - began < atOnce_ms) continue
    await rest()
    began = performance.now()
  }
}

const silent: Report = { held: () => {}, broken: () => {}, unobserved: () => {}, saw: () => {} }

/** Parts of a run that is still being written: what each scenario that has ended left, each once. */
export class Parts {
  readonly #taken = new Set<string>()

  /** @returns undefined where nothing has ended that was not taken */
  next(written: readonly Entry[]): readonly Entry[] | undefined {
    const [header] = written
    const ended = written.find((entry) => entry.kind === 'scenario-end' && !this.#taken.has(entry.scenario))
    const scenario = ended && scenarioOf(ended)
    if (header === undefined || scenario === undefined) return undefined
    this.#taken.add(scenario)
    return [header, ...written.filter((entry) => scenarioOf(entry) === scenario)]
  }
}
