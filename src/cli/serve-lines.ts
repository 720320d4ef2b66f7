import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellWord } from '#report/shell-quote'
import type { Embedded } from './embedded.ts'

const create = JSON.stringify({
  model: 'svc-a1-stream',
  session: { mode: 'text_chat' },
  avatars: [{ avatar_id: 'ada', instructions: 'Be brief.' }],
})

/** A whole visit in one file that needs nothing but Node: a create, its control channel, a response, a close. */
const visit = `// Creates a session, speaks on its control channel and closes it: node first-session.mjs (Node 22 or newer)
const { GREENROOM_TARGET: base, GREENROOM_API_KEY: key } = process.env
const headers = { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' }
const call = async (path, body) => {
  const reply = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const { code, message, data } = await reply.json()
  if (code === 0) return data
  console.error(\`\${path} was refused: HTTP \${reply.status}, \${code} \${message}\`)
  process.exit(1)
}
const sessions = '/v1/realtime-avatar/sessions'
const { session_id, control } = await call(sessions, ${create})
const socket = new WebSocket(\`\${control.url}&token=\${encodeURIComponent(control.client_secret)}\`)
const send = (event) => socket.send(JSON.stringify(event))
socket.onopen = () => {
  const content = [{ type: 'input_text', text: 'Hello.' }]
  send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } })
}
socket.onmessage = async ({ data }) => {
  const { type, delta } = JSON.parse(data)
  console.log(type, delta ?? '')
  if (type === 'conversation.item.created' && !socket.asked) send({ type: 'response.create' }, (socket.asked = true))
  if (type !== 'response.done') return
  await call(\`\${sessions}/\${session_id}/close\`, {})
  socket.close()
}
`

/** Lines to copy for whoever has just started the target: all are comments, so that the rest can be sourced. */
export function firstLines({ folder, profile }: Embedded): readonly string[] {
  const script = join(folder, 'first-session.mjs')
  writeFileSync(script, visit)
  const trusted = profile.ca_file === undefined ? '' : ` --cacert ${shellWord(profile.ca_file)}`
  const headers = `-H "Authorization: Bearer $GREENROOM_API_KEY" -H 'Content-Type: application/json'`
  return [
    `# a first session: curl -sS${trusted} "$GREENROOM_TARGET/v1/realtime-avatar/sessions" ${headers} -d ${shellWord(create)}`,
    // The Node of this process: another one on the PATH may be too old for a WebSocket of its own.
    `# a session and its control channel: ${shellWord(process.execPath)} ${shellWord(script)}`,
    `# the interface as OpenAPI: curl -sS${trusted} "$GREENROOM_TARGET/openapi.json"`,
    `# with all keys and limits: npx greenroom check --target ${shellWord(join(folder, 'profile.json'))}`,
    '# Ctrl-C ends it',
  ]
}
