import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { newFolder } from '#testing/new-folder'
import { frozenTrace } from '#testing/frozen/frozen-traces'
import { registerDigest } from '#spec/register'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'

const folder = newFolder()
/** Made by `src/testing/recording/make-har.ts`: a page in Chromium at the reference target. */
const ofChrome = join(packageRoot(), 'fixtures/har/session.har')

interface HarEntry {
  startedDateTime: string
  _webSocketMessages?: { type: string; time: number; opcode: number; data: string }[]
  request: { method: string; url: string; headers: { name: string; value: string }[]; postData?: { text: string } }
  response: { content: { text?: string; size: number }; _fetchedViaServiceWorker?: boolean }
}

interface Har {
  log: { entries: HarEntry[] }
}

async function imported(file: string, args: readonly string[] = []) {
  const shell = fakeShell()
  const out = join(folder, `out-${Math.random()}`)
  const exit = await runProgram(['import', 'har', file, '--out', out, ...args], shell)
  const read = (name: string) => readFileSync(join(out, name), 'utf8')
  const results = JSON.parse(read('results.json'))
  return { exit, shell, out, results, trace: read('trace.ndjson'), mistakes: JSON.parse(read('client-mistakes.json')) }
}

function changed(name: string, change: (har: Har) => void): string {
  const har: Har = JSON.parse(readFileSync(ofChrome, 'utf8'))
  change(har)
  const file = join(folder, `${name}.har`)
  writeFileSync(file, JSON.stringify(har))
  return file
}

const red = (results: { requirements: { id: string; verdict: string }[] }): string[] =>
  results.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id)

test('what Chrome recorded of a session is judged, and judged again byte by byte', async () => {
  const { exit, results, out, trace, mistakes } = await imported(ofChrome)
  expect([exit, red(results)]).toEqual([0, []])
  expect(results.summary.pass).toBeGreaterThan(100)
  expect(results.traffic).toMatchObject({ sessions_created: 1, client_events: 3, server_events: 10 })
  expect(mistakes.kinds.map(({ kind }: { kind: string }) => kind)).toEqual(['key-in-a-browser', 'invalid-event'])
  expect(trace).not.toContain('replaced-secret')
  const again = fakeShell()
  await runProgram(['judge', join(out, 'trace.ndjson')], again)
  expect(again.stdout()).toBe(readFileSync(join(out, 'results.json'), 'utf8'))
})

test('a browser that speaks on a control channel alone is judged: its server holds the key, and made the session', async () => {
  const file = changed('channel', ({ log }) => {
    log.entries = log.entries.filter(({ _webSocketMessages: messages }) => messages !== undefined)
  })
  const { exit, shell, results } = await imported(file)
  expect([exit, red(results)]).toEqual([0, []])
  expect(results.summary.pass).toBeGreaterThan(30)
  expect(`${results.target.base_url}/`).toBe(
    JSON.parse(readFileSync(file, 'utf8')).log.entries[0].request.url.replace(/^ws(.*?)v1.*/, 'http$1'),
  )
  expect(shell.stderr()).not.toContain('no request of the interface')
  expect((await imported(file, ['--target', 'https://service.example'])).exit).toBe(3)
})

test('a channel that only echoes its client is no session, and nothing passes', async () => {
  const file = changed('echo', ({ log }) => {
    log.entries = log.entries.filter(({ _webSocketMessages: messages }) => messages !== undefined)
    for (const entry of log.entries) {
      const sent = (entry._webSocketMessages ?? []).filter(({ type }) => type === 'send')
      entry._webSocketMessages = sent.flatMap((one) => [one, { ...one, type: 'receive', time: one.time + 0.001 }])
    }
  })
  const { results } = await imported(file)
  expect(results.summary.pass).toBe(0)
})

test('a file that is no HAR leaves what stands in the folder, and none is written over what is read', async () => {
  const { out } = await imported(ofChrome)
  const noHar = join(folder, 'no.har')
  writeFileSync(noHar, '{}')
  const before = readFileSync(join(out, 'results.json'), 'utf8')
  const importing = (kind: string, file: string) => runProgram(['import', kind, file, '--out', out], fakeShell())
  await expect(importing('har', noHar)).rejects.toThrow('is no HAR')
  await expect(importing('trace', join(out, 'trace.ndjson'))).rejects.toThrow('would overwrite')
  expect(readFileSync(join(out, 'results.json'), 'utf8')).toBe(before)
})

test('a service that breaks a requirement in an export ends with 1', async () => {
  const file = changed('wrong', ({ log }) => {
    const messages = log.entries.flatMap((entry) => entry._webSocketMessages ?? [])
    const delta = messages.find(({ data }) => data.includes('output_text.delta'))
    if (delta !== undefined) delta.data = delta.data.replace(/"delta":"[^"]*"/, '"delta":"something else"')
  })
  const { exit, results } = await imported(file)
  expect(exit).toBe(1)
  expect(red(results)).toEqual(['control-channel.text-delta.concatenate-to-final-text'])
})

