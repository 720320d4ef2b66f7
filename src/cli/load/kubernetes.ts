import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundleOf } from '#load/k6/bundle'
import { manifestsOf, secretKeys } from '#load/cluster/manifests'
import { pinnedVersion } from '#load/k6/binary'
import { shellWord } from '#report/shell-quote'
import type { KubernetesOptions } from '../commands/load.ts'
import { loadProfileAlone } from '../profile/load-profile.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble, messageOf, Stop, usage } from '../stop.ts'
import { writeWhole } from '../write-whole.ts'
import { checkAllowed, checkOperations, warnOfLoopback } from './load.ts'
import { planLoad } from './plan-load.ts'

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
  // On the cluster the keys have values, whatever this machine knows.
  const environment = Object.fromEntries(
    Object.values(profile.keys).map((variable) => [variable, 'set on the cluster']),
  )
  const plan = planLoad(name, options, { profile, environment })
  const handed = { ...plan, run: plan.run.run, seed: plan.run.seed, profile }
  const manifests = manifestsOf({
    name: object,
    namespace: options.namespace,
    script: await bundled(`${name}.ts`),
    handed,
    runners: options.processes,
    image: options.image ?? `grafana/k6:${pinnedVersion().replace(/^v/, '')}`,
    secret: options.secret,
    schedule: options.schedule,
    ca: profile.ca_file === undefined ? undefined : readFileSync(profile.ca_file, 'utf8'),
    outputs: options.k6Out,
  })
  for (const [file, manifest] of Object.entries(manifests)) write(join(options.out, file), manifest)
  shell.out(instructions(object, options, secretKeys({ handed })))
  warnOfLoopback(profile, 'a cluster', shell)
  return 0
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
    mkdirSync(dirname(file), { recursive: true })
    writeWhole(file, `${JSON.stringify(manifest, undefined, 2)}\n`)
  } catch (error) {
    throw usage(`--out: ${file} cannot be written: ${fileTrouble(error)}`)
  }
}

function instructions(
  object: string,
  { namespace, secret, out, processes }: KubernetesOptions,
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
    'npx greenroom load merge *.log --out reports/load',
    '',
  ].join('\n')
}
