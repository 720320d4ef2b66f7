import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { makeCertificate } from '../certificate.ts'
import { openAccounts } from './accounts/accounts.ts'
import { AudioFiles } from './voices/audio-files.ts'
import type { Service } from './call.ts'
import { Characters } from './characters/characters.ts'
import { answer } from './front.ts'
import { Memory } from './memory.ts'
import { describeFullServer, environmentName, type FullServerProfile } from './profile.ts'
import { SessionBook } from './avatar-sessions/session-book.ts'
import { openSockets } from './channel/sockets.ts'
import { ownChoices, type Choices } from './choices.ts'
import { Timers } from './timers.ts'
import { Voices } from './voices/voices.ts'
import { Worlds } from './worlds/worlds.ts'

export interface FullServer {
  readonly profile: FullServerProfile
  readonly ca_pem: string
  /** The keys' values, by the names in the profile. */
  readonly environment: Readonly<Record<string, string>>
  /** Ids of the sessions, avatars' and worlds', that nobody has closed. */
  openSessions(): readonly string[]
  stop(): Promise<void>
}

/** How many answers are given on one connection. */
const ANSWERS_ON_A_CONNECTION = 7

export async function startFullServer(asked: Partial<Choices> = {}): Promise<FullServer> {
  const choices = { ...ownChoices, ...asked }
  const accounts = openAccounts(choices)
  const timers = new Timers(choices.slowness)
  const certificate = await makeCertificate()
  const server = createServer({ ...certificate, keepAliveTimeout: 1500 })
  server.maxRequestsPerSocket = ANSWERS_ON_A_CONNECTION
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const service: Service = {
    choices,
    timers,
    host,
    memory: new Memory(choices.contrary),
    sessions: new SessionBook(choices, timers),
    characters: new Characters(),
    files: new AudioFiles(),
    voices: new Voices(),
    worlds: new Worlds(timers, choices.contrary),
  }
  server.on('request', (request, response) => {
    answer(request, response, accounts, service).catch(() => response.destroy())
  })
  const sockets = openSockets(server, service.sessions, service.worlds)
  return {
    profile: describeFullServer(`https://${host}`, accounts, choices),
    ca_pem: certificate.cert,
    environment: Object.fromEntries(accounts.map((one) => [environmentName(one.keyName), one.secret])),
    openSessions: () => [...service.sessions.allOpen(), ...service.worlds.allOpen()].map((one) => one.id),
    stop: async () => {
      timers.stop()
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}
