import { type Findings, some } from '../core/findings.ts'
import type { Tally } from '../core/tally.ts'

/** Refusals that say more about our key, our budget and our quota than about the target. */
const ours: readonly string[] = ['rate', 'concurrency', 'final']

/**
 * What is to be said of creates that were refused, with all retries. All have the same body but for their names: one that
 * is called wrong where others are taken is the target's matter; where all are, it may want another body.
 * @param unreached how many of them did not reach the target at all
 */
export function turnedAwayFindings(
  tally: Tally<'turned_away' | 'sessions'>,
  what: string,
  unreached = 0,
): Pick<Findings, 'trouble' | 'invalid'> {
  const [own, wrong] = [tally.total('turned_away', ours), tally.total('turned_away', ['request'])]
  const taken = (tally.counts('sessions').get('opened') ?? 0) > 0
  return {
    trouble: [
      ...some(taken ? wrong : 0, `${what} were refused as wrong requests, where others with the same body were not`),
      ...some(tally.total('turned_away') - own - wrong - unreached, `${what} were refused`),
    ],
    invalid: [
      ...some(own, `${what} were refused for our key, rate or quota${whatToLookAt(tally)}`),
      ...some(
        taken ? 0 : wrong,
        `${what} were refused as wrong requests, and none was taken: look at what the target says`,
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
