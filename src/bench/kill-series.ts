import { seeded } from '#scenario/runner/random'
import { type RunningTarget, startTarget } from '#target/start'
import { inFolder } from '#testing/new-folder'
import { runBin } from './run-bin.ts'
import { servedBy, targetFile } from './target-file.ts'

/**
 * Runs that are killed (SIGKILL to the whole process group) at random moments; after each, `cleanup` closes what was left.
 *
 * @throws when a session stays open
 */
export async function killSeries(times: number, longest_ms = 16_000): Promise<string> {
  const random = seeded(1, 'kills')
  const target = await startTarget()
  const left: number[] = []
  try {
    return await inFolder(async (folder) => {
      const { file, env } = targetFile(folder, servedBy(target))
      for (let round = 1; round <= times; round += 1) {
        await killedAfter(random(longest_ms), ['check', '--target', file, '--seed', String(round)], env)
        left.push(target.openSessions())
        const cleaned = await runBin(['cleanup', '--target', file], { env })
        if (cleaned.code !== 0) throw new Error(`cleanup ended with ${cleaned.code}: ${cleaned.output.slice(-400)}`)
        await settle(target)
      }
      return `${times} kills left ${left.reduce((sum, count) => sum + count, 0)} sessions open, and cleanup closed them all`
    })
  } finally {
    await target.stop()
  }
}

async function killedAfter(
  ms: number,
  args: readonly string[],
  env: { readonly [name: string]: string },
): Promise<void> {
  await runBin(args, {
    env,
    started: ({ pid }) => {
      if (pid !== undefined) setTimeout(() => kill(pid), ms)
    },
  })
}

/** The whole group: the launcher, the command, and the child that drives. */
function kill(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It had ended by itself.
  }
}

/** Cleanup of a session is asynchronous (3.1): waits until none is open. */
async function settle(target: RunningTarget): Promise<void> {
  for (let tries = 0; target.openSessions() > 0; tries += 1) {
    if (tries > 100) throw new Error(`${target.openSessions()} sessions are still open after cleanup`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
