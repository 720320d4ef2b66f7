import { createServer, type RequestListener, type Server } from 'node:http'
import { type Client, createClient, type ScopedClient } from '#client/client'
import type { ClientOptions } from '#client/options'
import { defaultTimeouts } from '#spec/profile'
import { validate } from '#spec/validators'
import { runEpoch } from '#trace/clock'
import type { Entry } from '#trace/entry'
import { parseTrace } from '#trace/reader'
import { createRedactor } from '#trace/redact'
import { memoryTrace } from '#trace/writer'
import { HANG_MS } from '../hang.ts'
import { listen } from '../listener.ts'

/** The API key that a rig's client sends as `primary`. */
export const rigKey = 'sk-rig-primary-0001'

/** A client that records into memory, and a server of the test's own for it to talk to. */
export interface Rig {
  readonly client: Client
  readonly scope: ScopedClient
  readonly port: number
  entries(): readonly Entry[]
  /** Entries of one kind. */
  of<Kind extends Entry['kind']>(kind: Kind): readonly Extract<Entry, { kind: Kind }>[]
  text(): string
  /** Interrupts the run. */
  abort(): void
  readonly stop: () => Promise<void>
}

/** Talks to what answers on the server; `options` change the client. */
export async function rigWith(server: Server, options: Partial<ClientOptions> = {}): Promise<Rig> {
  const listener = await listen(server)
  const redactor = createRedactor([{ label: 'api_key primary', value: rigKey }])
  const writer = memoryTrace(runEpoch(), redactor)
  const run = new AbortController()
  const client = createClient({
    base_url: `http://127.0.0.1:${listener.port}`,
    keys: { primary: rigKey },
    timeouts: { ...defaultTimeouts, reply_ms: HANG_MS, event_ms: HANG_MS },
    writer,
    redactor,
    user_agent: 'greenroom/test run/rig',
    signal: run.signal,
    allow_insecure_loopback: true,
    pauses_ms: [5, 10],
    ...options,
  })
  const entries = () => parseTrace(writer.text()).entries
  return {
    client,
    scope: client.scope('tests.rig'),
    port: listener.port,
    entries,
    of: (kind) => entries().filter((entry): entry is Extract<Entry, { kind: typeof kind }> => entry.kind === kind),
    text: () => writer.text(),
    abort: () => run.abort(),
    stop: async () => {
      await client.close()
      await listener.stop()
      for (const entry of entries()) assertShape(entry)
    },
  }
}

/** Whatever a test makes happen, the entries have the shape that the judge and others read. */
function assertShape(entry: Entry): void {
  const [flaw] = validate('meta/trace', entry)
  if (flaw !== undefined) throw new Error(`An entry of kind ${entry.kind} is no trace entry: ${JSON.stringify(flaw)}`)
}

/** Talks to a handler of HTTP requests. */
export function rig(handler: RequestListener, options: Partial<ClientOptions> = {}): Promise<Rig> {
  return rigWith(createServer(handler), options)
}

/** An envelope, as text. */
export function envelope(code: number, data: unknown = {}): string {
  return JSON.stringify({ code, message: code === 0 ? 'ok' : 'no', data })
}
