import { secretVariables, variablesOf } from '../k6/environment.ts'
import type { Handed } from '../k6/environment.ts'

/** What is to run on a cluster. */
export interface ClusterRun {
  readonly name: string
  readonly namespace: string
  /** Bundled script. */
  readonly script: string
  readonly handed: Handed
  readonly runners: number
  /** Image of k6. */
  readonly image: string
  /** Secret that holds the values of keys and headers, each under the name of its variable in the profile. */
  readonly secret: string
  /** When the CronJob starts a run. */
  readonly schedule: string
  /** Authorities of the target's certificate, PEM. */
  readonly ca: string | undefined
  /** Outputs of k6 itself. */
  readonly outputs: readonly string[]
}

/** A Kubernetes object, as it is written into a file. */
export type Manifest = { readonly [field: string]: unknown }

const SCRIPT_FILE = 'load.js'
const CA_FOLDER = '/greenroom'
/** Stands in the manifest that the CronJob starts from: every night is a run of its own. */
export const RUN_PLACEHOLDER = 'GREENROOM-RUN-ID'
/** Small, with kubectl, a shell and sed. */
const KUBECTL_IMAGE = 'alpine/k8s:1.33.4'

/** Everything that k6-operator needs, by file name; `kubectl apply -f` takes the folder. */
export function manifestsOf(run: ClusterRun): { readonly [file: string]: Manifest } {
  return {
    'configmap.json': configMap(run, run.name, {
      [SCRIPT_FILE]: run.script,
      ...(run.ca === undefined ? {} : { 'ca.pem': run.ca }),
    }),
    'testrun.json': testRun(run, run.handed.run),
    'nightly/manifest.json': configMap(run, `${run.name}-testrun`, {
      'testrun.json': JSON.stringify(testRun(run, RUN_PLACEHOLDER), undefined, 2),
    }),
    'nightly/access.json': access(run),
    'nightly/cronjob.json': cronJob(run),
  }
}

const labels = { 'app.kubernetes.io/name': 'greenroom-load' }

const metadata = ({ namespace }: ClusterRun, name: string) => ({ name, namespace, labels })

function configMap(run: ClusterRun, name: string, data: { readonly [file: string]: string }): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(run, name), data }
}

/** One run of k6-operator: so many runners, each with its segment. They write their results into their logs. */
function testRun(run: ClusterRun, id: string): Manifest {
  const outputs = run.outputs.map((output) => ` --out ${output}`).join('')
  return {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata: metadata(run, run.name),
    spec: {
      parallelism: run.runners,
      separate: false,
      script: { configMap: { name: run.name, file: SCRIPT_FILE } },
      arguments: `--no-usage-report --log-format=raw --log-output=stdout${outputs}`,
      runner: podOf(run, id),
      // It reads the script to see what it needs, so that it needs what runners need.
      initializer: podOf(run, id),
    },
  }
}

function podOf(run: ClusterRun, id: string) {
  const { handed, image, secret, ca, name } = run
  const { SSL_CERT_FILE: _, ...plain } = variablesOf({ ...handed, run: id })
  const variables = { ...plain, GREENROOM_SUMMARY: 'stdout', K6_AUTO_EXTENSION_RESOLUTION: 'false' }
  const secrets = Object.entries(secretVariables(handed)).map(([variable, key]) => ({
    name: variable,
    valueFrom: { secretKeyRef: { name: secret, key } },
  }))
  const env = [...Object.entries(variables).map(([variable, value]) => ({ name: variable, value })), ...secrets]
  if (ca === undefined) return { image, env }
  return {
    image,
    env: [...env, { name: 'SSL_CERT_FILE', value: `${CA_FOLDER}/ca.pem` }],
    volumes: [{ name: 'authorities', configMap: { name, items: [{ key: 'ca.pem', path: 'ca.pem' }] } }],
    volumeMounts: [{ name: 'authorities', mountPath: CA_FOLDER, readOnly: true }],
  }
}

/** Starts a run each night: k6-operator runs a TestRun once, so the last one goes first. */
function cronJob(run: ClusterRun): Manifest {
  const { name, schedule } = run
  const command = [
    `kubectl delete testrun ${name} --ignore-not-found --wait`,
    `sed "s/${RUN_PLACEHOLDER}/$(date +%Y%m%d%H%M%S)/g" /manifest/testrun.json | kubectl create -f -`,
  ].join(' && ')
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadata(run, name),
    spec: {
      schedule,
      concurrencyPolicy: 'Forbid',
      jobTemplate: {
        spec: {
          backoffLimit: 0,
          template: {
            spec: {
              restartPolicy: 'Never',
              serviceAccountName: name,
              containers: [
                {
                  name: 'start',
                  image: KUBECTL_IMAGE,
                  command: ['sh', '-c', command],
                  volumeMounts: [{ name: 'manifest', mountPath: '/manifest', readOnly: true }],
                },
              ],
              volumes: [{ name: 'manifest', configMap: { name: `${name}-testrun` } }],
            },
          },
        },
      },
    },
  }
}

/** What the CronJob may do: end and start runs in its namespace, nothing else. */
function access(run: ClusterRun): Manifest {
  const { name, namespace } = run
  const rule = { apiGroups: ['k6.io'], resources: ['testruns'], verbs: ['create', 'delete', 'get', 'list', 'watch'] }
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name }
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(run, name) },
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: metadata(run, name), rules: [rule] },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: metadata(run, name),
        roleRef,
        subjects: [{ kind: 'ServiceAccount', name, namespace }],
      },
    ],
  }
}

/** Variables of the profile whose values the Secret has to hold. */
export function secretKeys({ handed }: Pick<ClusterRun, 'handed'>): readonly string[] {
  return [...new Set(Object.values(secretVariables(handed)))]
}
