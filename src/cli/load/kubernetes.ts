import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleOf } from '#load/k6/bundle'
import { manifestsOf, secretKeys } from '#load/cluster/manifests'
import { pinnedVersion } from '#load/k6/binary'
import { counted } from '#page/parts'
import { shellWord } from '#report/shell-quote'
import { messageOf } from '#trace/message-of'
import type { KubernetesOptions } from './options.ts'
import { loadProfileAlone } from '../profile/load-profile.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble, Stop, usage } from '../stop.ts'
import { makeFolder } from '../make-folder.ts'
import { writeWhole } from '../write-whole.ts'
import { usersOf } from './idle-options.ts'
import { checkAllowed, checkOperations, warnOfLoopback } from './load.ts'
import { planLoad } from './plan-load.ts'
import { targetOption } from './target-option.ts'

/** Unless somebody says otherwise. */
const usualRunners = 4

/** Writes the manifests of a run on a cluster, and says what to do with them. */
export async function kubernetes(name: string, options: KubernetesOptions, shell: Shell): Promise<number> {
  const profile = loadProfileAlone(options.target)
  checkAllowed(profile)
  checkOperations(profile)
  const object = options.name ?? `greenroom-${name}`
  if (!/^[a-z\d](?:[a-z\d-]{0,50}[a-z\d])?$/.test(object))
    throw usage(
      `--name ${JSON.stringify(object)} is no name that Kubernetes takes: lower-case letters, digits and dashes, at most 52`,
    )
  refuseNames(options)
  // On the cluster the keys have values, whatever this machine knows.
  const environment = Object.fromEntries(
    Object.values(profile.keys).map((variable) => [variable, 'set on the cluster']),
  )
  const plan = planLoad(name, { ...options, processes: options.processes ?? 1 }, { profile, environment })
  const users = usersOf(plan.scenarios, plan.weights, plan.workload, plan.keys)
  const runners = options.processes ?? Math.min(usualRunners, users)
  if (runners > users)
    throw usage(
      `--processes ${runners} is more than ${counted(users, 'user')}, which is all that ${name} has with this workload and these keys: k6-operator starts no runner without a user`,
    )
  const handed = { ...plan, run: plan.run.run, seed: plan.run.seed, profile }
  const manifests = manifestsOf({
    name: object,
    namespace: options.namespace,
    script: await bundled(`${name}.ts`),
    handed,
    runners,
    image: options.image ?? `grafana/k6:${pinnedVersion().replace(/^v/, '')}`,
    secret: options.secret,
    schedule: options.schedule,
    ca: profile.ca_file === undefined ? undefined : readFileSync(profile.ca_file, 'utf8'),
    outputs: options.k6Out,
  })
  for (const [file, manifest] of Object.entries(manifests)) write(join(options.out, file), manifest)
  shell.out(instructions(object, { ...options, processes: runners }, secretKeys({ handed })))
  warnOfLoopback(profile, 'a cluster', shell)
  return 0
}

/** What Kubernetes would refuse much later. @throws Stop (2) */
function refuseNames({ namespace, secret, image, schedule }: KubernetesOptions): void {
  const wrong = Object.entries({ namespace, secret }).find(
    ([, name]) => !/^[a-z\d](?:[a-z\d.-]{0,61}[a-z\d])?$/.test(name),
  )
  if (wrong !== undefined)
    throw usage(
      `--${wrong[0]} ${JSON.stringify(wrong[1])} is no name that Kubernetes takes: lower-case letters, digits and dashes, at most 63`,
    )
  if (image !== undefined && !/^[\w./:@-]+$/.test(image)) throw usage(`--image ${JSON.stringify(image)} names no image`)
  if (!/^(?:@\w+|[\w*/,?#-]+(?: [\w*/,?#-]+){4})$/.test(schedule.trim()))
    throw usage(`--schedule ${JSON.stringify(schedule)} is no schedule of a CronJob: five fields, as in "0 3 * * *"`)
}

async function bundled(script: string): Promise<string> {
  try {
    return await bundleOf(script)
  } catch (error) {
    throw new Stop(4, `the script could not be bundled: ${messageOf(error)}`)
  }
}

function write(file: string, manifest: object): void {
  try {
    makeFolder(dirname(file))
    writeWhole(file, `${JSON.stringify(manifest, undefined, 2)}\n`)
  } catch (error) {
    throw usage(`--out: ${file} cannot be written: ${fileTrouble(error)}`)
  }
}

function instructions(
  object: string,
  { namespace, secret, out, target, processes }: KubernetesOptions & { readonly processes: number },
  keys: readonly string[],
): string {
  const at = `-n ${namespace}`
  const literals = keys.map((key) => `--from-literal=${key}="$${key}"`).join(' ')
  return [
    '# Once: the API keys, which are in no manifest.',
    `kubectl create secret generic ${secret} ${at} ${literals}`,
    '# One run, by k6-operator:',
    `kubectl apply -f ${shellWord(out)}`,
    '# Or one each night:',
    `kubectl apply -f ${shellWord(join(out, 'configmap.json'))} -f ${shellWord(join(out, 'nightly'))}`,
    `# When its ${processes} runners are done, their logs are the results:`,
    `for pod in $(kubectl get pods ${at} -l k6_cr=${object},runner=true -o name); do kubectl logs ${at} $pod > $(basename $pod).log; done`,
    `npx greenroom load merge *.log${targetOption(target)} --out reports/load`,
    '',
  ].join('\n')
}
