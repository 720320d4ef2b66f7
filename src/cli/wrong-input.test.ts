import { symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningTarget, startTarget } from '#target/start'
import { listen, type Listener } from '#testing/listener'
import { fakeShell } from './testing/fake-shell.ts'
import { runProgram } from './program.ts'
import { Stop } from './stop.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
let target: RunningTarget
let page: Listener
const secret = 'sk-canary-77d1'

/** What the table below names by a word. */
const places: { [word: string]: string } = {}

beforeAll(async () => {
  folder = newFolder()
  target = await startTarget()
  page = await listen(htmlServer())
  const put = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const profile = (more: object): string =>
    put(
      `${crypto.randomUUID()}.json`,
      JSON.stringify({ base_url: target.base_url, keys: { primary: 'GR_KEY' }, ...more }),
    )
  const ca_file = put('ca.pem', target.ca_pem ?? '')
  const header = JSON.stringify({
    kind: 'header',
    t: 0,
    format: 'greenroom.trace/1',
    register: 'other',
    greenroom: '0',
  })
  symlinkSync('loop', join(folder, 'loop'))
  Object.assign(places, {
    FOLDER: folder,
    FILE: put('a-file', 'text'),
    NO_JSON: put('no-json.json', `{ "base_url": "${secret}"`),
    LIST: put('list.json', '[]'),
    LOOP: join(folder, 'loop'),
    EMPTY: put('empty.json', ''),
    FIELD: profile({ abilites: {} }),
    TYPE: profile({ abilities: { video: 'no' } }),
    MANY: profile({ abilites: {}, timeouts: { reply_ms: -1 }, ca_file: 'gone.pem', headers: { 'X-A': 'GR_GATE' } }),
    NO_URL: profile({ base_url: 'staging' }),
    HTTP: profile({ base_url: 'http://staging.example' }),
    FTP: profile({ base_url: 'ftp://staging.example' }),
    USER: profile({ base_url: `https://u:${secret}@staging.example` }),
    QUERY: profile({ base_url: 'https://staging.example?a=b' }),
    KEY_VALUE: profile({ keys: { primary: secret } }),
    NO_PRIMARY: profile({ keys: {} }),
    UNSET: profile({ keys: { primary: 'GR_NOT_SET' } }),
    TWICE: profile({ keys: { primary: 'GR_KEY', capped: 'GR_KEY' } }),
    LINE_END: profile({ keys: { primary: 'GR_LINE_END' } }),
    HEADER: profile({ headers: { 'X-Gate': 'GR_GATE' } }),
    PROXY: profile({ proxy: 'GR_NO_PROXY' }),
    PROXY_WORD: profile({ proxy: 'GR_WORD' }),
    CA_GONE: profile({ ca_file: 'gone.pem' }),
    CA_WRONG: profile({ ca_file: put('no.pem', 'no certificate') }),
    CA_FOLDER: profile({ ca_file: '.' }),
    SAMPLE_GONE: profile({ media: { voice_sample: 'gone.wav' } }),
    SAMPLE_EMPTY: profile({ media: { voice_sample: put('empty.wav', '') } }),
    PLAIN_IMAGE: profile({ media: { image_url: 'http://media.example/a.png' } }),
    KEY_NAME: profile({ keys: { primary: 'GR_KEY', second: 'GR_BAD' } }),
    REASON: profile({
      expected_failures: [{ id: 'voices.clone.accepted', reason: '', owner: 'c', expires: '2030-12-31' }],
    }),
    RATE: profile({ limits: { primary: { requests_per_minute: 0 } } }),
    DATE: profile({ expected_failures: [{ id: 'a', reason: 'b', owner: 'c', expires: 'soon' }] }),
    TARGET: profile({ ca_file }),
    BAD_KEY: profile({ ca_file, keys: { primary: 'GR_BAD' } }),
    UNTRUSTED: profile({}),
    NOBODY: profile({ base_url: 'https://127.0.0.1:1' }),
    NO_NAME: profile({ base_url: 'https://no-such-host.invalid' }),
    PAGE: profile({ base_url: `http://127.0.0.1:${page.port}`, allow_insecure_loopback: true }),
    PLAIN_PORT: profile({ base_url: `https://127.0.0.1:${page.port}` }),
    TRACE_TEXT: put('text.ndjson', 'no trace\n'),
    TRACE_EMPTY: put('empty.ndjson', ''),
    TRACE_OTHER: put('other.ndjson', `${header}\n`),
    EMPTY_RULES: put('empty-rules.json', '{"refuse":[],"stall":[]}'),
    NO_RULES: put('no-rules.json', '{}'),
    RESULTS_OTHER: put('other-results.json', '{"format":"other"}'),
    PORT: new URL(target.base_url).port,
  })
})

