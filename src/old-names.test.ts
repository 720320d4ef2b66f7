import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = resolve(fileURLToPath(import.meta.url), '../..')

/** Names that were given up, by the word that took their place (ARCHITECTURE.md, "One word for one thing"). */
const givenUp: { readonly [now: string]: RegExp } = {
  'positive control': /\btwins?\b|Twins?\b/,
  'transport failure': /\bweather|Weather|\b[Ff]orecast/,
  'minimal server, full server, other workspace': /\bstranger|Stranger/,
  'spec tables': /\blaws?\b/i,
  suites: /\btrials?\b/i,
  'expect refused, expect admitted': /\bknock|Knock/,
  'retry transient': /\binsist/i,
  'wait for rate budget': /\broomFor\b|room-for/,
  'received event, channel event, session create': /[:<] ?(?:Came|Passed|Birth)\b|\.came\b|\{ came\b|\bcame \}/,
  'scenario run, start, end': /\bStage\.|\bconduct(?:ing)?\b|ConductTools/,
  'findings, resources': /\bledgers?\b|Ledger/i,
  'worker pool, worker, sample load, saturated': /\bcrew\b|Crew|feelPulse|breathless/,
  'simulated time': /\bleap|Leap/,
  'bundle, options that may be refused': /sendPack|PackPlan|\b(?:soft|firm) (?:pieces?|ones)\b|\bisSoft\b/,
  'unknown cap, starved, undecided, unresponsive': /\bgambl|\bstarving\b|\bdoubtful\b|\b[Mm]ute[sd]?\b|\bisMute\b/,
  'choices, response scheduler, running response': /\b[Tt]astes?\b|\bDirector\b|\bPerformance\b|\bScore\b|\bAir\b/,
  validation: /\bRuleTable\b|\bRuleInput\b|\bholdToRules\b/,
  'JSON object': /\b(?:Wire|Bag)\b/,
}

/** Where such a word is somebody else's (in `load/`, a law is what is judged of a service under load): the trace format, ids that never change, what a model is told, a second of UTC. */
const allowed = [
  /\btwin(?=: (?:number|positiveControl|\d+)|\?: unknown| \} = value|`)/g,
  /(?:condition\.|exchange: |channel: |'|\{ sent, )twin\b/g,
  /~knock\b/g,
  /leap second/g,
  /world-sequence-leaps|sequence of control events leaps/g,
  /["']topic["']?: ?["']weather|topic: 'weather|"weather":"sunny"/g,
  /asset_id: 'mute'/g,
  /\| law \|/g,
  /reference\('crew'/g,
]

const files = globSync(['{src,suites,load}/**/*.{ts,js,md}', '*.md'], { cwd: root }).filter(
  (file) => !file.includes('old-names') && !file.startsWith('src/spec/types/'),
)

test('there is something to look at', () => {
  expect(files.length).toBeGreaterThan(1_000)
})

const texts = files.map((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  return { file, text: allowed.reduce((so, phrase) => so.replaceAll(phrase, ''), text) }
})

test.each(Object.entries(givenUp))('%s has no other name', (now, old) => {
  const found = texts
    .filter(({ file, text }) => old.test(text) && !(now === 'spec tables' && /\bload\//.test(file)))
    .flatMap(({ file, text }) =>
      text.split('\n').flatMap((line) => (old.test(line) ? [`${file}: ${line.trim()}`] : [])),
    )
  expect(found).toEqual([])
})

test('no file bears an old name', () => {
  const old =
    /(?:^|[/-])(?:twin|weather|stranger|knock|insist|conduct|ledger|crew|leap|pieces|taste|director|score|air)(?=[.-])/
  expect(files.filter((file) => old.test(file))).toEqual([])
})
