import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { judge } from '#judge/judge'
import { register } from '#judge/register'
import type { Rule } from '#judge/rule'
import { indexTrace } from '#judge/trace-index'
import { resender } from '#report/curl'
import { loadRules } from '#scenario/plan/load-rules'
import { driveTarget } from '#scenario/run/drive'
import { environmentOf } from '#target/profile'
import { type RunningTarget, startTarget } from '#target/start'
import { onSimulatedTarget } from '#testing/simulated-target'
import { sideBySide } from '#testing/side-by-side'
import { ofAllRows, type Trace } from '#trace/reader'
import { againLines, shownByFiles } from './again-lines.ts'
import { openOutFolder, type OutFolder, shown } from './out-folder.ts'
import { writeReplays } from './write-replays.ts'
import { newFolder } from '#testing/new-folder'

/** Whether what a line printed shows the mistake. */
type Shows = (printed: string) => boolean

const has =
  (mistake: RegExp): Shows =>
  (printed) =>
    mistake.test(printed)
const lacks =
  (right: RegExp): Shows =>
  (printed) =>
    !right.test(printed)
const twice =
  (what: RegExp): Shows =>
  (printed) =>
    [...printed.matchAll(new RegExp(what, 'g'))].length > 1
/** Of what came, without what was sent. */
const came =
  (shows: Shows): Shows =>
  (printed) =>
    shows(printed.replaceAll(/^-> .*$/gm, ''))
