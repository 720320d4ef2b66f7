import { nearlyRight } from './nearly-right.ts'

/**
 * What the lines of a script use, as its last lines: nothing but what Node brings, so that a script can be pasted into a bug
 * report.
 */
export const kit = `${String.raw`
// ---- what the lines above use ----

/** Says what is missing, before anything is sent. */
function stop(why) {
  console.error(why)
  process.exit(2)
}

function env(name) {
  const value = process.env[name]
  if (value === undefined || value === '') stop('put the API key or header into $' + name)
  return value
}

/** Secrets are not printed, only how long they are. */
function shown(value) {
  return JSON.stringify(value, (name, inner) =>
    typeof inner === 'string' && /(?:secret|token|signature|user_sig|api_key)$/.test(name) ? '(' + inner.length + ' characters)' : inner,
  )
}

async function call(method, path, { key, authorization, headers = {}, body, text, form } = {}) {
  const asked = { accept: 'application/json', ...gates, ...headers }
  if (key !== undefined) asked.authorization = 'Bearer ' + key
  if (authorization !== undefined) asked.authorization = authorization
  if (body !== undefined) asked['content-type'] ??= 'application/json'
  console.log('->', method, path, form === undefined ? (text ?? (body === undefined ? '' : shown(body))) : '(a form)')
  const sent = form ?? text ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(base + path, { method, headers: asked, redirect: 'manual', ...(sent === undefined ? {} : { body: sent }) })
  const came = await response.text()
  const answer = parsed(came)
  console.log('<-', response.status, [...response.headers].filter(([name]) => !/^(date|connection|keep-alive|content-length|transfer-encoding)$/.test(name)).map((pair) => pair.join(': ')).join('; '))
  console.log('  ', answer === undefined ? came : shown(answer))
  const end = ends[method + ' ' + path.replace(/\?.*/, '')]
  const id = end === undefined ? undefined : answer?.data?.[end.id]
  if (answer?.code === 0 && id !== undefined) made.set(end.path.replace(/\{\w+\}/, () => encodeURIComponent(String(id).toWellFormed())), { ...end, key })
  return answer ?? {}
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Asks until what is under way has come to its end, for half a minute at most. */
async function settled(path, options) {
  for (let left = 30; ; left -= 1) {
    const answer = await call('GET', path, options)
    if (left === 0 || !/^(closing|provisioning)$/.test(answer.data?.status)) return answer
    await pause(1000)
  }
}

async function form(parts) {
  const { readFile } = process.getBuiltinModule('node:fs/promises')
  const whole = new FormData()
  for (const { name, file, filename, type = '' } of parts) {
    const bytes = await readFile(new URL('uploads/' + file, import.meta.url))
    if (filename === undefined) whole.append(name, bytes.toString())
    else whole.append(name, new Blob([bytes], { type }), filename)
  }
  return whole
}

/** Opens a control connection, and prints every event that comes. */
async function connect(number, url, { token, bearer } = {}) {
  const name = 'channel ' + number
  const address = new URL(url)
  if (token !== undefined) address.searchParams.set('token', token)
  const headers = bearer === undefined ? {} : { headers: { authorization: 'Bearer ' + bearer } }
  console.log('->', name, 'open')
  const socket = new WebSocket(address, headers)
  const came = []
  const heard = new Map()
  let wake = () => {}
  socket.addEventListener('message', ({ data }) => {
    const event = parsed(data)
    came.push(event ?? {})
    console.log('<-', name, typeof data !== 'string' ? '(binary)' : event === undefined ? data : shown(event))
    wake()
  })
  socket.addEventListener('close', ({ code, reason }) => {
    console.log('<-', name, 'closed', code, reason)
    wake()
  })
  const opened = await new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(true))
    socket.addEventListener('error', () => resolve(false))
  })
  console.log('<-', name, opened ? 'opened' : 'refused')
  const next = (ms) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const say = (data) => {
    console.log('->', name, data)
    if (socket.readyState === WebSocket.OPEN) socket.send(data)
  }
  const channel = {
    send: (event) => say(JSON.stringify(event)),
    sendText: (text) => say(text),
    sendBinary: (bytes) => say(new Uint8Array(bytes)),
    /** The next event of a type that was not heard yet; {} where none comes in time. */
    async heard(type) {
      const from = heard.get(type) ?? { place: 0, patience: 10000 }
      const until = Date.now() + from.patience
      for (;;) {
        const place = came.findIndex((event, index) => index >= from.place && event.type === type)
        if (place >= 0) {
          heard.set(type, { place: place + 1, patience: 10000 })
          return came[place]
        }
        if (Date.now() >= until || socket.readyState !== WebSocket.OPEN) {
          console.log('  ', name, 'no', type, 'came')
          heard.set(type, { ...from, patience: from.patience / 2 })
          return {}
        }
        await next(until - Date.now())
      }
    },
    /** Until nothing has come for a second. */
    async quiet() {
      for (let count = -1; count < came.length && socket.readyState === WebSocket.OPEN; ) {
        count = came.length
        await pause(1000)
      }
    },
    async closed(ms) {
      const until = Date.now() + ms
      while (socket.readyState === WebSocket.OPEN && Date.now() < until) await next(until - Date.now())
    },
    close: () => socket.close(),
  }
  channels.push(channel)
  return channel
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Ends what was made. */
async function tidy() {
  for (const channel of channels) channel.close()
  for (const [path, { method, key }] of made) await call(method, path, { key }).catch(() => {})
}
`}${nearlyRight}`
