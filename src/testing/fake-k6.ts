import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes a program that stands in for k6: it says that it is one, and else does what `body` says. It shares no code with
 * the scripts that k6 runs, only what they say on their output and in their part.
 *
 * In `body` there are: `env`, `scale` (numbers of the workload after overrides), `say(kind, value)`, `create()` (a session,
 * told as k6 tells it), `close(id)`, `window(tally)`, `entry(conversation, entry)`, `part(tally, more)`, `wholes(n)` (the
 * numbers of so many whole iterations), `ms(time)` (the bucket of a time) and `stopped()` (resolves at
 * SIGTERM).
 *
 * @returns its path, for `K6_BIN`
 */
export function writeFakeK6(folder: string, body: string, version = 'k6 v2.2.0 (go1.26.8, linux/amd64)'): string {
  const path = join(folder, 'k6')
  const program = `if (process.argv[2] === 'version') console.log(${JSON.stringify(version)})\nelse (async () => {\n${body}\n})()`
  writeFileSync(path, `#!${process.execPath}\n${helpers}\n${program}\n`)
  chmodSync(path, 0o755)
  return path
}

const helpers = String.raw`
const { readFileSync, writeFileSync } = require('node:fs')
const env = process.env
const scale = JSON.parse(env.GREENROOM_SCALE ?? '{}')
const script = process.argv.at(-1) ?? ''
const scenario = /([\w-]+)\.[jt]s$/.exec(script)?.[1] ?? ''
const segmentAt = process.argv.indexOf('--execution-segment')
const segment = segmentAt === -1 ? '0:1' : process.argv[segmentAt + 1]
// A handler of a signal alone keeps no process alive.
const stopped = () => new Promise((resolve) => {
  const alive = setInterval(() => undefined, 60_000)
  process.on('SIGTERM', () => resolve(clearInterval(alive)))
})
const say = (kind, value) => console.log('greenroom-' + kind + ' ' + JSON.stringify(value))
const window = (tally, at = Math.floor(Date.now() / 5000) * 5) => say('window', { at, scenario, tally })
const entry = (conversation, value) => say('sample', { conversation, entry: { t: Date.now(), ...value } })
const gamma = 1.01 / 0.99
const even = 0.02 * gamma ** 311
const ms = (time) => {
  const logs = (over, from) => Math.ceil(Math.log(over / from) / Math.log(gamma))
  if (time <= 0.02) return '0'
  if (time <= even) return String(logs(time, 0.02))
  return String(time <= even + 110 ? 311 + Math.ceil((time - even) / 0.2) : 861 + logs(time, even + 110))
}
const wholes = (n, create = 10) => ({
  iterations: { begun: n, ended: n },
  conversations: { begun: n, whole: n },
  responses: { whole: n },
  sessions: { opened: n, closed: n },
  events: { 'response.done': n },
  create_ms: { [ms(create)]: n },
})

async function call(method, path, body) {
  const secure = env.GREENROOM_TARGET.startsWith('https:')
  const { request } = require(secure ? 'node:https' : 'node:http')
  const ca = env.SSL_CERT_FILE === undefined ? undefined : readFileSync(env.SSL_CERT_FILE)
  const headers = { authorization: 'Bearer ' + env.GREENROOM_KEY_PRIMARY, 'content-type': 'application/json' }
  const { promise, resolve, reject } = Promise.withResolvers()
  const asked = request(env.GREENROOM_TARGET + path, { method, ca, headers, agent: false }, (answer) => {
    let text = ''
    answer.on('data', (chunk) => (text += chunk)).on('end', () => resolve(JSON.parse(text)))
  })
  asked.on('error', reject).end(JSON.stringify(body))
  return promise
}

let creates = 0
async function create() {
  const name = env.GREENROOM_RUN + '-' + (creates += 1)
  const body = {
    model: 'svc-a1-stream',
    idempotency_key: name,
    session: { mode: 'text_chat', active_avatar_id: 'ada' },
    avatars: [{ avatar_id: 'ada', instructions: 'For ' + name }],
  }
  const operation = 'create-avatar-session'
  const intent = { resource: 'avatar-session', operation, key: 'primary', idempotency_key: name, body }
  say('create', { create: name, intent })
  const { data } = await call('POST', '/v1/realtime-avatar/sessions', body)
  say('created', { create: name, id: data.session_id })
  return data.session_id
}

async function close(id) {
  await call('POST', '/v1/realtime-avatar/sessions/' + id + '/close', {})
  say('ended', { resource: 'avatar-session', id })
}

function part(tally, more = {}) {
  const begun = tally.iterations?.begun ?? 0
  const parts = {
    format: 'greenroom.load-part/1', run: env.GREENROOM_RUN, seed: env.GREENROOM_SEED, scenario, workload: env.GREENROOM_WORKLOAD, scale,
    iterations: { [scenario]: begun }, keys: [], buckets: { alpha: 0.01, short_error_ms: 0.1, short_ms: 120, count: 1208 }, segments: [segment], parts: 1,
    duration_ms: 1000, dropped: { [scenario]: 0 }, tallies: { [scenario]: tally }, ...more,
  }
  writeFileSync(env.GREENROOM_SUMMARY, JSON.stringify(parts))
}
`
