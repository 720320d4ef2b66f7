import { execFile } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { packageRoot } from '#spec/package-root'
import { inFolder } from '#testing/new-folder'
import { sideBySide } from '#testing/side-by-side'
import type { Rig } from '../rig.ts'

const [runs, atATime] = [20, 4]
/** A tenth of a core: so long it runs, and so long it stands still. */
const [runsMs, stopsMs] = [10, 90]

/** One that measures times, and those that may be later because they judge none. */
const scenarios = ['control-throughput', 'world-sessions'] as const

/** A generator that gets a tenth of its time must not say anything of the target. */
export async function throttled({ k6 }: Rig): Promise<void> {
  for (const scenario of scenarios) {
    const verdicts = await sideBySide(Array.from({ length: runs }), atATime, () => oneRun(k6, scenario))
    const invalid = verdicts.filter((verdict) => verdict === 'invalid').length
    const found = `invalid in ${invalid} of ${runs} (goal ${runs}): ${verdicts.join(', ')}`
    console.log(`${scenario}, generator throttled to a tenth: ${found}`)
  }
}

async function oneRun(k6: string, scenario: string): Promise<string> {
  return inFolder(async (folder) => {
    const pid = join(folder, 'pid')
    const wrapper = join(folder, 'k6')
    writeFileSync(wrapper, `#!/bin/sh\n[ "$1" = run ] && echo $$ > '${pid}'\nexec '${k6}' "$@"\n`)
    chmodSync(wrapper, 0o755)
    const args = ['load', scenario, '--workload', 'smoke', '--out', folder]
    const ended = new AbortController()
    const env = { ...process.env, K6_BIN: wrapper }
    const run = new Promise<void>((resolve) => {
      execFile(process.execPath, [join(packageRoot(), 'src/bin.js'), ...args], { env }, () => resolve())
    })
    void run.then(() => ended.abort())
    await throttle(pid, ended.signal)
    await run
    return (JSON.parse(readFileSync(join(folder, 'load.json'), 'utf8')) as { verdict: string }).verdict
  })
}

/** Stops and continues the process whose number stands in a file, until it is gone. */
async function throttle(file: string, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    if (existsSync(file)) {
      const pid = Number(readFileSync(file, 'utf8'))
      if (pid > 0 && !signalled(pid, 'SIGSTOP')) return
      await wait(stopsMs)
      if (pid > 0) signalled(pid, 'SIGCONT')
    }
    await wait(runsMs)
  }
}

function signalled(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
