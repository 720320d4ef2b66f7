import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { driveTarget } from './drive.ts'

// For authors of scenarios: drives an embedded reference target and prints what the judge says.
// npx node src/scenario/run/try.ts [--only id]… [--variation id]… [--defect id]… [--tier t] [--seed n] [--out trace.ndjson]
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    only: { ...text, multiple: true, default: [] },
    variation: { ...text, multiple: true, default: [] },
    defect: { ...text, multiple: true, default: [] },
    tier: { ...text, default: 'standard' },
    seed: { ...text, default: '1' },
    out: text,
    all: { type: 'boolean', default: false },
  },
})

const at = (path: string) => import(new URL(path, import.meta.url).href)
const { startTarget } = await at('../../target/start.ts')
const { profileOf, environmentOf } = await at('../../target/profile.ts')
const target = await startTarget({ defects: values.defect, variations: values.variation })
const caFile = join(mkdtempSync(join(tmpdir(), 'greenroom-')), 'ca.pem')
writeFileSync(caFile, target.ca_pem)
const began = performance.now()
const driven = await driveTarget({
  profile: profileOf(target, { caFile }),
  environment: environmentOf(target),
  tier: values.tier as 'standard',
  only: values.only,
  seed: Number(values.seed),
  ...(values.out === undefined ? {} : { out: values.out }),
})
const seconds = ((performance.now() - began) / 1000).toFixed(1)
console.log(
  `${driven.end} in ${seconds} s, ${target.requestsServed()} requests, ${target.openSessions()} sessions left open`,
)
await target.stop()
for (const { scenario, outcome, reason } of driven.outcomes) {
  if (outcome !== 'completed') console.log(`  ${outcome} ${scenario}: ${reason}`)
}
for (const { scenario, why, what } of driven.skipped)
  if (why !== 'only') console.log(`  skipped ${scenario.id}: ${why} ${what}`)
await judge()

async function judge(): Promise<void> {
  const { judge: judgeTrace } = await at('../../judge/judge.ts')
  const { registerView, loadRules } = await judgeTools()
  const results = judgeTrace(driven.trace, registerView, await loadRules())
  console.log(JSON.stringify(results.summary), 'conformant:', results.conformant)
  for (const row of results.requirements) {
    const loud = row.verdict === 'fail' || row.verdict === 'warn'
    if (loud || values.all || (values.only.length > 0 && row.verdict !== 'pass')) {
      console.log(`${row.verdict.padEnd(14)} ${row.id} (${row.observations}): ${row.reason}`)
    }
    for (const failure of row.failures ?? []) {
      console.log(`    expected ${failure.expected}\n    got      ${failure.got}  lines ${failure.evidence.join(', ')}`)
    }
  }
  for (const { message } of results.harness_errors) console.log(`OUR MISTAKE ${message}`)
}

async function judgeTools() {
  const { register } = await at('../../judge/register.ts')
  const { readdirSync, existsSync } = await import('node:fs')
  const suites = new URL('../../../suites/', import.meta.url)
  const files = readdirSync(suites).map((part) => new URL(`${part}/rules.ts`, suites))
  const loadRules = async () =>
    (await Promise.all(files.filter((file) => existsSync(file)).map((file) => import(file.href)))).flatMap(
      (one) => one.rules,
    )
  return { registerView: register(), loadRules }
}
