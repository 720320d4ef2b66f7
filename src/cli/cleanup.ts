import { existsSync } from 'node:fs'
import { UnsafeTarget } from '#client/errors'
import type { Profile } from '#spec/profile'
import { printable } from '#text/printable'
import type { JournalState } from '#scenario/journal/journal-state'
import { cleanUpAfter } from '#scenario/cleanup/run-cleanup'
import { openRun } from '#scenario/run/run-open'
import { planRun } from '#scenario/plan/run-plan'
import type { Swept } from '#scenario/cleanup/sweep'
import { memoryTrace } from '#trace/writer'
import { journalsOfTheDead } from './check/journal-place.ts'
import { authorityFaults } from './profile/authority.ts'
import { loadProfile } from './profile/load-profile.ts'
import type { Shell } from './shell.ts'
import { fileTrouble } from './stop.ts'

export interface CleanupOptions {
  readonly target?: string
  readonly journal?: string
}

/** How long one journal may take. */
const deadlineMs = 60_000

/**
 * Ends what dead runs left open, and nothing else.
 *
 * @returns 0 when nothing is left, 3 when something could not be ended
 */
export async function cleanup(options: CleanupOptions, shell: Shell): Promise<number> {
  const { signal } = shell.interrupts()
  const target = options.target ?? (shell.env['GREENROOM_TARGET'] || undefined)
  const known = target === undefined ? undefined : loadProfile(target, shell.env).profile
  const dead = journalsOfTheDead(shell.env, options.journal, known?.base_url)
  const { journal: named } = options
  // A run that ends by itself takes its journal away; a mistyped name looks the same.
  if (named !== undefined && !existsSync(named)) shell.out(`There is no journal ${named}.\n`)
  if (dead.length === 0) shell.out('Nothing is left open by earlier runs.\n')
  let exit = 0
  for (const journal of dead) {
    if (signal.aborted) return 130
    if (!(await cleanOne(journal, known, shell, signal))) exit = 3
  }
  return signal.aborted ? 130 : exit
}

async function cleanOne(
  journal: JournalState,
  known: Profile | undefined,
  shell: Shell,
  signal: AbortSignal,
): Promise<boolean> {
  const place = `run ${printable(journal.begin.run)} at ${printable(journal.begin.base_url)}`
  const [fault] = known === undefined ? authorityFaults(profileOf(journal)) : []
  if (fault !== undefined) {
    const hint = `put it back, or delete the journal ${journal.file} if nothing of that run can be left`
    shell.out(`${place}: nothing could be closed (${printable(fault)}); ${printable(hint)}\n`)
    return false
  }
  try {
    const { closed, leaked, again } = await sweepOne(journal, known ?? profileOf(journal), shell, signal)
    shell.out(`${place}: ${sentence({ closed, leaked })}\n`)
    return !again && leaked.length === 0
  } catch (error) {
    const reason = error instanceof UnsafeTarget ? error.message : fileTrouble(error)
    shell.out(`${place}: nothing could be closed (${printable(reason)})\n`)
    return false
  }
}

/** What the journal itself says of the target is enough. */
function profileOf({ begin }: JournalState): Profile {
  const { run: _, ...profile } = begin
  return profile
}

async function sweepOne(journal: JournalState, profile: Profile, shell: Shell, signal: AbortSignal): Promise<Swept> {
  const plan = planRun({ profile, tier: 'smoke', only: [], selected: [] })
  const write = memoryTrace.bind(undefined, plan.epoch)
  const open = openRun({ plan, environment: shell.env, signal, write })
  try {
    return await cleanUpAfter([journal], open, deadlineMs)
  } finally {
    await open.close()
  }
}

function sentence({ closed, leaked }: Pick<Swept, 'closed' | 'leaked'>): string {
  const reasons = [...new Set(leaked.map(({ reason }) => printable(reason)))]
  const done = closed.length === 0 ? 'nothing was left to close' : `closed ${closed.length}`
  if (leaked.length === 0) return done
  return `closed ${closed.length}, ${leaked.length} left open (${reasons.join('; ')})`
}
