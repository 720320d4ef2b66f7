import { type Behaviour, standardBehaviour } from './behaviour/behaviour.ts'
import { MODERATED_TEXT } from './behaviour/characters/records.ts'
import { TOOL_CALL_TEXT } from './behaviour/generation.ts'
import { FAILING_VOICE_NAME } from './behaviour/voices.ts'
import { processCertificate } from './certificate.ts'
import { serveChannel } from './channel/upgrade.ts'
import { type Account, byKey, createAccounts, type KeyName } from './keys.ts'
import type { RunningTarget, TargetOptions } from './options.ts'
import { createRandom } from './random.ts'
import { createServer } from './rest/server.ts'
import { tellVisits } from './rest/visits.ts'
import type { Service } from './service.ts'
import type { Session } from './sessions/session.ts'
import { stir } from './sessions/clocks.ts'
import { createTimers } from './timers.ts'
import { createWorlds, isOpen, worldSecretsOf } from './worlds/worlds.ts'

export type { RunningTarget, TargetOptions } from './options.ts'

/** Where no session can be opened, one that a refused create takes shows soonest. */
const CAPS: Partial<Record<KeyName, number>> = { capacity_exhausted: 1 }

/** Loads the deviations, which are half of this room, where some are asked for. */
async function deviate(behaviour: Behaviour, { variations = [], defects = [] }: TargetOptions): Promise<void> {
  if (variations.length + defects.length === 0) return
  const { applyDeviations } = await import('./deviations.ts')
  applyDeviations(behaviour, variations, defects)
}

async function createService(options: TargetOptions): Promise<Service> {
  const behaviour = standardBehaviour()
  await deviate(behaviour, options)
  options.override?.(behaviour)
  const random = createRandom(options.seed ?? 1)
  const keyring = createAccounts(random, {
    requestsPerMinute: options.requestsPerMinute ?? 60_000,
    rateLimitedPerMinute: options.rateLimitedPerMinute ?? 60,
  })
  const accounts = Object.values(keyring)
  const capOf = (account: Account): number =>
    CAPS[account.name] ?? (account.name === 'capped' ? (options.cap ?? 2) : (options.concurrentSessions ?? 100))
  const service: Service = {
    behaviour,
    timers: createTimers(),
    random,
    keyring,
    accounts,
    caps: new Map(accounts.map((account) => [account.workspace, capOf(account)])),
    sessions: new Map(),
    worlds: createWorlds(),
    characters: new Map(),
    files: new Map(),
    voices: new Map(),
    creates: new Map(),
    reserved: new Map(),
    rates: new Map(),
    clock: options.clock ?? Date.now,
    requests: new Map(),
    creations: 0,
    onServerEvent: (session) => stir(service, session, 'server_event'),
    address: { origin: '' },
  }
  return service
}

function limitsOf(service: Service): RunningTarget['limits'] {
  return byKey((name) => {
    const account = service.keyring[name]
    return {
      requests_per_minute: account.requestsPerMinute,
      concurrent_sessions: service.behaviour.quota.cap(account, service.caps.get(account.workspace) ?? 0),
    }
  })
}

/** Everything of a session that must not be logged (5.2), and the signatures and tokens of its media (2.2). */
function secretsOf({ secret, media }: Session): string[] {
  const inside = Object.entries(Object(media)).flatMap(([, details]) => Object.entries(Object(details)))
  const signed = inside.filter(([name]) => name === 'user_sig' || name === 'token').map(([, value]) => String(value))
  return [secret, ...signed]
}

function leftIn({ sessions, worlds, characters }: Service): ReturnType<RunningTarget['left']> {
  const idsOf = (things: Iterable<{ readonly id: string }>) => [...things].map(({ id }) => id)
  return {
    sessions: idsOf(sessions.values().filter(({ status }) => status === 'active')),
    worlds: idsOf(worlds.sessions.values().filter((world) => isOpen(world) && world.status !== 'closing')),
    characters: idsOf(characters.values().filter(({ deleted }) => !deleted)),
  }
}

/**
 * Starts a reference target: a whole implementation of the interface, in memory, over real sockets.
 * @throws when a defect or variation is unknown, or the port is taken.
 */
export async function startTarget(options: TargetOptions = {}): Promise<RunningTarget> {
  const service = await createService(options)
  const certificate = options.tls === false ? undefined : await processCertificate()
  const app = createServer(service, certificate, options.documents)
  if (options.onVisit !== undefined) tellVisits(service, app, options.onVisit)
  const stopChannel = serveChannel(service, app.server)
  const host = options.host ?? '127.0.0.1'
  await app.listen({ host, port: options.port ?? 0 })
  const address = app.server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const s = certificate === undefined ? '' : 's'
  service.address.origin = `ws${s}://${authority}`
  const { sessions, worlds } = service
  const open = () => [
    ...sessions.values().filter(({ status }) => status === 'active' || status === 'closing'),
    ...worlds.sessions.values().filter(isOpen),
  ]
  return {
    base_url: `http${s}://${authority}`,
    ca_pem: certificate?.cert,
    keys: byKey((name) => service.keyring[name].secret),
    secretsGiven: () => [...sessions.values().flatMap(secretsOf), ...worlds.sessions.values().flatMap(worldSecretsOf)],
    triggers: {
      moderated_text: MODERATED_TEXT,
      failing_voice_name: FAILING_VOICE_NAME,
      tool_call_text: TOOL_CALL_TEXT,
    },
    media: { image_url: 'https://media.example.com/face.png', audio_url: 'https://media.example.com/voice.wav' },
    lacks: service.behaviour.lacks,
    limits: limitsOf(service),
    openSessions: () => open().length,
    left: () => leftIn(service),
    requestsServed: () => [...service.requests.values()].reduce((sum, count) => sum + count, 0),
    requestsByKey: () => byKey((name) => service.requests.get(name) ?? 0),
    stop: async () => {
      service.timers.stop()
      stopChannel()
      await app.close()
    },
  }
}
