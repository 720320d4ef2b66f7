import { Command, InvalidArgumentError } from 'commander'
import { integer, repeated } from '../numbers.ts'
import type { Finish } from '../program.ts'
import type { Shell } from '../shell.ts'

/** Where load goes, and with which seed. */
export interface LoadTargetOptions {
  readonly target?: string
  readonly seed?: number
  readonly journal?: string
  readonly defect: readonly string[]
  readonly variation: readonly string[]
  readonly requestsPerMinute?: number
}

export interface LoadOptions extends LoadTargetOptions {
  readonly workload: string
  readonly processes: number
  readonly rate?: number
  readonly seconds?: number
  /** Of a mix: `name=3`. */
  readonly weight: readonly string[]
  readonly sample?: number
  readonly k6Out: readonly string[]
  readonly out: string
}

/** `greenroom load` and what belongs to it. */
export function loadCommand(shell: Shell, finish: Finish): Command {
  const load = shaped(onTarget(new Command('load')), 'reports/load')
    .description('put a service under load with k6 and judge it; without --target, the embedded reference target')
    .argument('<scenario>', 'what each virtual user does, see "load list"; "mix" for several by weight')
    // What stands after the name of a command below belongs to it, though this one has options of the same names.
    .enablePositionalOptions()
    .action(async (scenario: string, options: LoadOptions) => {
      const { load: run } = await import('../load/load.ts')
      finish(await run(scenario, options, shell))
    })
  for (const add of [addList, addExplain]) load.addCommand(add(shell, finish))
  return load
}

/** Options that say where load goes. */
function onTarget(command: Command): Command {
  return command
    .option(
      '--target <profile or URL>',
      'where load goes (default: $GREENROOM_TARGET; a URL takes its key from $GREENROOM_API_KEY)',
    )
    .option('--seed <n>', 'seed of everything random (default: drawn, and shown at the end)', integer(0, 0xffff_ffff))
    .option('--journal <file>', 'where to note what the run makes (default: a file in the state folder)')
    .option('--defect <id>', 'seed a mistake into the embedded target (repeatable)', repeated, [])
    .option('--variation <id>', 'use a legal alternative of the embedded target (repeatable)', repeated, [])
    .option('--requests-per-minute <n>', "rate limit of the embedded target's keys", integer(1))
}

/** Options that say how much load, and where the results go. */
function shaped(command: Command, out: string): Command {
  return workloadOf(command)
    .option('--processes <n>', 'k6 processes that share the load', integer(1, 64), 1)
    .option('--out <dir>', 'where load.json, samples.ndjson and load.html go', out)
}

function workloadOf(command: Command): Command {
  return command
    .option('--workload <name>', 'how much, how long and in which shape, see "load list"', 'smoke')
    .option('--rate <n>', 'iterations a second all the time, in place of the shape of the workload', positive)
    .option('--seconds <n>', 'how long the workload lasts', positive)
    .option('--weight <scenario=n>', 'of a mix: how often this scenario is chosen (repeatable)', repeated, [])
    .option('--sample <n>', 'record one conversation in so many in full (default: some 50 of all)', integer(1))
    .option('--k6-out <output>', 'also hand all metrics to this output of k6 (repeatable)', repeated, [])
}

function addList(shell: Shell, finish: Finish): Command {
  return new Command('list')
    .description('list the scenarios and the workloads')
    .option('--json', 'as JSON', false)
    .action(async (options: { readonly json: boolean }) => {
      const { listLoad } = await import('../load/list.ts')
      finish(listLoad(options, shell))
    })
}

function addExplain(shell: Shell, finish: Finish): Command {
  return new Command('explain')
    .description('say what a scenario does, what it measures and what it judges')
    .argument('<scenario>', 'its name')
    .action(async (scenario: string) => {
      const { explainScenario } = await import('../load/explain.ts')
      finish(explainScenario(scenario, shell))
    })
}

/** A parser of an option's value: a number above 0. */
function positive(text: string): number {
  const value = Number(text)
  if (/^\d*\.?\d+$/.test(text) && value > 0) return value
  throw new InvalidArgumentError('It must be a number above 0.')
}