afterAll(async () => {
  await Promise.all([target.stop(), page.stop()])
})

/** Answers everything with a page, as a host would that knows nothing of the interface. */
function htmlServer(): Server {
  return createServer((_request, response) => void response.setHeader('content-type', 'text/html').end('<p>Hello.</p>'))
}

const variables = {
  GR_KEY: 'a-key',
  GR_BAD: 'no-key-of-this-target',
  GR_LINE_END: `${secret}\n`,
  GR_WORD: 'a word',
}

/** Exit code, and the sentence: what a Stop says, or the last line of the terminal. */
async function sentenceOf(line: string): Promise<{ readonly exit: number; readonly sentence: string }> {
  const args = line.split(' ').map((word) => word.replace(/^@(\w+)/, (_, name: string) => places[name] ?? ''))
  const shell = fakeShell({ ...variables, XDG_STATE_HOME: join(folder, 'state'), PATH: process.env['PATH'] ?? '' })
  try {
    const exit = await runProgram(args, shell)
    return { exit, sentence: shell.stdout().trimEnd() }
  } catch (error) {
    if (error instanceof Stop) return { exit: error.exit, sentence: error.message }
    throw error
  }
}

/** By kind: the command line (`@WORD` is a place of above), the exit code, and what the sentence names. */
const wrong: { readonly [kind: string]: readonly (readonly [string, number, RegExp])[] } = {
  options: [
    ['chekc', 2, /unknown command 'chekc'.*check/],
    ['check --teir smoke', 2, /unknown option '--teir'.*--tier/],
    ['check --tier huge', 2, /--tier.*smoke, standard, full/],
    ['check --seed x', 2, /--seed.*whole number/],
    ['check --max-requests 0', 2, /--max-requests.*at least 1/],
    ['check --report pdf', 2, /--report.*html, junit/],
    ['check --target', 2, /--target.*argument missing/],
    ['check --only voices.clone.acepted', 2, /--only: .*did you mean voices\.clone\.accepted/],
    ['check --defect no-such', 2, /--defect "no-such" is not known/],
    ['check --variation slwo', 2, /--variation "slwo" is not known/],
    ['check --target @TARGET --defect x', 2, /--defect changes the embedded target only.*leave one of them out/],
    ['list --part voice', 2, /--part "voice" is not known; did you mean "voices"/],
    ['list --defects --scenarios', 2, /exclude each other/],
    ['list --variations --part voices', 2, /variations belong to no part; filter them with --word/],
    ['explain voices.clone.acepted', 2, /no requirement.*voices\.clone\.accepted/],
    ['serve --port 70000', 2, /--port.*from 0 to 65535/],
    ['serve --port @PORT', 2, /--port \d+ cannot be used: it is taken; give another/],
    ['spec graphql', 2, /openapi, asyncapi/],
    ['doctor', 2, /--target is missing; give a profile file or a URL, or set GREENROOM_TARGET/],
    ['load no-such-scenario', 2, /no scenario "no-such-scenario".*load list/],
    ['check --within 5', 2, /--within.*a time such as 3m/],
    ['check --within 1s', 2, /--within 1s is too little for any scenario; give at least --within \d+s$/],
    ['check --budget 1', 2, /--budget 1 is too little for any scenario; give at least --budget \d+$/],
    ['check --changed nothing', 2, /--changed: no part is called nothing; there are authentication, /],
    ['check --only voices,nothing', 2, /no requirement, scenario or part is called nothing; /],
    ['check --report html,pdf', 2, /--report.*html, junit/],
    ['check --only VOICES', 2, /called VOICES; did you mean voices\?/],
    ['check --only nothing', 2, /no requirement, scenario or part is called nothing; .*greenroom list/],
    ['check --only=', 2, /no requirement, scenario or part is called ""; .*greenroom list/],
    ['import traffic.txt', 2, /unknown command 'traffic\.txt'; see "npx greenroom import --help"/],
    ['import', 2, /^import needs a command behind it; see "npx greenroom import --help"$/],
    ['import trace @TRACE_TEXT', 2, /text\.ndjson (is no trace|cannot be judged): /],
    ['import trace @TRACE_EMPTY', 2, /empty\.ndjson cannot be judged: .*give trace\.ndjson of a run/],
    ['list --nonsense', 2, /unknown option '--nonsense'; see "npx greenroom list --help"/],
    ['load k8s soak', 2, /required option '--target <profile or URL>' not specified; see "npx greenroom load --help"/],
    ['list --part nothing', 2, /--part "nothing" is not known; there are authentication, /],
    ['explain', 2, /missing required argument 'id'; see "npx greenroom explain --help"/],
    ['explain voices', 2, /there is no requirement "voices"; it is a part: npx greenroom list --part voices/],
    ['help nothing', 2, /unknown command 'nothing'; see "npx greenroom --help"/],
    ['init never.json --ca-file ca.pem', 2, /--ca-file is for --probe URL only/],
    ['serve --record x.ndjson', 2, /--record needs --no-tls/],
    ['certify', 2, /--target names what to certify: a profile file, see "npx greenroom init"/],
    ['watch', 2, /--target is missing: give the profile or the address/],
    ['comment summary.md', 2, /works in a job of GitHub or GitLab only/],
  ],
  profile: [
    ['check --target @NO_JSON', 2, /is not JSON \(line 1 column \d+\); mend it/],
    ['check --target @EMPTY', 2, /is empty; start from/],
    ['check --target @LIST', 2, /the profile .*: the profile: expected object/],
    ['check --target @FIELD', 2, /unknown field "abilites"; did you mean "abilities"/],
    ['check --target @TYPE', 2, /abilities\.video: expected boolean, got "no"/],
    ['check --target @MANY', 2, /has 4 faults: \(1\).*\(2\).*\(3\).*\(4\)/],
    ['check --target @NO_PRIMARY', 2, /primary/],
    ['check --target @KEY_VALUE', 2, /keys\.primary must be the name of an environment variable/],
    ['check --target @PLAIN_IMAGE', 2, /media\.image_url: expected an address that starts with https/],
    ['check --target @KEY_NAME', 2, /keys has an unknown field "second"; there are primary, same_workspace, /],
    ['check --target @REASON', 2, /expected_failures\.0\.reason: expected a text that is not empty, got ""/],
    ['check --target @RATE', 2, /requests_per_minute: expected a number of at least 1, got 0/],
    ['check --target @DATE', 2, /id of a requirement .*expected_failures\.0\.expires: expected a date such as/],
  ],
  environment: [
    ['check --target @UNSET', 2, /environment variable GR_NOT_SET is not set/],
    ['check --target @TWICE', 2, /keys\.primary and keys\.capped hold the same API key; leave one/],
    ['check --target @LINE_END', 2, /GR_LINE_END .*such as a line end/],
    ['check --target @HEADER', 2, /GR_GATE is not set \(headers\.X-Gate\)/],
    ['check --target @PROXY', 2, /GR_NO_PROXY is not set/],
    ['check --target @PROXY_WORD', 2, /GR_WORD \(proxy\) does not hold a URL/],
    ['check --target https://staging.example', 2, /GREENROOM_API_KEY is not set/],
    ['init never.json --probe https://staging.example', 2, /GREENROOM_API_KEY is not set/],
    ['check --target @BAD_KEY --out @FOLDER/out', 3, /the primary key is refused with 10003; put a valid API key into/],
  ],
  files: [
    ['check --target no-such.json', 2, /--target "no-such\.json" cannot be read .*give a profile file, or a URL/],
    ['check --target @SAMPLE_GONE', 2, /media\.voice_sample .*gone\.wav cannot be read: there is no such file/],
    ['check --target @SAMPLE_EMPTY', 2, /media\.voice_sample .* is empty/],
    ['init @FILE', 2, /a-file cannot be written: it exists already/],
    ['spec openapi --out @FOLDER', 2, /cannot be written: /],
    ['judge @FILE/trace.ndjson', 2, /cannot be read: a part of its path is a file/],
    ['explain voices.clone.accepted --results no-such.json', 2, /--results no-such\.json cannot be read/],
    ['explain voices.clone.accepted --results @RESULTS_OTHER', 2, /holds no results of this format/],
    ['check --failed @FOLDER', 2, /--failed .*results\.json cannot be read: there is no such file/],
    ['check --baseline no-such.json', 2, /--baseline no-such\.json cannot be read: there is no such file/],
    ['check --failed @NO_JSON', 2, /--failed .* is not JSON/],
    ['diff @RESULTS_OTHER @RESULTS_OTHER', 2, /holds no results of this format .*; give results\.json of a run/],
    ['replay no-such.json', 2, /the replay file no-such\.json cannot be read: there is no such file/],
    ['replay @LIST', 2, /is no replay file .*; give replay\/<requirement>\.json of a check/],
    ['serve --script @NO_RULES', 2, /no-rules\.json changes nothing: give it refuse, stall, break or expire/],
    ['serve --script @EMPTY_RULES', 2, /empty-rules\.json changes nothing: give it refuse, stall, break or expire/],
    ['serve --script @NO_JSON', 2, /the script .* is not JSON/],
    ['import har @LIST', 2, /is no HAR: /],
    ['check --target @LOOP', 2, /cannot be read \(its links lead in a circle\)/],
    ['report no-such.json', 2, /no-such\.json.* cannot be read/],
  ],
  folders: [
    ['check --target @FOLDER', 2, /cannot be read \(it is a folder\)/],
    ['check --out @FILE', 2, /--out .*a-file cannot be written: a part of its path is a file/],
    ['check --out @FILE/below', 2, /--out .*below cannot be written: a part of its path is a file/],
    ['check --journal @FILE/below --out @FOLDER/out', 2, /journal .* cannot be written .*give another place/],
  ],
  hosts: [
    ['check --target staging.example', 2, /"staging\.example" cannot be read .*a URL that starts with https/],
    ['check --target @NO_URL', 2, /base_url: expected an address such as https/],
    ['check --target @HTTP', 2, /base_url http:\/\/staging\.example is not https; keys are not sent in the clear/],
    ['check --target @FTP', 2, /base_url: expected an address such as https/],
    ['check --target @USER', 2, /base_url holds a user name or password; keys belong into environment variables/],
    ['check --target @QUERY', 2, /base_url: expected .* without query/],
    ['check --target @NOBODY --out @FOLDER/out', 3, /the target was not reached: nothing listens there/],
    ['check --target @NO_NAME --out @FOLDER/out', 3, /the target was not reached: its name was not found/],
    ['check --target @PAGE --out @FOLDER/out', 3, /no reply bears an envelope .*is base_url the address/],
  ],
  certificates: [
    ['check --target @CA_GONE', 2, /ca_file .*gone\.pem cannot be read: there is no such file/],
    ['check --target @CA_WRONG', 2, /ca_file .* holds no certificate; it must be a PEM file/],
    ['check --target @CA_FOLDER', 2, /ca_file .* cannot be read: it is a folder/],
    ['check --target @UNTRUSTED --out @FOLDER/out', 3, /TLS failed; .*name that in ca_file/],
    ['check --target @PLAIN_PORT --out @FOLDER/out', 3, /does not speak TLS; is it the right port, and https\?/],
  ],
  traces: [
    ['judge no-such.ndjson', 2, /the trace no-such\.ndjson cannot be read: there is no such file/],
    ['judge @FOLDER', 2, /cannot be read: it is a folder/],
    ['judge @TRACE_TEXT', 2, /text\.ndjson is no trace: .*give trace\.ndjson of a run/],
    ['judge @TRACE_EMPTY', 2, /empty\.ndjson cannot be judged: the trace has no header.*; give trace\.ndjson of a run/],
    ['judge @TRACE_OTHER', 2, /other\.ndjson/],
  ],
}

const all = Object.entries(wrong).flatMap(([kind, lines]) => lines.map((one) => [kind, ...one] as const))

/** Three lines of a terminal. */
const longest = 3 * 200

test('at least forty kinds of wrong input are tried', () => {
  expect(all.length).toBeGreaterThanOrEqual(40)
  expect(Object.keys(wrong)).toHaveLength(8)
})

test.for(all)('%s: "%s" ends with %i and a sentence that says what and where', async ([, line, exit, names]) => {
  const ended = await sentenceOf(line)
  expect(ended.exit).toBe(exit)
  expect(ended.sentence).toMatch(names)
  expect(ended.sentence.split('\n').length).toBeLessThanOrEqual(3)
  expect(ended.sentence.replaceAll(folder, '').length).toBeLessThanOrEqual(longest)
  expect(ended.sentence).not.toContain(secret)
})
