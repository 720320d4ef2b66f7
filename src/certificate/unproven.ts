import { clocksApart } from './moments.ts'
import type { Verified } from './verify.ts'

/** What a genuine certificate does not prove, in sentences for whoever trusts it. */
export function unproven({ predicate, keyGiven }: Verified): readonly string[] {
  const { target, signer, runs, issued_by } = predicate
  const apart = clocksApart(runs.flatMap(({ moments }) => moments))
  const clock =
    apart === undefined
      ? 'the target never told its time'
      : `the Date headers of the target were at most ${apart} s away from it`
  return [
    keyGiven
      ? `Who holds the key ${signer.key_id}: that whoever gave it to you says.`
      : `Whose key ${signer.key_id} is: nobody vouched for it. Ask the vendor for the public key and give it with --key.`,
    `That ${target.base_url} is the vendor's, or was then what it is now.`,
    ...(issued_by === undefined ? [] : [`That it was issued by "${issued_by}": the signer says so.`]),
    `That the clock of the machine that ran it was right; ${clock}.`,
    'That the runs took place as recorded: whoever holds the key could have written a trace, with its chain, without a target.',
  ]
}
