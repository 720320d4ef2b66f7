import type { Results } from '#judge/results'
import { startTarget } from '#target/start'
import { inFolder } from '#testing/new-folder'
import { type Ran, runBin } from './run-bin.ts'
import { servedBy, targetFile } from './target-file.ts'

/**
 * Standard runs one after the other, each with another seed.
 *
 * @throws when a verdict differs from run to run, or a run is not conformant
 */
export async function sameVerdicts(times: number, options: readonly string[]): Promise<string> {
  const runs: Ran[] = []
  for (let round = 1; round <= times; round += 1) {
    runs.push(await runBin(['check', '--seed', String(round), ...options]))
  }
  compare(runs)
  return `${times} runs, no verdict differs`
}

/** Two runs at once in the same workspaces, again and again; nothing may be left open. */
export async function twoAtOnce(times: number): Promise<string> {
  const target = await startTarget({ concurrentSessions: 100, cap: 100 })
  try {
    return await inFolder(async (folder) => {
      const { file, env } = targetFile(folder, servedBy(target))
      const args = ['check', '--target', file]
      const runs: Ran[] = []
      for (let round = 1; round <= times; round += 1) {
        runs.push(...(await Promise.all([1, 2].map((one) => runBin([...args, '--seed', `${round}${one}`], { env })))))
      }
      compare(runs)
      if (target.openSessions() > 0) throw new Error(`${target.openSessions()} sessions left open`)
      return `${times} pairs of runs, no verdict differs, nothing left open`
    })
  } finally {
    await target.stop()
  }
}

/** @throws when runs differ in a verdict */
function compare(runs: readonly Ran[]): void {
  const [first, ...others] = runs.map((run) => verdictsOf(run))
  for (const other of others) {
    const differing = [...(first ?? [])].filter(([id, verdict]) => other.get(id) !== verdict)
    if (differing.length > 0) {
      const shown = differing.slice(0, 5).map(([id, verdict]) => `${id}: ${verdict}, then ${other.get(id)}`)
      throw new Error(`${differing.length} verdicts differ: ${shown.join('; ')}`)
    }
  }
}

function verdictsOf({ code, results, output }: Ran): Map<string, string> {
  if (code !== 0 || results === undefined) throw new Error(`a run ended with ${code}: ${output.slice(-600)}`)
  return new Map(results.requirements.map((row: Results['requirements'][number]) => [row.id, row.verdict]))
}
