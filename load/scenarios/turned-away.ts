import { calledWrongBesides } from '../core/fared.ts'
import { type Findings, lostFor, manyOf, some } from '../core/findings.ts'
import type { Tally } from '../core/tally.ts'

/** Refusals that say more about our key, our budget and our quota than about the target. */
const ours: readonly string[] = ['rate', 'concurrency', 'final']

/**
 * What is to be said of creates that were refused, with all retries. That the platform is short of capacity at times is no fault
 * (30008); and of what a user had no retries left for nobody knows whether it would have been served. All have the same body but
 * for their names: one that is called wrong where others of its workspace are taken is the target's matter; where all are, it
 * may want another body.
 * @param unreached how many of them did not reach the target at all
 */
export function turnedAwayFindings(
  tally: Tally<'turned_away' | 'sessions' | 'fared'>,
  what: string,
  unreached = 0,
): Pick<Findings, 'trouble' | 'invalid'> {
  const [own, wrong] = [tally.total('turned_away', ours), tally.total('turned_away', ['request'])]
  const besides = calledWrongBesides(tally)
  const opened = tally.counts('sessions').get('opened') ?? 0
  const taken = opened > 0
  const all = opened + tally.total('turned_away')
  const [short, spent] = [tally.total('turned_away', ['capacity']), tally.total('turned_away', ['out-of-budget'])]
  const unserved = tally.total('turned_away') - own - wrong - short - spent - unreached
  // Where others were refused with all their retries, more of these would not have helped.
  const spentInVain = taken && unserved === 0 ? spent : 0
  return {
    trouble: [
      ...some(besides, `${what} were refused as wrong requests, where others with the same body were not`),
      ...manyOf(short, all, `${what} were refused for want of capacity`),
      ...some(unserved + spent - spentInVain, `${what} were refused`),
    ],
    invalid: [
      ...lostFor(
        spentInVain,
        all,
        `${what} were not asked for again, since their users had spent their retries (five, and one more with every fifth iteration)`,
      ),
      ...some(own, `${what} were refused for our key, rate or quota${whatToLookAt(tally)}`),
      ...some(
        wrong - besides,
        `${what} were refused as wrong requests, and none was taken in their workspace: look at what the target says`,
      ),
    ],
  }
}

/** A profile that promises more than the keys have is what mostly brings such refusals. */
function whatToLookAt(tally: Tally<'turned_away' | 'sessions'>): string {
  const has = (kind: string): boolean => tally.total('turned_away', [kind]) > 0
  const fields = [
    ...(has('rate') ? ['requests_per_minute'] : []),
    ...(has('concurrency') ? ['concurrent_sessions'] : []),
  ]
  return fields.length === 0 ? '' : ` (does "limits" of the profile say too much under ${fields.join(' and ')}?)`
}