test('what a page sends past the service blames nobody: another service, and what a service worker sends for it', async () => {
  const file = changed('beside', ({ log }) => {
    const socket = log.entries.find((entry) => entry._webSocketMessages !== undefined)
    const create = log.entries.find(({ request }) => request.method === 'POST')
    if (socket === undefined || create === undefined) throw new Error('the fixture has neither')
    const other = structuredClone(socket)
    other.request.url = 'wss://staging.other.example/v1/realtime-avatar/control?session_id=other'
    for (const message of other._webSocketMessages ?? [])
      message.data = '{"type":"response.created","response":{"id":5}}'
    const { idempotency_key: _, ...body } = JSON.parse(create.request.postData?.text ?? '')
    create.request.postData = { text: JSON.stringify(body) }
    const ofPage = structuredClone(create)
    ofPage.response._fetchedViaServiceWorker = true
    log.entries.splice(log.entries.indexOf(create), 0, ofPage)
    log.entries.push(other)
  })
  const { shell, results } = await imported(file)
  expect(red(results)).toEqual([])
  expect(results.traffic).toMatchObject({ sessions_created: 1, client_events: 3 })
  expect(shell.stderr()).toContain('1 request that a service worker answered left out')
  expect(shell.stderr()).toContain('wss://staging.other.example 1')
})

test('an upload whose file the export does not hold is not taken for an empty one', async () => {
  const file = changed('upload', ({ log }) => {
    const like = log.entries.find(({ request }) => request.method === 'POST')
    if (like === undefined) throw new Error('the fixture has none')
    const head = 'Content-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav'
    const data = { file_id: 'file_1', file_type: 'audio', mime_type: 'audio/wav', size_bytes: 480_044, url: '' }
    const made = { ...data, url: 'https://cdn.example/a.wav', created_at: like.startedDateTime }
    const text = JSON.stringify({ code: 0, message: 'ok', data: made })
    const authorization = like.request.headers.filter(({ name }) => /^authorization$/i.test(name))
    log.entries.push({
      ...like,
      request: {
        method: 'POST',
        url: new URL('/v1/files/audios', like.request.url).href,
        headers: [...authorization, { name: 'content-type', value: 'multipart/form-data; boundary=b' }],
        postData: { text: `--b\r\n${head}\r\n\r\n\r\n--b--\r\n` },
      },
      response: { ...like.response, content: { size: text.length, text } },
    })
  })
  const { shell, results } = await imported(file)
  expect(red(results)).toEqual([])
  expect(shell.stderr()).toContain('1 request whose body is not in the file')
})

test('an export without bodies is judged as far as it goes, and blames nobody', async () => {
  const file = changed('bare', ({ log }) => {
    for (const { request, response } of log.entries) {
      delete response.content.text
      delete request.postData
      response.content.size = 400
    }
  })
  const { shell, results, mistakes } = await imported(file)
  expect(red(results)).toEqual([])
  expect(mistakes.kinds.map(({ kind }: { kind: string }) => kind)).toEqual(['key-in-a-browser', 'invalid-event'])
  expect(shell.stderr()).toContain('answers without a body; export "with content"')
})

test('an export without keys and messages says what it lacks', async () => {
  const file = changed('sanitized', ({ log }) => {
    for (const entry of log.entries) {
      delete entry._webSocketMessages
      entry.request.headers = entry.request.headers.filter(({ name }) => name.toLowerCase() !== 'authorization')
    }
  })
  const { exit, shell, results, mistakes } = await imported(file)
  expect([exit, red(results), mistakes.total]).toEqual([0, [], 0])
  expect(shell.stderr()).toContain('requests without Authorization')
  expect(shell.stderr()).toContain('1 control connection without messages')
})

test('an export of another host has nothing to judge, and names the hosts', async () => {
  const file = changed('elsewhere', ({ log }) => {
    for (const { request } of log.entries) request.url = request.url.replace(/\/\/[^/]+/, '//other.example')
  })
  const { exit, shell } = await imported(file, ['--target', 'https://service.example'])
  expect(exit).toBe(3)
  expect(shell.stderr()).toContain('to elsewhere left out (http://other.example')
})

test.each([
  ['{"log":{"entries":[', 'it ends early'],
  ['no JSON', 'it is not JSON'],
  ['{"log":{"entries":[]}}', 'it has no log.entries'],
  ['[1,2]', 'it has no log.entries'],
])('%j is no HAR', async (text, why) => {
  const file = join(folder, 'broken.har')
  writeFileSync(file, text)
  await expect(runProgram(['import', 'har', file], fakeShell())).rejects.toMatchObject({
    exit: 2,
    message: expect.stringContaining(`is no HAR: ${why}`),
  })
})

test('a file that is not there is a wrong use', async () => {
  for (const kind of ['har', 'trace'])
    await expect(runProgram(['import', kind, join(folder, 'none')], fakeShell())).rejects.toMatchObject({ exit: 2 })
})

test('samples of a load run are judged by the rules alone', async () => {
  const file = join(folder, 'samples.ndjson')
  const [header = '', ...rest] = frozenTrace('reference-smoke').split('\n')
  const fresh = JSON.stringify({ ...JSON.parse(header), register: registerDigest() })
  writeFileSync(file, [fresh, ...rest].join('\n'))
  const shell = fakeShell()
  const out = join(folder, 'samples')
  expect(await runProgram(['import', 'trace', file, '--out', out], shell)).toBe(0)
  const results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'))
  expect(results.run).toMatchObject({ recording: 'load-samples', outcome: 'completed' })
  expect(red(results)).toEqual([])
  const again = fakeShell()
  await runProgram(['judge', join(out, 'trace.ndjson')], again)
  expect(again.stdout()).toBe(readFileSync(join(out, 'results.json'), 'utf8'))
})
