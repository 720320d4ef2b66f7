/** No service fails less often by accident than this, as far as a run can tell; a share of all that it was asked. */
export const leastRate = 0.003

/** How likely it may be at most that what is held against a service came by accident each time. */
const mostLikely = 1e-5

/**
 * Whether something came so often, and nothing else, that it is no accident any more.
 *
 * @param times how often it came, each time by itself
 * @param rate how often it comes by accident in this run, as a share
 */
export function isNoAccident(times: number, rate: number): boolean {
  return Math.max(rate, leastRate) ** times <= mostLikely
}
