// A small client as an app would have one, for the examples in stand-in.md; Node 22 or newer, no package.
//
//   node small-client.js [--sessions <n>] [--patience <ms>] [<question> …]
//
// It makes sessions, asks the questions on the control channel of the last one, says what it does, and closes what it made.
// It tries a create again under its idempotency key, connects again when the channel breaks, makes a new session when the
// old one is over, and does not wait for ever for an answer. GREENROOM_TARGET and GREENROOM_API_KEY say where and with what.
import { parseArgs } from 'node:util'

const { GREENROOM_TARGET: base, GREENROOM_API_KEY: key } = process.env
const { values, positionals: questions } = parseArgs({
  allowPositionals: true,
  options: { sessions: { type: 'string', default: '1' }, patience: { type: 'string', default: '10000' } },
})
const path = '/v1/realtime-avatar/sessions'
const mostTries = 4
const say = (text) => process.stdout.write(`${text}\n`)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const made = []
let socket
let events = []
let sent = 0

const post = (to, body) =>
  fetch(`${base}${to}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Section 7: what is refused with 429 or 5xx passes, and is tried again under the same key; the rest stays refused. */
async function makeSession() {
  const body = {
    model: 'svc-a1-stream',
    idempotency_key: `${process.pid}-session-${made.length + 1}`,
    session: { mode: 'text_chat' },
    avatars: [{ avatar_id: 'host' }],
  }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await post(path, body)
    const { code, message, data } = await answer.json()
    if (code === 0) {
      made.push(data)
      say(`session ${made.length} is made`)
      return
    }
    const passes = answer.status === 429 || answer.status >= 500
    if (!passes || attempt === mostTries) throw new Error(`${code} ${message}`)
    say(`refused with ${code}; the same create once more`)
    const told = Number(answer.headers.get('retry-after') ?? 0) * 1_000
    await pause(Math.max(told, 100 * 2 ** attempt))
  }
}

/** Section 5.3: the secret is not single-use. Where it is refused, the session is over. */
async function connect() {
  const { url, client_secret: secret } = made.at(-1).control
  const opening = new WebSocket(`${url}&token=${encodeURIComponent(secret)}`)
  opening.addEventListener('message', ({ data }) => events.push(JSON.parse(data)))
  const opened = await new Promise((resolve) => {
    opening.addEventListener('open', () => resolve(true))
    opening.addEventListener('close', () => resolve(false))
  })
  if (opened) socket = opening
  else {
    say('the session is over; a new one is made')
    await makeSession()
  }
}

/** The text of an answer; nothing where none came. */
async function answerTo(question) {
  while (socket?.readyState !== WebSocket.OPEN) await connect()
  events = []
  const asked = Date.now()
  sent += 1
  socket.send(JSON.stringify({ type: 'response.create', event_id: `e${sent}`, response: { instructions: question } }))
  for (;;) {
    await pause(5)
    const done = events.some(({ type, response }) => type === 'response.done' && response?.status === 'completed')
    if (done) return events.find(({ type }) => type === 'response.output_text.done')?.text
    const silent = !events.some(({ type }) => type === 'response.output_text.delta')
    if (socket.readyState !== WebSocket.OPEN) say('the channel broke; it is opened again')
    else if (silent && Date.now() - asked > Number(values.patience)) say('no word for too long; asked again')
    else continue
    return undefined
  }
}

async function ask(question) {
  for (let attempt = 1; attempt <= mostTries; attempt += 1) {
    if ((await answerTo(question)) !== undefined) return say(`"${question}" is answered`)
  }
  throw new Error(`"${question}" was not answered`)
}

for (let count = 0; count < Number(values.sessions); count += 1) await makeSession()
for (const question of questions) await ask(question)
socket?.close()
for (const { session_id: id } of made) await post(`${path}/${id}/close`, {})
