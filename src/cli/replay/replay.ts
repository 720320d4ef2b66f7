import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { isLoopback } from '#client/base-address'
import { UnsafeTarget } from '#client/errors'
import type { Outcome } from '#judge/sent-again'
import type { Replay } from '#replay/replay-file'
import type { Sent } from '#replay/send/send-again'
import { sendAgain } from '#replay/send/send-again'
import { loadRules } from '#scenario/plan/load-rules'
import { printable } from '#text/printable'
import type { Entry } from '#trace/entry'
import { newJournal } from '../check/journal-place.ts'
import { findSubject } from '../check/subject.ts'
import { uploadsFolder } from '../check/out-folder.ts'
import type { Shell } from '../shell.ts'
import { writeNamed } from '../named-files.ts'
import { usage } from '../stop.ts'
import { readReplay } from './read-replay.ts'

export interface ReplayOptions {
  readonly target?: string
  readonly times: number
  readonly maxRequests?: number
  readonly trace?: string
  readonly defect: readonly string[]
  readonly variation: readonly string[]
}

/**
 * Sends a failure again and says what came of it.
 *
 * @returns the exit code: 1 where it was seen again, 0 where it was not, 3 where nothing could be judged
 * @throws Stop
 */
export async function replay(file: string, options: ReplayOptions, shell: Shell): Promise<number> {
  const { signal } = shell.interrupts()
  const wanted = readReplay(file)
  checkNamed(wanted, options, shell)
  const subject = await findSubject(options, shell)
  const rules = await loadRules()
  const uploads = join(dirname(file), uploadsFolder)
  const { profile, environment } = subject
  // What is left at a service elsewhere has to be found by `cleanup`, also where this process is killed.
  const kept = subject.embedded ? {} : { newJournal: () => newJournal(shell.env, undefined, `replay-${randomUUID()}`) }
  const limit = options.maxRequests === undefined ? {} : { max_requests: options.maxRequests }
  const tell = (what: string): void => shell.err(`greenroom: ${what}\n`)
  const outcomes: Outcome[] = []
  shell.out(`${printable(wanted.requirement)}: ${printable(wanted.text, 1_000)}\n`)
  try {
    for (let time = 1; time <= options.times && !signal.aborted; time += 1) {
      const sent = await sendAgain(wanted, { profile, environment, signal, rules, uploads, tell, ...kept, ...limit })
      if (options.trace !== undefined) writeTrace(options.trace, sent)
      shell.err(leftOpen(sent))
      if (signal.aborted) break
      outcomes.push(sent.outcome)
      shell.out(`${told(sent, options.times === 1 ? '' : `${time} of ${options.times}: `)}\n`)
    }
  } catch (error) {
    if (error instanceof UnsafeTarget) throw usage(error.message)
    throw error
  } finally {
    await subject.stop()
  }
  if (signal.aborted) return 130
  const { sentence, exit } = concluded(outcomes)
  const hint = exit === 0 && subject.embedded && subject.named.length === 0 ? ` ${correctOne}` : ''
  shell.out(`${sentence}${hint} (exit code ${exit})\n`)
  return exit
}

/** What could not be ended, a line each. */
function leftOpen({ traces }: Sent): string {
  const leaks = traces.flatMap(({ entries }) => entries).flatMap((one) => (one.kind === 'cleanup' ? one.leaked : []))
  const lines = leaks.map(
    ({ resource, id, reason }) => `greenroom: left open: ${resource} ${printable(id)}: ${printable(reason)}\n`,
  )
  return lines.length === 0 ? '' : `${lines.join('')}greenroom: "npx greenroom cleanup" ends what can be ended\n`
}

/** What failed at a service elsewhere is never looked for at the embedded target, which would call it mended. */
function checkNamed({ base_url }: Replay, { target }: ReplayOptions, { env }: Shell): void {
  const here = !URL.canParse(base_url) || isLoopback(new URL(base_url).hostname)
  if (here || target !== undefined || (env['GREENROOM_TARGET'] ?? '') !== '') return
  throw usage(`the failure was seen at ${printable(base_url)}; name that service with --target <profile or URL>`)
}

/** Said where nobody named a target or a mistake: the failure was hardly one of the embedded target as it is. */
const correctOne =
  'This was the embedded target without a mistake: name the service with --target, or what the check was given with --defect or --variation.'

function told({ outcome, length, traces }: Sent, time: string): string {
  const requests = traces.flatMap(({ entries }) => entries).filter((entry: Entry) => entry.kind === 'request').length
  const sent = `${requests} ${requests === 1 ? 'request' : 'requests'} sent`
  const whole = length === 'whole' ? ', with all that its scenario had done before' : ''
  if (outcome.is === 'undecided') return `${time}Not judged: ${printable(outcome.reason)} (${sent}${whole})`
  if (outcome.is === 'not-reproduced') return `${time}Not seen again (${sent}${whole})`
  return [
    `${time}Seen again (${sent}${whole})`,
    `  expected  ${printable(outcome.expected)}`,
    `  got       ${printable(outcome.got)}`,
  ].join('\n')
}

function concluded(outcomes: readonly Outcome[]): { readonly sentence: string; readonly exit: 0 | 1 | 3 } {
  const judged = outcomes.filter(({ is }) => is !== 'undecided')
  const again = judged.filter(({ is }) => is === 'reproduced').length
  const open = outcomes.length - judged.length
  const unjudged = open === 0 ? '' : `; ${open} could not be judged`
  if (judged.length === 0) return { exit: 3, sentence: 'Could not be judged.' }
  if (again === 0) return { exit: 0, sentence: `Not reproduced${unjudged}.` }
  if (again === judged.length) return { exit: 1, sentence: `Reproduced${unjudged}.` }
  return { exit: 1, sentence: `Intermittent: seen ${again} of ${judged.length} times${unjudged}.` }
}

/** A longer sequence is sent only where the short one did not show it: the last trace is that of the outcome. */
function writeTrace(file: string, { traces }: Sent): void {
  const lines = traces.at(-1)?.entries.map((entry) => `${JSON.stringify(entry)}\n`) ?? []
  writeNamed(file, lines.join(''), `--trace ${file}`, 4)
}
