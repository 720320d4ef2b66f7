import { loadProfile } from '../profile/load-profile.ts'
import type { Shell } from '../shell.ts'
import { usage } from '../stop.ts'
import { askTarget } from './ask-target.ts'
import { seeCertificate } from './certificate.ts'
import { doctorText, type Finding } from './doctor-text.ts'
import { examined } from './examined.ts'
import { type KeysSeen, seeKeys } from './key-seen.ts'
import { type OneSessionSeen, seeOneSession } from './sessions.ts'
import { whatEachAdds } from './what-it-adds.ts'

export interface DoctorOptions {
  readonly target?: string
}

/** Requests that one session takes in the worst case. */
const forSession = 4

/**
 * Looks whether a profile fits its target, and says what it lacks.
 *
 * @returns 0 where nothing is wrong, 2 where the profile is, 3 where nobody answers or no session can be had
 * @throws Stop (2) for a profile that cannot be used at all
 */
export async function doctor({ target: given }: DoctorOptions, shell: Shell): Promise<number> {
  const { signal } = shell.interrupts()
  const target = given ?? (shell.env['GREENROOM_TARGET'] || undefined)
  if (target === undefined) throw usage('--target is missing; give a profile file or a URL, or set GREENROOM_TARGET')
  const { profile, unset } = loadProfile(target, shell.env)
  const certificate = await seeCertificate(profile)
  let keys: KeysSeen | undefined
  let session: OneSessionSeen | undefined
  const asked = await askTarget({
    profile,
    environment: shell.env,
    signal,
    ask: async (context, tools) => {
      keys = await seeKeys(context, tools, forSession)
      session = await seeOneSession(context, tools)
    },
  })
  if (signal.aborted) return 130
  const findings = examined({ profile, unset, certificate, asked, keys, session })
  const adds = asked.unreachable === undefined ? whatEachAdds(profile, ['primary', ...(keys?.keys.keys() ?? [])]) : []
  shell.out(doctorText(findings, adds, asked, shell.paint))
  return exitOf(findings)
}

function exitOf(findings: readonly Finding[]): number {
  const marks = new Set(findings.map(({ mark }) => mark))
  if (marks.has('unreachable')) return 3
  return marks.has('wrong') ? 2 : 0
}
