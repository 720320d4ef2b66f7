import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Tells one process from every other, also from a later one that got the same number. */
export interface ProcessMark {
  readonly pid: number
  /** When it started, in the system's own words; missing where the system does not say. */
  readonly start?: string
}

/** The mark of this process. */
export function ownMark(): ProcessMark {
  return mark(process.pid)
}

/** Whether exactly this process still runs. */
export function isAlive(process_: ProcessMark): boolean {
  if (!exists(process_.pid)) return false
  return process_.start === undefined || mark(process_.pid).start === process_.start
}

function mark(pid: number): ProcessMark {
  const start = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid)
  return start === undefined ? { pid } : { pid, start }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Clock ticks from boot to start, with the boot's id, since ticks begin anew with each boot. */
function startOnLinux(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the command in brackets, which may hold blanks; the start is the 22nd.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended and only waits for its parent to notice.
    return state === 'Z' || fields[18] === undefined ? undefined : `${boot}:${fields[18]}`
  } catch {
    return undefined
  }
}

function startByPs(pid: number): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 2_000 })
    return text.trim() || undefined
  } catch {
    return undefined
  }
}
