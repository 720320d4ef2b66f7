import { defaultTimeouts } from '#spec/profile'
import { duration } from '#page/numbers'
import { at, type Json } from '#trace/json'
import { clocksApart } from './moments.ts'
import type { Predicate } from './statement.ts'
import type { Verified } from './verify.ts'

/** What a genuine certificate does not prove, in sentences for whoever trusts it. */
export function unproven({ predicate, keyGiven, profile }: Verified): readonly string[] {
  const { target, signer, runs, issued_by } = predicate
  const away = target.abilities.declared_away
  const patience = patienceOf(profile)
  const apart = clocksApart(runs.flatMap(({ moments }) => moments))
  const clock =
    apart === undefined
      ? 'the target never told its time'
      : `the Date headers of the target were at most ${duration(apart)} away from it`
  return [
    keyGiven
      ? `Who holds the key ${signer.key_id}: that whoever gave it to you says.`
      : `Whose key ${signer.key_id} is: nobody vouched for it. Ask the vendor for the public key and give it with --key.`,
    `That ${target.base_url} is the vendor's, or was then what it is now.`,
    ...(issued_by === undefined ? [] : [`That it was issued by "${issued_by}": the signer says so.`]),
    ...(away.length === 0
      ? []
      : [`That it does not offer what it declares away (${away.join(', ')}): that was not judged.`]),
    ...(patience.length === 0
      ? []
      : [`That it keeps the times that are asked by default: its profile gives it more (${patience.join(', ')}).`]),
    `That the clock of the machine that ran it was right; ${clock}.`,
    ...issuedBefore(predicate),
    'That these were its only runs: others may have ended otherwise.',
    'That the runs took place as recorded: whoever holds the key could have written a trace, with its chain, without a target.',
  ]
}

/** How much longer than by default the profile waits: what comes late counts as missing only after that. */
function patienceOf(profile: Json): readonly string[] {
  return Object.entries(defaultTimeouts).flatMap(([name, usual]: [string, number]) => {
    const asked = at(profile, `/timeouts/${name}`)
    return typeof asked === 'number' && asked > usual ? [`${name} ${asked} instead of ${usual}`] : []
  })
}

/** When it was issued the signer says; that must not be before what it tells of was over. */
function issuedBefore({ issued, runs }: Predicate): readonly string[] {
  const over = Math.max(...runs.map(({ date, duration_ms }) => Date.parse(date) + duration_ms))
  return Date.parse(issued) >= over
    ? []
    : [`That it was issued at ${issued}: its runs were over at ${new Date(over).toISOString()} only.`]
}