/** Of the answer to the last read. */
const read =
  (shows: Shows): Shows =>
  (printed) =>
    shows(/.*-> GET.*?\n {3}(\{.*?)\n/s.exec(printed)?.[1] ?? printed)
/** The last connection that was tried. */
const admittedLast: Shows = (printed) => /.*<- channel \d+ (opened|refused)/s.exec(printed)?.[1] === 'opened'
const refused = has(/"code":[1-9]/)
/** What a script sends before it reads sessions may well be refused. */
const admitted: Shows = (printed) => !/"code":[1-9]/.test(printed.slice(Math.max(0, printed.indexOf('-> GET '))))

const cases: { readonly [kind: string]: { readonly [defect: string]: Shows } } = {
  'REST create': {
    'avatar-sessions.create.model-lite-accepted': refused,
    'avatar-sessions.create.avatars-several-accepted': refused,
    'avatar-sessions.assets.audio-accepted': refused,
    'avatar-sessions.create.transport-unused-in-text-chat': refused,
    'avatar-sessions.create.transport-default': has(/"transport":"rtc_b"/),
    'avatar-sessions.session.idle-timeout-omitted-zero': has(/"interaction_idle_timeout_seconds":1800/),
    'world-sessions.create.aspect-ratio-9-16-accepted': refused,
    'world-sessions.blocks.several-accepted': refused,
    'characters.create.default-mode-video-accepted': refused,
    'characters.create.name-missing-rejected': admitted,
  },
  'REST read': {
    'avatar-sessions.get.agrees-with-create': read(has(/"model":"svc-a1-stream-lite"/)),
    'world-sessions.get.control-expires-at': read(has(/"control":\{[^}]*"expires_at":\d/)),
    'avatar-sessions.list.accepted': has(/"code":10009/),
    'avatar-sessions.list.each-once': read(twice(/"session_id"/)),
    'characters.list.item-shape': read(has(/"created_at":\d/)),
    'characters.list.page-token-invalid-rejected~end': read(admitted),
    'avatar-sessions.session.auto-close-snapshot': read(has(/"disconnected_timeout_seconds":305/)),
    'voices.get.public-found~other': has(/"Ada \(public\)"/),
    'world-sessions.get.last-sequence': read(lacks(/"last_sequence"/)),
    'world-sessions.get.same-references': read(has(/"references":\[\]/)),
  },
  upload: {
    'audio-files.upload.ogg-accepted': refused,
    'audio-files.upload.image-rejected': admitted,
    'audio-files.code-20010.other-field-name~prefix': admitted,
    'audio-files.code-20006.empty-file~mpeg': has(/"code":20008/),
    'audio-files.file.type-audio~missing': lacks(/"file_type"/),
    'audio-files.file.size-bytes-integer': has(/"size_bytes":\d+\.\d/),
    'audio-files.file.object': has(/"data":\[/),
    'audio-files.file.url-absolute': has(/"url":"\//),
    'audio-files.file.url-absolute~host': has(/"url":"cdn\./),
    'audio-files.file.mime-type-detected': has(/"mime_type":"audio\/mpeg"/),
  },
  'channel frame': {
    'control-channel.text-delta.output-index-number': has(/"output_index":"0"/),
    'control-channel.session-updated.event-id-echoed': has(/"event_id":"event_update-/),
    'control-channel.session-update-done.request-event-id~other': has(/"request_event_id":"req_update-/),
    'control-channel.item.part-type-in-set': came(has(/"type":"output_text"/)),
    'control-channel.item-retrieved.item-object': lacks(/"conversation\.item\.retrieved","item"/),
    'control-channel.response-done.response-object': has(/"response":\[/),
    'control-channel.response.id-unique': has(/"resp_current"/),
    'control-channel.script-speech.text-done-exact~after-idle-cancel': has(/output_text\.done".*"text":""/),
    'control-channel.avatar-added.lists-every-avatar': lacks(/"avatar\.added".*"cook".*"pilot"/),
    'control-channel.text-delta.concatenate-to-final-text': lacks(/"delta":"Good morni"/),
  },
  credential: {
    'authentication.invalid-key.near-miss': admitted,
    'authentication.invalid-key.near-miss~case': admitted,
    'authentication.invalid-key.near-miss~middle': admitted,
    'authentication.missing-key.empty-token': admitted,
    'authentication.api-key.other-scheme-rejected': admitted,
    'authentication.api-key.bare-key-rejected': admitted,
    'authentication.api-key.other-header-rejected': admitted,
    'control-channel.admission.near-miss-token-refused': admittedLast,
    'control-channel.admission.wrong-bearer-refused': admittedLast,
    'control-channel.admission.api-key-token-refused': admittedLast,
  },
  'channel order': {
    'control-channel.render-started.for-model-output': (printed) =>
      countOf('response.render.started', printed) < countOf('response.done', printed),
    'control-channel.render-stopped.follows-started': lacks(/"response\.render\.stopped"/),
    'control-channel.session-closed.once': has(/<- (channel \d+) .*"session\.closed".*\n<- \1 .*"session\.closed"/),
    'control-channel.response-done.output-item-once': has(/"output":\[\{"id":"(\w+)".*\{"id":"\1"/),
    'control-channel.item-create.root-inserts-at-start': has(/"previous_item_id":"[^"]+".*"This comes before all\."/),
    'control-channel.item-created.for-generated-output': lacks(/"conversation\.item\.created".*"role":"assistant"/),
    'control-channel.text-delta.for-spoken-media': lacks(/"response\.output_text\.delta"/),
    'control-channel.response-cancel.status': has(/"status":"completed","status_details":\{"type":"cancelled"/),
    'control-channel.avatar-added.each-once': came(has(/"avatar_id":"curator".*"avatar_id":"curator"/)),
    'control-channel.scheduling.reject-if-busy-idle-starts~other-session': has(/"code":"session_busy"/),
  },
}

function countOf(type: string, printed: string): number {
  return printed.split(`"type":"${type}"`).length - 1
}

/** Where another scenario than the first of its own row shows a defect, or a walk shows it first, by names that it draws. */
const scenarios: { readonly [defect: string]: string } = {
  'control-channel.avatar-added.lists-every-avatar': 'control-channel.additions',
  'control-channel.avatar-added.each-once': 'control-channel.additions',
  'control-channel.script-speech.text-done-exact~after-idle-cancel': 'control-channel.speech',
  'control-channel.scheduling.reject-if-busy-idle-starts~other-session': 'control-channel.isolation',
}

const all = Object.entries(cases).flatMap(([kind, defects]) =>
  Object.entries(defects).map(([defect, shows]) => ({ kind, defect, shows })),
)

/** Runs side by side. */
const atOnce = 8

/** What was printed for each, before any line runs: judging would keep the targets of the lines from answering in time. */
const prints = new Map<string, Printed>()
let whole = ''

beforeAll(async () => {
  whole = newFolder()
  // Most of a run is waiting. What is judged meanwhile would keep others waiting, too: that comes after all of them.
  const seen = await sideBySide(all, atOnce, ({ defect }, place) => {
    const [requirement = ''] = defect.split('~')
    return see(join(whole, String(place)), { defect, requirement, only: scenarios[defect] ?? requirement })
  })
  const rules = await loadRules()
  for (const one of seen) prints.set(one.defect, printAgainLine(one, rules))
})

test('ten defects of each kind', () => {
  expect(Object.values(cases).map((defects) => Object.keys(defects).length)).toEqual([10, 10, 10, 10, 10, 10])
})

test.concurrent.for(all)('$kind: the line of $defect shows it, and nothing on a correct target', async (one) => {
  const again = prints.get(one.defect)
  if (again === undefined) throw new Error(`nothing was printed for ${one.defect}`)
  expect(again.line).toMatch(/^(?:curl|node) /)
  const [defect, correct] = [await runAgainLine(again, [one.defect]), await runAgainLine(again, [])]
  expect(`${defect}${correct}`).not.toMatch(/\nexit \d/)
  expect({ defect: one.shows(defect), correct: one.shows(correct) }).toEqual({ defect: true, correct: false })
})

/** What shows a defect. */
interface Case {
  readonly defect: string
  readonly requirement: string
  /** The scenario, or the row whose scenario it is. */
  readonly only: string
}

/** The `again:` line of a failure, and where it was printed. */
interface Printed extends Case {
  readonly line: string
  /** Address of the target that it names. */
  readonly base: string
  readonly folder: string
}

/** A run in which a defect shows, before anything is judged. */
interface Seen extends Case {
  readonly trace: Trace
  readonly out: OutFolder
  /** Address of its target. */
  readonly base: string
  readonly folder: string
}

/** Runs one scenario on a target with a defect. */
async function see(folder: string, one: Case): Promise<Seen> {
  const out = openOutFolder(folder)
  return onSimulatedTarget({ defects: [one.defect] }, async (target) => {
    const { trace } = await driveTarget({ ...target, only: [one.only], uploads: out.uploads, seed: 1 })
    return { ...one, trace, out, base: target.profile.base_url, folder }
  })
}

/** Writes what a run leaves beside its results. */
function printAgainLine(seen: Seen, rules: readonly Rule[]): Printed {
  const { trace, out, base, folder, defect, requirement, only } = seen
  const judged = judge(ofAllRows(trace), register(), rules)
  const results = { ...judged, requirements: judged.requirements.filter(({ id }) => id === requirement), unscored: [] }
  const index = indexTrace(trace.entries)
  writeReplays(results, index, rules, out)
  out.release()
  const curl = resender(trace.entries, base, results.target.profile, shown(out.uploads))
  const again = againLines({
    profile: results.target.profile,
    index,
    shownBy: shownByFiles(out.replays),
    folder: shown(out.replays),
    curl,
  })
  const [failure] = results.requirements[0]?.failures ?? []
  const line = failure === undefined ? undefined : again(failure.evidence, requirement)
  if (line === undefined) throw new Error(`${defect} left no line: ${results.requirements[0]?.reason}`)
  return { defect, requirement, only, line, base, folder }
}

/** Has a shell run a line as printed, but for the port, on a target with some defects. @returns what it printed */
function runAgainLine({ line, base, folder }: Printed, defects: readonly string[]): Promise<string> {
  return onPort(defects, (target) => run(line, base, folder, target))
}

async function onPort<T>(defects: readonly string[], action: (target: RunningTarget) => Promise<T>): Promise<T> {
  const target = await startTarget({ tls: false, seed: 1, defects: [...defects] })
  try {
    return await action(target)
  } finally {
    await target.stop()
  }
}

async function run(line: string, base: string, folder: string, target: RunningTarget): Promise<string> {
  const moved = (text: string): string => text.replaceAll(base, target.base_url)
  const replays = join(folder, 'replay')
  for (const name of readdirSync(replays).filter((one) => one.endsWith('.mjs'))) {
    const file = join(replays, name)
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, before.replaceAll(/^const base = .*$/gm, `const base = ${JSON.stringify(target.base_url)}`))
  }
  const PATH = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  const env = { PATH, ...environmentOf(target) }
  return new Promise<string>((resolve) => {
    execFile('bash', ['-c', moved(line)], { env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const failed = error === null ? '' : `\nexit ${error.code}: ${stderr}`
      resolve(`${stdout}${failed}`)
    })
  })
}
