import { counted } from '#page/parts'
import { peakOf, secondsOf } from '../../../load/core/arrivals.ts'
import { scenarios } from '../../../load/scenarios/scenarios.ts'
import { workloads } from '../../../load/workloads.ts'
import type { Shell } from '../shell.ts'

/** Lists what there is to choose from. */
export function listLoad({ json }: { readonly json: boolean }, shell: Shell): number {
  const all = [...scenarios.values()].map(({ name, about, alone, exceeds, lasts }) => ({
    name,
    about,
    exceeds,
    alone,
    lasts,
  }))
  const shapes = Object.entries(workloads).map(([name, workload]) => ({
    name,
    seconds: secondsOf(workload),
    users: workload.users,
    most_per_s: peakOf(workload),
  }))
  if (json) shell.out(`${JSON.stringify({ scenarios: all, workloads: shapes }, undefined, 2)}\n`)
  else shell.out(tables(all, shapes))
  return 0
}

function tables(
  all: readonly { readonly name: string; readonly about: string; readonly lasts: string | undefined }[],
  shapes: readonly {
    readonly name: string
    readonly seconds: number
    readonly users: number
    readonly most_per_s: number
  }[],
): string {
  const width = Math.max(...all.map(({ name }) => name.length), 'mix'.length) + 2
  return [
    'Scenarios (npx greenroom load explain <scenario> tells more):',
    ...all.flatMap(({ name, about, lasts }) => [
      `  ${name.padEnd(width)}${about}`,
      ...(lasts === undefined ? [] : [`  ${''.padEnd(width)}${lasts}`]),
    ]),
    `  ${'mix'.padEnd(width)}Several of them in one run, by weight (--weight ${all[0]?.name ?? 'name'}=3).`,
    '',
    'Workloads, before the limits of the keys (--workload); a run lasts as long and until its last iterations have ended:',
    ...shapes.map(
      ({ name, seconds, users, most_per_s }) =>
        `  ${name.padEnd(width)}${seconds} s, up to ${counted(most_per_s, 'iteration')} a second, at most ${counted(users, 'user')}`,
    ),
    '',
  ].join('\n')
}
