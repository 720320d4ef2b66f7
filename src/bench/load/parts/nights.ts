import { watchedNights } from '#load/history/testing/synthetic'
import { loadPage } from '#load/page/load-page'
import { madeUpNights, madeUpReport } from '#load/page/testing/made-up'
import { stopwatch } from '../../stopwatch.ts'

const series = 200
const stepAt = 60
/** A step of its first night, or of the two after it. */
const within = 3

/** What the history says of series in which a step of 10 % comes, and the page of 90 nights. */
export function nights(): void {
  const watched = Array.from({ length: series }, (_, seed) => watchedNights(seed, stepAt, within))
  const found = watched.filter((worse) => worse.slice(stepAt).includes(true)).length
  // An alarm that goes on for several nights is one.
  const alarms = watched.reduce(
    (sum, worse) => sum + worse.filter((one, at) => at < stepAt && one && worse[at - 1] !== true).length,
    0,
  )
  console.log(
    `${series} series that vary by 5 %: a step of 10 % found within ${within} nights in ${((100 * found) / series).toFixed(1)} % (goal ≥ 95); ${(alarms / series).toFixed(2)} false alarms in ${stepAt} nights (goal ≤ 1)`,
  )
  const seconds = stopwatch()
  const page = loadPage(madeUpReport(), madeUpNights(90))
  const made_s = seconds()
  console.log(
    `page of 90 nights: ${(Buffer.byteLength(page) / 1e6).toFixed(2)} MB (goal ≤ 1.5), ${made_s.toFixed(2)} s (goal < 3); axe: vitest run src/load/page/load-page.test.ts`,
  )
}
