import { resolve } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { packageRoot } from '#spec/package-root'

/**
 * What takes longest, the longest first. Whatever else is still to be done fits beside it; begun last, it would run alone.
 * On a fresh clone vitest goes by the size of a file, which says little of that.
 */
export const longest: readonly string[] = [
  'src/testing/judged-hostile.test.ts',
  'src/package.test.ts',
  'load/scenarios/rate-limit.test.ts',
  'src/load/page/load-page.test.ts',
  'src/testing/recording/stripped-run.test.ts',
  'src/testing/judged-abilities.test.ts',
  'src/testing/judged-full-server.test.ts',
  'load/scenarios/concurrency-limit.test.ts',
  'src/report/page/report-page.test.ts',
  'src/cli/check/canaries.test.ts',
  'src/cli/check/check.test.ts',
  'src/cli/load/load.test.ts',
  'src/cli/load/several-runs.test.ts',
  'load/scenarios/create-storm.test.ts',
  'src/target/variations/variations.test.ts',
  'src/cli/check/again-lines.test.ts',
  'src/target/variations/characters.test.ts',
  'load/scenarios/resources.test.ts',
  'src/testing/judged-minimal-server.test.ts',
  'src/judge/windows/windowed-judge.test.ts',
  'src/testing/judged-undeclared.test.ts',
  'load/scenarios/interrupt-storm.test.ts',
  'load/scenarios/control-throughput.test.ts',
  'src/cli/prove/worker-pool.test.ts',
  'src/cli/replay/replay.test.ts',
]

/** The same, the longest before all others. */
export function longestFirst<Of extends { readonly moduleId: string }>(all: readonly Of[]): Of[] {
  const places = new Map(longest.map((path, place) => [resolve(packageRoot(), path), place]))
  const placeOf = ({ moduleId }: Of): number => places.get(resolve(moduleId)) ?? longest.length
  return all.toSorted((one, other) => placeOf(one) - placeOf(other))
}

export class LongestFirst extends BaseSequencer {
  override async sort(all: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it sorts no array: it is what this class adds to
    return longestFirst(await super.sort(all))
  }
}
