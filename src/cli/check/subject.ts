import type { Profile } from '#spec/profile'
import { loadProfile } from '../profile/load-profile.ts'
import type { Shell } from '../shell.ts'
import { usage } from '../stop.ts'

type Environment = Shell['env']

/** What is checked: a target out there, or the embedded one. */
export interface Subject {
  readonly profile: Profile
  /** Holds the values that the profile names; handed to the run and its child, to nobody else. */
  readonly environment: Environment
  /** Where journals go, unless told: what the embedded target holds ends with this process. */
  readonly state: Environment
  /** Sentences about what is missing, said at the start of a run and once more at its end. */
  readonly warnings: readonly string[]
  readonly embedded: boolean
  /** Options that name it once more, in lines to copy; none where the environment names it. */
  readonly named: readonly string[]
  readonly stop: () => Promise<void>
}

/** How a target is named on the command line, and how the embedded one is changed. */
export interface SubjectOptions {
  readonly target?: string
  readonly seed?: number
  readonly defect: readonly string[]
  readonly variation: readonly string[]
  readonly requestsPerMinute?: number
  /** Whether the embedded target speaks TLS; default true. */
  readonly tls?: boolean
}

/** @throws Stop (2) for a target or embedded target that cannot be used as asked */
export async function findSubject(options: SubjectOptions, shell: Shell): Promise<Subject> {
  const fromEnvironment = shell.env['GREENROOM_TARGET'] || undefined
  const target = options.target ?? fromEnvironment
  if (target === undefined) return embeddedSubject(options, shell)
  const option = embeddedOption(options)
  if (option !== undefined) {
    const named = options.target === undefined ? 'GREENROOM_TARGET' : '--target'
    throw usage(`${option} changes the embedded target only, but ${named} names another; leave one of them out`)
  }
  const { profile, unset } = loadProfile(target, shell.env)
  const warnings = unset.map(
    (name) => `${profile.keys[name]} (keys.${name}) is not set; what needs this key stays undecided`,
  )
  warn(warnings, shell)
  return {
    profile,
    environment: shell.env,
    state: shell.env,
    warnings,
    embedded: false,
    named: options.target === undefined ? [] : ['--target', options.target],
    stop: async () => {},
  }
}

/** Says what is missing, a line each. */
export function warn(warnings: readonly string[], shell: Shell): void {
  for (const warning of warnings) shell.err(`greenroom: warning: ${warning}\n`)
}

function embeddedOption(options: SubjectOptions): string | undefined {
  if (options.defect.length > 0) return '--defect'
  if (options.variation.length > 0) return '--variation'
  return options.requestsPerMinute === undefined ? undefined : '--requests-per-minute'
}

async function embeddedSubject(options: SubjectOptions, shell: Shell): Promise<Subject> {
  const { startEmbedded } = await import('../embedded.ts')
  const { profile, environment, folder, stop } = await startEmbedded({
    ...options,
    seed: options.seed ?? 1,
    tls: options.tls ?? true,
    // To fill the workspace takes as many requests as it has places, and as many again to empty it.
    concurrentSessions: 20,
  })
  return {
    profile,
    environment: { ...shell.env, ...environment },
    state: { XDG_STATE_HOME: folder },
    warnings: [],
    embedded: true,
    named: [
      ...options.defect.flatMap((id) => ['--defect', id]),
      ...options.variation.flatMap((id) => ['--variation', id]),
    ],
    stop,
  }
}
