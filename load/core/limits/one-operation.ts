import { broken, type Ruling } from './laws.ts'
import { bySending, isCarriedOut, isRefused, possiblyBefore, type RateRequest, type RateTerms } from './rate-log.ts'

/** So many times, with other requests carried out between each two, is no chance: somebody else's use of the key stops any. */
const TIMES = 6

/** Of one that is never carried out, so many refusals, with others carried out between the first and the last of them. */
const NEVER = 20

/**
 * "All REST calls" (section 8) share one limit. A single operation that is refused with 10008 again and again, while the limit
 * is not reached and nothing else is ever refused, is stopped by something else.
 */
export function judgeOneOperation(requests: readonly RateRequest[], terms: RateTerms): Ruling[] {
  const log = bySending(requests)
  const refused = log.filter(isRefused)
  const [operation, ...more] = new Set(refused.map((one) => one.operation))
  if (more.length > 0 || !refused.every((one) => possiblyBefore(log, one, terms).length < terms.limit)) return []
  let [times, isRow] = [0, false]
  for (const one of log) {
    if (isRefused(one) && !isRow) times += 1
    if (isRefused(one)) isRow = true
    else if (isCarriedOut(one) && one.operation !== operation) isRow = false
  }
  const isNever =
    times > 1 && refused.length >= NEVER && !log.some((one) => one.operation === operation && isCarriedOut(one))
  if (times < TIMES && !isNever) return []
  return [broken('rate-refused-early', `${operation} refused ${times} times, and nothing else between`)]
}
