import { isNoAccident } from '#judge/chance/chance'
import type { Report } from '#judge/rule'
import { afterFault, rowFor, type Try } from './keyed-creates.ts'

/**
 * A fault that sticks to its idempotency key: retries bring nothing but faults while creates under other keys succeed
 * between them, far oftener than creates fail otherwise, and no key of the run ever recovers.
 */
export function judgeStuck(all: readonly (readonly Try[])[], accepted: ReadonlySet<string>, report: Report): void {
  if (all.some(recovers)) return
  const firsts = all.flatMap((tries) => tries.slice(0, 1))
  const good = firsts.filter(({ answer }) => answer.kind === 'success')
  const faults = firsts.filter((one) => rowFor(one) === afterFault)
  const retries = all.flatMap((tries) => {
    const [first] = tries
    if (first === undefined || rowFor(first) !== afterFault || !accepted.has(first.essence)) return []
    return tries.filter((one, place) => rowFor(one) === afterFault && isProof(good, tries[place - 1], one))
  })
  // What fails in the same second may have failed of one cause.
  const seconds = new Set(retries.map(({ sent }) => Math.floor(sent / 1000)))
  const rate = (faults.length + 1) / (firsts.length + 2)
  const [retry] = retries
  if (retry === undefined || !isNoAccident(seconds.size, rate)) return
  if (!all.some(lastsLong)) return
  const expected = 'a session, as the same body brought with another key'
  const got = `a 5xx at each of ${retries.length} retries, while creates under other keys succeeded in between`
  report.broken(afterFault, {
    expected,
    got,
    lines: retries.slice(0, 12).map(({ answer }) => answer.line),
    scenario: retry.scenario,
  })
}

/** A part of the service that holds the key may be away for a while: a fault counts when it lasts longer than that. */
const shortest_ms = 30_000

function lastsLong(tries: readonly Try[]): boolean {
  const faults = tries.filter((one) => rowFor(one) === afterFault)
  return (faults.at(-1)?.sent ?? 0) - (faults[0]?.sent ?? 0) >= shortest_ms
}

/** A create failed, and then succeeded under its key. */
function recovers(tries: readonly Try[]): boolean {
  const fault = tries.findIndex((one) => rowFor(one) === afterFault)
  return fault !== -1 && tries.slice(fault).some(({ answer }) => answer.kind === 'success')
}

/** Whether a create under another key began and succeeded between two tries: the service was well then. */
function isProof(good: readonly Try[], before: Try | undefined, one: Try): boolean {
  if (before === undefined) return false
  return good.some(({ line, answer }) => line > before.answer.line && answer.line < one.line)
}
