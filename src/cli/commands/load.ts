import { Command, InvalidArgumentError } from 'commander'
import type {
  CloudOptions,
  KneeCommandOptions,
  KubernetesOptions,
  LoadOptions,
  MergeOptions,
  NightlyOptions,
} from '../load/options.ts'
import { integer, repeated } from '../numbers.ts'
import type { Finish, Shell } from '../shell.ts'

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
  for (const add of [addList, addExplain, addMerge, addKnee, addNightly, addKubernetes, addCloud])
    load.addCommand(add(shell, finish))
  return load
}

/** Options that say where load goes. */
function onTarget(command: Command): Command {
  return command
    .option(
      '--target <profile or URL>',
      'where load goes (default: $GREENROOM_TARGET; a URL takes its key from $GREENROOM_API_KEY)',
    )
    .option('--seed <n>', 'seed of everything random (default: a new one, shown at the end)', integer(0, 0xffff_ffff))
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
    .option('--sample <n>', 'record one conversation in every n in full (default: about 50 in all)', integer(1))
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

function addMerge(shell: Shell, finish: Finish): Command {
  return new Command('merge')
    .description('join what the k6 processes of one run wrote, on however many machines')
    .argument('<files...>', 'part files, or logs of the runners')
    .option('--target <profile or URL>', 'the profile that the run was made with: its objectives are held against it')
    .option('--out <dir>', 'where load.json, samples.ndjson and load.html go', 'reports/load')
    .action(async (files: readonly string[], options: MergeOptions) => {
      const { mergeLoad } = await import('../load/merge.ts')
      finish(await mergeLoad(files, options, shell))
    })
}

function addKnee(shell: Shell, finish: Finish): Command {
  return shaped(onTarget(new Command('knee')), 'reports/knee')
    .description('search the highest rate at which the objectives hold, by one k6 run after the other')
    .argument('<scenario>', 'what each virtual user does')
    .option(
      '--objective <operation:percentile=ms>',
      'what has to hold, such as "first_delta:p99=800" (default: the objectives of the profile)',
    )
    .option('--start <n>', 'the first rate, in iterations a second', positive, 1)
    .option('--most <n>', 'never ask for more than this', positive, 10_000)
    .option('--tolerance <share>', 'how close what held and what did not have to be', positive, 0.1)
    .option('--runs <n>', 'end after so many runs of k6', integer(1, 1_000), 25)
    .action(async (scenario: string, options: KneeCommandOptions) => {
      const { knee } = await import('../load/knee.ts')
      finish(await knee(scenario, options, shell))
    })
}

function addNightly(shell: Shell, finish: Finish): Command {
  return new Command('nightly')
    .description('run a plan of several scenarios, and compare the night with those before')
    .argument('<plan>', 'a JSON file, see schemas/meta/load-plan.json')
    .option('--out <dir>', 'where the results and the history go (default: what the plan says)')
    .action(async (plan: string, options: NightlyOptions) => {
      const { nightly } = await import('../load/nightly.ts')
      finish(await nightly(plan, options, shell))
    })
}

function addKubernetes(shell: Shell, finish: Finish): Command {
  return workloadOf(new Command('k8s'))
    .description('write the manifests with which k6-operator runs a scenario on a cluster')
    .argument('<scenario>', 'what each virtual user does')
    .requiredOption('--target <profile or URL>', 'where load goes')
    .option(
      '--processes <n>',
      'runners that share the load (default: 4, or as many as there are users)',
      integer(1, 1_000),
    )
    .option('--name <name>', 'of the objects (default: greenroom-<scenario>)')
    .option('--namespace <name>', 'of the objects', 'default')
    .option('--image <image>', 'k6 that the runners use (default: the version that this checkout pins)')
    .option('--secret <name>', 'Secret that holds the API keys, each under the name of its variable', 'greenroom-keys')
    .option('--schedule <cron>', 'when the CronJob starts a run', '0 3 * * *')
    .option('--out <dir>', 'where the manifests go', 'reports/k8s')
    .action(async (scenario: string, options: KubernetesOptions) => {
      const { kubernetes } = await import('../load/kubernetes.ts')
      finish(await kubernetes(scenario, options, shell))
    })
}

function addCloud(shell: Shell, finish: Finish): Command {
  return workloadOf(new Command('cloud'))
    .description('print and explain the command that runs a scenario on Grafana Cloud k6')
    .argument('<scenario>', 'what each virtual user does')
    .requiredOption('--target <profile or URL>', 'where load goes')
    .option('--out <file>', 'where the bundled script goes', 'reports/cloud/load.js')
    .action(async (scenario: string, options: CloudOptions) => {
      const { cloud } = await import('../load/cloud.ts')
      finish(await cloud(scenario, options, shell))
    })
}

/** A parser of an option's value: a number above 0. */
function positive(text: string): number {
  const value = Number(text)
  if (/^\d*\.?\d+$/.test(text) && value > 0) return value
  throw new InvalidArgumentError('It must be a number above 0.')
}
