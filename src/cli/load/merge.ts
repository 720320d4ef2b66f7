import { parsed } from '#trace/json'
import { messageOf } from '#trace/message-of'
import type { LoadPart } from '../../../load/core/summary.ts'
import type { Workload, WorkloadName } from '../../../load/workloads.ts'
import { lineSplitter, readK6Line } from '#load/k6/lines'
import { UNTOLD } from '#load/results/kind'
import { Samples } from '#load/results/samples'
import { SharedIds } from '#load/results/shared-ids'
import { Timeline } from '#load/results/timeline'
import { isPart, mergeParts } from '#load/results/whole-part'
import { planRun } from '#scenario/plan/run-plan'
import type { Profile } from '#spec/profile'
import type { MergeOptions } from './options.ts'
import { loadProfileAlone } from '../profile/load-profile.ts'
import type { Shell } from '../shell.ts'
import { readNamedText } from '../named-files.ts'
import { usage } from '../stop.ts'
import { finishLoad } from './finish-load.ts'
import { openLoadFolder } from './load-folder.ts'
import { writeLoad } from './load.ts'
import { scenarioOf } from './plan-load.ts'

/** What the files of a run hold together. */
interface Gathered {
  readonly parts: LoadPart[]
  readonly timeline: Timeline
  readonly samples: Samples
  readonly ids: SharedIds
  /** The first moment that a file tells, in milliseconds since 1970. */
  first: number | undefined
}

/** Of a run whose profile nobody gave. */
const nobodys: Profile = { base_url: UNTOLD, keys: { primary: 'GREENROOM_API_KEY' } }

/**
 * Joins what the k6 processes of one run left on any number of machines: part files, or logs of the runners, which hold
 * the same and more.
 *
 * @returns the exit code of the run as a whole
 * @throws Stop (2) for files that don't belong together
 */
export async function mergeLoad(files: readonly string[], options: MergeOptions, shell: Shell): Promise<number> {
  const gathered: Gathered = {
    parts: [],
    timeline: new Timeline(),
    samples: new Samples(),
    ids: new SharedIds(),
    first: undefined,
  }
  for (const file of files) gather(file, gathered)
  const part = wholeOf(gathered.parts, files)
  const profile = options.target === undefined ? nobodys : loadProfileAlone(options.target)
  const started = part.started_ms ?? gathered.first ?? 0
  const scenarios = Object.keys(part.tallies).map(scenarioOf)
  const planned = planRun({ profile, tier: 'standard', only: [], selected: [] })
  const out = openLoadFolder(options.out)
  try {
    const finished = await finishLoad(
      {
        run: { ...planned, run: part.run, epoch: started },
        scenarios,
        weights: part.scenario === 'mix' ? Object.fromEntries(scenarios.map(({ name }) => [name, 1])) : undefined,
        workloadName: part.workload as WorkloadName,
        workload: part.scale as Workload,
        keys: part.keys,
        profile,
        environment: shell.env,
        k6: 'unknown',
      },
      { ...gathered, part, started, ...untold },
    )
    return writeLoad(finished, out, shell)
  } finally {
    out.release()
  }
}

/** What only the process tells that ran k6. */
const untold = {
  swept: { closed: [], leaked: [], undeletable: [] },
  interrupted: false,
  unreachable: undefined,
  died: undefined,
  broke: undefined,
  ours: [],
}

function wholeOf(parts: readonly LoadPart[], files: readonly string[]): LoadPart {
  if (parts.length === 0) throw usage(`${files.join(', ')}: no part of a load run is in there`)
  try {
    return mergeParts(parts)
  } catch (error) {
    throw usage(`the files don't belong together: ${messageOf(error)}`)
  }
}

function gather(file: string, gathered: Gathered): void {
  const text = readNamedText(file)
  const alone = parsed(text)
  if (isPart(alone)) {
    gathered.parts.push(alone)
    return
  }
  const before = gathered.parts.length
  readLog(text, gathered)
  if (gathered.parts.length === before)
    throw usage(
      `${file} holds no part of a load run; give what a runner of "load k8s" logged (k6 with GREENROOM_SUMMARY=stdout), or the part files`,
    )
}

/** A log of a runner: all lines of ours that stand in it. */
function readLog(text: string, gathered: Gathered): void {
  const splitter = lineSplitter((line) => {
    const said = readK6Line(line)
    if (said !== undefined) gathered.ids.take(said)
    if (said?.kind === 'window') {
      gathered.timeline.add(said)
      gathered.first = Math.min(gathered.first ?? Infinity, said.at * 1_000)
    } else if (said?.kind === 'sample') gathered.samples.add(said)
    else if (said?.kind === 'part' && isPart(said.part)) gathered.parts.push(said.part)
  })
  splitter.add(text)
  splitter.end()
}
