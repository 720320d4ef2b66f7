import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { listen, LOOPBACK_HOST } from '#testing/listener'
import { voicesRequest } from '#testing/recording/voices-request'
import type { Entry } from '#trace/entry'
import type { Replay } from '../replay-file.ts'
import { isOneRequest, makeScript } from './make-script.ts'

function replayOf(steps: readonly Entry[], more: Partial<Replay> = {}): Replay {
  return {
    format: 'greenroom.replay/1',
    requirement: 'voices.list.item-shape',
    section: '9',
    level: 'must',
    text: 'A list.',
    expected: 'a list',
    got: 'none',
    run: 'abcdefghij',
    versions: { greenroom: '0.0.0', spec: '1.0.0' },
    base_url: `http://${LOOPBACK_HOST}:9`,
    steps,
    short: steps.map((_, place) => place),
    evidence: [],
    ...more,
  }
}

test('a comment is one line, however long one letter of it is repeated', () => {
  const script = makeScript(replayOf([voicesRequest({})], { got: 'x'.repeat(300), text: 'a\u2028b\nc' }), {})
  expect(script).toContain(`//   got:      ${'x'.repeat(300)}\n`)
  expect(script).toContain('// a\\u2028b\\nc\n')
})

test('whoever runs it is told of the proxy that the run went through', () => {
  expect(makeScript(replayOf([voicesRequest({})]), { proxy: 'GR_PROXY' })).toContain('HTTPS_PROXY="$GR_PROXY" node')
  expect(makeScript(replayOf([voicesRequest({})]), {})).not.toContain('PROXY')
})

test('one request says all of it, unless it says a spoilt key', () => {
  expect(isOneRequest(replayOf([voicesRequest({})]))).toBe(true)
  const header = { headers: { authorization: 'Bearer [api_key_primary_marred 12]' }, key: 'malformed' }
  expect(isOneRequest(replayOf([voicesRequest(header)]))).toBe(false)
  expect(isOneRequest(replayOf([voicesRequest({ body: { name: '[api_key_primary_cut 12]' } })]))).toBe(false)
  const whole = { headers: { authorization: 'Basic [api_key primary]' }, key: 'malformed' }
  expect(isOneRequest(replayOf([voicesRequest(whole)]))).toBe(true)
})

test('a script prints no secret that an event tells', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.send(
      JSON.stringify({ type: 'session.updated', client_secret: 'cs_hidden', rtc: { user_sig: 'sig_hidden' } }),
    )
    socket.close()
  })
  const { port, stop } = await listen(server)
  const url = `ws://${LOOPBACK_HOST}:${port}/`
  const open = { kind: 'channel-open', t: 1, channel: 1, session: 's', url, credential: 'none' } as Entry
  const heard = {
    kind: 'frame-received',
    t: 2,
    channel: 1,
    frame: 1,
    data: { type: 'session.updated' },
    bytes: 1,
  } as Entry
  const script = execFile(process.execPath, ['--input-type=module'])
  const printed: string[] = []
  script.stdout?.on('data', (part) => printed.push(String(part)))
  script.stdin?.end(makeScript(replayOf([open, heard]), {}))
  expect(await once(script, 'close')).toEqual([0, null])
  sockets.close()
  await stop()
  expect(printed.join('')).toContain('"type":"session.updated"')
  expect(printed.join('')).not.toMatch(/_hidden/)
})

test('a script ends what it made under the id that it was told, whatever stands in it', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end(JSON.stringify({ code: 0, message: 'ok', data: { session_id: "a/b?c $'" } }))
  })
  const { port, stop } = await listen(server)
  const path = '/v1/realtime-avatar/sessions'
  const create = voicesRequest({ operation: 'create-avatar-session', method: 'POST', path, body: {} })
  const env = { ...process.env, GREENROOM_API_KEY: 'a-key' }
  const script = execFile(process.execPath, ['--input-type=module'], { env })
  script.stdin?.end(makeScript(replayOf([create], { base_url: `http://${LOOPBACK_HOST}:${port}` }), {}))
  await once(script, 'close')
  await stop()
  expect(asked).toEqual([`POST ${path}`, `POST ${path}/a%2Fb%3Fc%20%24'/close`])
})
