import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'

/** A browser on this machine that speaks the DevTools protocol; undefined where there is none. */
export function findBrowser(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return names.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore', timeout: 30_000 }).status === 0)
}

/** What a command of the protocol answers. */
type Answer = { readonly [field: string]: unknown }

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Answer
  readonly result?: Answer
  readonly error?: { readonly message: string }
}

/** A headless browser, driven over its DevTools protocol. */
export class Browser {
  readonly #process: ChildProcess
  readonly #folder: string
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #listeners = new Map<string, Set<(params: Answer) => void>>()
  #commands = 0

  private constructor(process: ChildProcess, folder: string, socket: WebSocket) {
    this.#process = process
    this.#folder = folder
    this.#socket = socket
    socket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString()) as Message))
  }

  static async start(program: string): Promise<Browser> {
    const folder = mkdtempSync(join(tmpdir(), 'greenroom-browser-'))
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--disable-dev-shm-usage']
    const child = spawn(program, [...flags, '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const socket = new WebSocket(await addressOf(child))
    await once(socket, 'open')
    return new Browser(child, folder, socket)
  }

  /** Sends one command; the browser itself is meant where no `session` is given. */
  async send(method: string, params: object = {}, session?: string): Promise<Answer> {
    this.#commands += 1
    const id = this.#commands
    const { promise, resolve } = Promise.withResolvers<Message>()
    this.#waiting.set(id, resolve)
    this.#socket.send(JSON.stringify({ id, method, params, ...(session === undefined ? {} : { sessionId: session }) }))
    const { result, error } = await promise
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }

  on(method: string, take: (params: Answer) => void): void {
    const takers = this.#listeners.get(method) ?? new Set()
    this.#listeners.set(method, takers.add(take))
  }

  once(method: string): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.on(method, resolve)
    return promise
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, 'exit')
    this.#socket.close()
    this.#process.kill('SIGKILL')
    await gone
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #take({ id, method, params = {}, ...answer }: Message): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.(answer)
      this.#waiting.delete(id)
    } else if (method !== undefined) {
      for (const take of this.#listeners.get(method) ?? []) take(params)
    }
  }
}

/** Where it listens, as it says itself. @throws Error when it ends before */
async function addressOf({ stderr }: ChildProcess): Promise<string> {
  let said = ''
  for await (const chunk of stderr ?? []) {
    said += String(chunk)
    const found = /DevTools listening on (ws:\/\/\S+)/.exec(said)?.[1]
    if (found !== undefined) return found
  }
  throw new Error(`the browser did not start: ${said}`)
}
