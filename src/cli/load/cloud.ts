import { writeFileSync } from 'node:fs'
import { bundleOf } from '#load/k6/bundle'
import { secretVariables, variablesOf } from '#load/k6/environment'
import { shellWord } from '#report/shell-quote'
import type { CloudOptions } from './options.ts'
import { makeFolder } from '../make-folder.ts'
import { loadProfileAlone } from '../profile/load-profile.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble, Stop, usage } from '../stop.ts'
import { checkAllowed, checkOperations, warnOfLoopback } from './load.ts'
import { planLoad } from './plan-load.ts'
import { targetOption } from './target-option.ts'
import { dirname } from 'node:path'
import { messageOf } from '#trace/message-of'

/** Bundles the script, and prints and explains the one command that runs it on Grafana Cloud k6. */
export async function cloud(name: string, options: CloudOptions, shell: Shell): Promise<number> {
  if (options.k6Out.length > 0)
    throw usage(
      'Grafana Cloud k6 is its own output: leave out --k6-out (with --local-execution, add --out to what is printed)',
    )
  const profile = loadProfileAlone(options.target)
  checkAllowed(profile)
  checkOperations(profile)
  const environment = Object.fromEntries(Object.values(profile.keys).map((variable) => [variable, 'set in the shell']))
  const plan = planLoad(name, { ...options, processes: 1 }, { profile, environment })
  const handed = { ...plan, run: plan.run.run, seed: plan.run.seed, profile }
  await write(`${name}.ts`, options.out)
  const { SSL_CERT_FILE: _, ...plain } = variablesOf(handed)
  const given = Object.entries(plain).map(([variable, value]) => `-e ${variable}=${shellWord(value)}`)
  const secrets = Object.entries(secretVariables(handed)).map(([variable, source]) => `-e ${variable}="$${source}"`)
  shell.out(`${['k6 cloud run', ...given, ...secrets, shellWord(options.out)].join(' ')}\n`)
  shell.err(explanation(options.target))
  warnOfLoopback(profile, 'Grafana Cloud', shell)
  return 0
}

const explanation = (target: string | undefined): string =>
  [
    'This is the same script that "npx greenroom load" runs, as one file. "k6 cloud login" comes first.',
    'The API keys go to Grafana Cloud with it, as variables of the test: use keys that are for load only.',
    'The verdict is made from what k6 hands over at its end, which Grafana Cloud does not keep for runs on its own machines:',
    'there it shows the counters and times alone. With --local-execution after "run" the load comes from this machine,',
    'and Grafana Cloud only gets the metrics; then add -e GREENROOM_SUMMARY=part.json and',
    `"npx greenroom load merge part.json${targetOption(target)}" judges it.`,
    '',
  ].join('\n')

async function write(script: string, file: string): Promise<void> {
  const code = await bundleOf(script).catch((error: unknown) => {
    throw new Stop(4, `the script could not be bundled: ${messageOf(error)}`)
  })
  try {
    makeFolder(dirname(file))
    writeFileSync(file, code)
  } catch (error) {
    throw usage(`--out ${file} cannot be written: ${fileTrouble(error)}`)
  }
}
