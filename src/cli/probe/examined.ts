import type { Ability, KeyName } from '#spec/profile'
import { offers } from '#spec/profile'
import { clockAhead, quickestAnswer, rateHeaders, sessionsOpen } from './answers-seen.ts'
import type { ControlSeen } from './control-seen.ts'
import type { Finding } from './doctor-text.ts'
import { publicVoices } from './operations.ts'
import type { Seen } from './seen.ts'
import type { Profile } from '#spec/profile'
import type { Asked } from './ask-target.ts'
import type { CertificateSeen } from './certificate.ts'
import type { KeysSeen } from './key-seen.ts'
import type { OneSessionSeen } from './sessions.ts'

/** All that the doctor saw. */
export interface Examination {
  readonly profile: Profile
  readonly unset: readonly string[]
  readonly certificate: CertificateSeen | undefined
  readonly asked: Asked
  readonly keys: KeysSeen | undefined
  readonly session: OneSessionSeen | undefined
}

/** What the doctor says of all that it saw. */
export function examined(seen: Examination): readonly Finding[] {
  if (seen.asked.unreachable !== undefined) return [...tls(seen), unreachable(seen.asked.unreachable)]
  return [
    address(seen),
    ...tls(seen),
    ...keys(seen),
    quota(seen),
    rate(seen),
    clock(seen),
    ...control(seen),
    ...abilities(seen),
    ...stopped(seen),
  ]
}

const finding = (mark: Finding['mark'], subject: string, text: string): Finding => ({ mark, subject, text })

function unreachable(reason: string): Finding {
  return finding('unreachable', 'address', reason)
}

function address({ profile, asked }: Examination): Finding {
  return finding('ok', 'address', `${profile.base_url} answers, at best within ${quickestAnswer(asked.entries)} ms`)
}

/** A certificate that ends so soon is worth a look, in days. */
const soon = 14

function tls({ certificate, profile }: Examination): readonly Finding[] {
  if (certificate === undefined) {
    const plain = profile.base_url.startsWith('http:')
    return plain ? [finding('look', 'TLS', 'plain HTTP, as allow_insecure_loopback says')] : []
  }
  const { subject, days, protocol } = certificate
  const text = `${protocol}, certificate of ${subject}, good for ${days} more ${days === 1 ? 'day' : 'days'}`
  return [finding(days < soon ? 'look' : 'ok', 'TLS', text)]
}

function keys({ profile, unset, keys: seen }: Examination): readonly Finding[] {
  const others = [...(seen?.keys ?? [])].map(([name, { accepted, why }]) =>
    accepted
      ? finding('ok', `keys.${name}`, why)
      : finding('wrong', `keys.${name}`, `${why}; put a valid key into ${profile.keys[name]}, or take the name out`),
  )
  const missing = unset.map((name) =>
    finding('look', `keys.${name}`, `${profile.keys[name as KeyName]} is not set; what needs this key stays undecided`),
  )
  return [finding('ok', 'keys.primary', 'accepted'), ...others, ...missing]
}

function quota({ profile, asked, session }: Examination): Finding {
  const open = sessionsOpen(asked.entries)
  const cap = profile.limits?.primary?.concurrent_sessions
  const used = `sessions open in the workspace of the primary key: ${open ?? 'unknown'}`
  const places =
    cap === undefined ? '; the profile names no cap (limits.primary.concurrent_sessions)' : ` of at most ${cap}`
  if (session?.refused !== undefined)
    return finding(
      'unreachable',
      'sessions',
      `no session can be created: the create was ${session.refused}; ${used}${places}`,
    )
  return finding(cap !== undefined && open !== undefined && open >= cap ? 'look' : 'ok', 'sessions', `${used}${places}`)
}

function rate({ profile, asked }: Examination): Finding {
  const declared = profile.limits?.primary?.requests_per_minute
  const own =
    declared === undefined ? '60 requests a minute (the default)' : `${declared} requests a minute (the profile)`
  const told = rateHeaders(asked.entries)
  return finding('ok', 'rate', told.length === 0 ? own : `${own}; the target sent ${told.join(', ')}`)
}

/** Beyond this, timestamps and waivers are hard to read, in seconds. */
const farOff = 30

function clock({ asked }: Examination): Finding {
  const ahead = clockAhead(asked.entries)
  if (ahead === undefined) return finding('ok', 'clock', 'the target sends no Date')
  const off = `${Math.abs(ahead)} s ${ahead < 0 ? 'behind' : 'ahead of'} ours`
  return finding(Math.abs(ahead) > farOff ? 'look' : 'ok', 'clock', Math.abs(ahead) <= 1 ? 'as ours' : off)
}

function control({ session }: Examination): readonly Finding[] {
  const seen: ControlSeen | undefined = session?.control
  if (seen === undefined) return []
  const host = seen.host ?? 'control.url'
  if (seen.opened) return [finding('ok', 'control host', `${host}, its channel opened`)]
  return [finding('wrong', 'control host', `${host}: ${seen.why}`)]
}

/** Only where the profile says otherwise than what was seen. */
function abilities({ profile, keys: seen, session }: Examination): readonly Finding[] {
  const shown = new Map<Ability, Seen>(seen?.abilities ?? [])
  const voices = seen?.abilities.get('voices')
  if (voices !== undefined) shown.set('public_voices', publicVoices(voices))
  for (const [name, one] of Object.entries(session?.video ?? {})) shown.set(name as Ability, one)
  return [...shown].map(([name, { offered, why }]) => {
    const declared = offers(profile, name)
    if (offered === undefined)
      return finding('ok', `abilities.${name}`, `declared as ${saying(declared)}, not known: ${why}`)
    if (offered === declared) return finding('ok', `abilities.${name}`, `${saying(declared)}: ${why}`)
    const text = offered
      ? `declared away, and yet it seems to be offered: ${why}; say true to have it judged`
      : `declared as offered, and it seems not to be: ${why}; say false where it is not meant to be`
    return finding('look', `abilities.${name}`, text)
  })
}

const saying = (offered: boolean): string => (offered ? 'offered' : 'not offered')

function stopped({ asked }: Examination): readonly Finding[] {
  return asked.stopped === undefined ? [] : [finding('look', 'stopped', `not all was asked: ${asked.stopped}`)]
}
