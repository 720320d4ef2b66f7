// What load scripts rely on, held against whatever runs them: the fake k6 in tests, and a real one. Each promise writes a
// line, `contract <name>: ok` or what it saw instead. k6 run load/testing/contract/entry.ts
import { SharedArray } from 'k6/data'
import { instance, scenario, vu } from 'k6/execution'
import http from 'k6/http'
import { Counter } from 'k6/metrics'
import { clearTimeout, setTimeout } from 'k6/timers'
import { WebSocket } from 'k6/websockets'

interface Init {
  readonly target: string
  readonly counted: Counter
  readonly shared: readonly number[]
}

const options = {
  scenarios: {
    once: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'default' },
    crowd: {
      executor: 'ramping-arrival-rate',
      startRate: 3_600 * 10,
      timeUnit: '1h',
      preAllocatedVUs: 1,
      maxVUs: 1,
      stages: [
        { duration: '1s', target: 3_600 * 10 },
        { duration: '50ms', target: 3_600 * 10 },
      ],
      gracefulStop: '5s',
    },
  },
  thresholds: { 'contract_counted{key:named}': ['count>=0'], 'dropped_iterations{scenario:crowd}': ['count>=0'] },
}

/** Only in the init context, once for every user. */
export function contractScript() {
  const init: Init = {
    target: __ENV['CONTRACT_TARGET'] ?? '',
    counted: new Counter('contract_counted'),
    shared: new SharedArray('contract', () => [Date.now(), 7]),
  }
  return { options, iterate: () => iterate(init), handleSummary }
}

function tell(name: string, seen: unknown, holds: boolean): void {
  console.log(`contract ${name}: ${holds ? 'ok' : JSON.stringify(seen)}`)
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(() => resolve(), ms))

async function iterate({ target, counted, shared }: Init): Promise<void> {
  if (scenario.name === 'crowd') {
    counted.add(1, { key: 'named' })
    counted.add(5, { key: 'unnamed' })
    // Longer than all arrivals: those that find no free user are dropped.
    await pause(1_500)
    return
  }
  await timers()
  await requests(target)
  await sockets(target)
  execution(shared)
}

async function timers(): Promise<void> {
  const order: number[] = []
  const called = setTimeout(() => order.push(0), 5)
  clearTimeout(called)
  setTimeout(() => order.push(2), 30)
  setTimeout(() => order.push(1), 10)
  const before = instance.currentTestRunDuration
  await pause(60)
  const waited = instance.currentTestRunDuration - before
  tell('timers run in their order, and not when they were called off', order, order.join() === '1,2')
  tell('a timer is never early', waited, waited >= 60)
}

async function requests(target: string): Promise<void> {
  let ticked = false
  setTimeout(() => (ticked = true), 10)
  const slow = await http.asyncRequest('POST', `${target}/slow`, '{"a":1}', {
    headers: { 'X-Told': 'yes' },
    timeout: 5_000,
  })
  tell('timers run while a request runs', ticked, ticked)
  tell(
    'an answer has status and body',
    [slow.status, slow.body],
    slow.status === 429 && slow.body === 'POST yes {"a":1}',
  )
  const retry = slow.headers['Retry-After']
  tell('headers are named as Go names them', slow.headers, retry === '7')
  tell('the time of an answer is told', slow.timings.duration, slow.timings.duration >= 40)
  const none = await http.asyncRequest('GET', `${target}/silent`, null, { timeout: 200 })
  tell('no answer in time is status 0', none.status, none.status === 0)
}

async function sockets(target: string): Promise<void> {
  const address = target.replace(/^http/, 'ws')
  const heard = await talk(`${address}/echo`, (socket) => socket.send('hello'))
  tell(
    'a socket opens, hears and closes; an unusual code is an error, too',
    heard.log,
    heard.log.join() === 'open,message echo hello,error,close 4001',
  )
  const skew = Math.abs(heard.at - Date.now())
  tell('a message tells when it came', skew, heard.at > 0 && skew < 5_000)
  const refused = await talk(`${address}/refused`, () => undefined)
  tell('a refused upgrade is an error and a close', refused.log, refused.log.join() === 'error,close undefined')
  const left = await talk(`${address}/echo`, (socket) => socket.close(1_000))
  tell('a close of ours ends', left.log, left.log[0] === 'open' && left.log.at(-1)?.startsWith('close') === true)
}

interface Heard {
  readonly log: string[]
  at: number
}

function talk(url: string, opened: (socket: WebSocket) => void): Promise<Heard> {
  const heard: Heard = { log: [], at: 0 }
  const socket = new WebSocket(url)
  return new Promise((resolve) => {
    socket.onopen = (): void => {
      heard.log.push('open')
      opened(socket)
    }
    socket.onmessage = (message): void => {
      heard.log.push(`message ${message?.data as string}`)
      heard.at = message?.timestamp ?? 0
    }
    socket.onerror = (): void => void heard.log.push('error')
    socket.onclose = (event?: { readonly code?: number }): void => {
      heard.log.push(`close ${event?.code}`)
      resolve(heard)
    }
  })
}

function execution(shared: readonly number[]): void {
  tell('users are numbered from 1', vu.idInTest, vu.idInTest >= 1)
  tell('iterations are numbered from 0', scenario.iterationInTest, scenario.iterationInTest === 0)
  const skew = Math.abs(scenario.startTime - Date.now())
  tell('a scenario tells when it began', skew, skew < 20_000)
  tell('a shared array looks like its array', [shared.length, shared[1]], shared.length === 2 && shared[1] === 7)
}

interface Summary {
  readonly metrics: { readonly [metric: string]: { readonly values: { readonly [value: string]: number } } }
}

function handleSummary({ metrics }: Summary): { [output: string]: string } {
  const named = metrics['contract_counted{key:named}']?.values['count']
  const all = metrics['contract_counted']?.values['count'] ?? 0
  const dropped = metrics['dropped_iterations{scenario:crowd}']?.values['count'] ?? 0
  const lines = [
    // A tag has a number of its own only where a threshold names it.
    `contract a tag that a threshold names is counted: ${named !== undefined && named * 6 === all ? 'ok' : `${named} of ${all}`}`,
    `contract a tag that none names is not: ${metrics['contract_counted{key:unnamed}'] === undefined ? 'ok' : 'counted'}`,
    `contract ten iterations were due, and one user ran one: ${dropped === 9 && named === 1 ? 'ok' : `${named} ran, ${dropped} dropped`}`,
  ]
  return { stdout: `${lines.join('\n')}\n` }
}
