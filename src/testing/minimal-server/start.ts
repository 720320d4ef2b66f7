import { createServer } from 'node:https'
import { makeCertificate } from '../certificate.ts'
import { listen, LOOPBACK_HOST } from '../listener.ts'
import { type KeyName, openAccounts } from './accounts/accounts.ts'
import { guardChannels } from './channel/gate.ts'
import { settle, type MinimalServerOptions } from './options.ts'
import { describeMinimalServer, environmentName, type MinimalServerProfile } from './profile.ts'
import { restListener } from './rest.ts'
import { SessionBook } from './session-book.ts'

/** A running minimal server: an independent, correct implementation of the spec in text mode. */
export interface MinimalServer {
  base_url: string
  /** The certificate to trust, PEM. The profile names no `ca_file`; write this to a file and set it. */
  ca_pem: string
  /** API keys, by the names of the profile. */
  keys: Record<KeyName, string>
  profile: MinimalServerProfile
  /** The environment variables that the profile names. */
  environment: Record<string, string>
  /** Ids of the sessions that still hold quota, in every workspace. */
  openSessions(): string[]
  stop(): Promise<void>
}

/** Clients may keep idle connections for this long; the usual 5 s invite resets. */
const KEEP_ALIVE_MS = 60_000

export async function startMinimalServer(options: MinimalServerOptions = {}): Promise<MinimalServer> {
  const settings = settle(options)
  const accounts = openAccounts(settings)
  const book = new SessionBook(settings)
  const certificate = await makeCertificate()
  const server = createServer({ ...certificate, keepAliveTimeout: KEEP_ALIVE_MS }, restListener(book, accounts))
  const channels = guardChannels(server, book)
  const listener = await listen(server)
  const base_url = `https://${LOOPBACK_HOST}:${listener.port}`
  const names = Object.entries(accounts.keys).map(([name, key]) => [environmentName(name), key] as const)
  return {
    base_url,
    ca_pem: certificate.cert,
    keys: accounts.keys,
    profile: describeMinimalServer(base_url, accounts),
    environment: Object.fromEntries(names),
    openSessions: () => book.open().map((session) => session.id),
    async stop() {
      book.destroy()
      channels.close()
      await listener.stop()
    },
  }
}
