import { workspaceOf } from '../law/profile.ts'
import type { KeyName } from '../law/profile.ts'
import type { Channel, Exchange } from '../client/types.ts'
import type { Obstacle } from './outcome.ts'
import type { Scenario } from './scenario.ts'
import type { Pool } from './pool.ts'
import type { Slots } from './slots.ts'

/** Exchanges in a row without any reply, from which on nothing more is started. */
const silentExchanges = 5
/** Scenarios that got no session, in a workspace that never gave one. */
const vainScenarios = 3

/** Ends a hopeless run early: it sees what comes of every exchange and says what need not be tried any more. */
export interface Breaker {
  answered(exchange: Exchange): void
  /** A create is under way; call the result when it is over. */
  asking(key: KeyName): () => void
  /** A scenario got no session with this key. */
  refused(key: KeyName, obstacle: Obstacle): void
  /** The channels of a scenario that has ended. */
  heard(channels: readonly Channel[]): void
  /** Why no scenario need connect any more. */
  mute(): Obstacle | undefined
  /** Why nothing more is sent at all. */
  silent(): Obstacle | undefined
  /** Why the scenario need not start. */
  obstacle(scenario: Scenario): Obstacle | undefined
  /** Whether it better waits for the creates under way: they decide if its workspace is hopeless. */
  doubtful(scenario: Scenario): boolean
}

/** Scenarios that got nothing from a control channel, where none ever got anything useful. One flood counts as three. */
const vainChannels = 6

interface Workspace {
  /** Knows whether the workspace ever gave a session. */
  readonly pool: Pool
  asking: number
  readonly refusals: Map<string, Obstacle[]>
}

export function createBreaker(slots: Slots): Breaker {
  let silence = 0
  let spoken = false
  let vain = 0
  const workspaces = new Map<KeyName, Workspace>()
  const of = (key: KeyName): Workspace => {
    const name = workspaceOf(key)
    const known = workspaces.get(name) ?? { pool: slots.pool(name), asking: 0, refusals: new Map<string, Obstacle[]>() }
    workspaces.set(name, known)
    return known
  }
  const silent = (): Obstacle | undefined =>
    silence < silentExchanges ? undefined : { code: 'network', reason: `no reply to ${silence} requests in a row` }
  return {
    answered: (exchange) => {
      if (exchange.status > 0) silence = 0
      else if (isSilence(exchange)) silence += 1
    },
    asking: (key) => {
      of(key).asking += 1
      return () => {
        of(key).asking -= 1
      }
    },
    refused: (key, obstacle) => {
      const { refusals } = of(key)
      refusals.set(signature(obstacle), [...(refusals.get(signature(obstacle)) ?? []), obstacle])
    },
    heard: (channels) => {
      spoken ||= channels.some(isSpoken)
      if (channels.some(({ gave_up }) => gave_up)) vain += 3
      else if (channels.some(isMute)) vain += 1
    },
    mute: () =>
      spoken || vain < vainChannels
        ? undefined
        : { code: 'prerequisite', reason: 'no control channel ever said anything useful' },
    silent,
    obstacle: (scenario) =>
      silent() ??
      firstOf(
        sessionKeys(scenario)
          .map(of)
          .map((own) => (own.asking > 0 ? undefined : hopeless(own))),
      ),
    doubtful: (scenario) =>
      sessionKeys(scenario)
        .map(of)
        .some((own) => own.asking > 0 && hopeless(own) !== undefined),
  }
}

function isSpoken({ frames, gave_up }: Channel): boolean {
  return !gave_up && frames.some(({ type }) => type !== undefined)
}

function isMute(channel: Channel): boolean {
  return channel.sent > 0 && !isSpoken(channel)
}

function isSilence({ failure }: Exchange): boolean {
  return failure !== undefined && failure !== 'aborted' && failure !== 'too-large'
}

function hopeless({ pool, refusals }: Workspace): Obstacle | undefined {
  if (pool.gave) return undefined
  return firstOf([...refusals.values()].map((alike) => (alike.length < vainScenarios ? undefined : alike[0])))
}

/** Refusals with one code are alike, whatever their words; those of the network are alike anyway. */
function signature({ code, reason }: Obstacle): string {
  return `${code} ${/\b\d{5}\b/.exec(reason)?.[0] ?? ''}`
}

function sessionKeys(scenario: Scenario): KeyName[] {
  const sessions = Object.entries(scenario.price.sessions ?? {}) as [KeyName, number][]
  return sessions.filter(([, count]) => count > 0).map(([key]) => key)
}

function firstOf<T>(list: readonly (T | undefined)[]): T | undefined {
  return list.find((item) => item !== undefined)
}
