import { Blocked } from '../author/blocked.ts'
import { isDeepStrictEqual } from 'node:util'
import { workspaceOf } from '#spec/profile'
import type { KeyName } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import type { Channel, Exchange } from '#client/types'
import type { Obstacle } from './outcome.ts'
import { mostInVain, type Scenario } from '../author/scenario.ts'
import type { Pool } from './pool.ts'
import type { Slots } from './slots.ts'
import { capacityCode, quotaCode } from './quota.ts'
import { at } from '#trace/json'

/** Exchanges in a row without any reply, from which on nothing more is started. */
const silentExchanges = 5
/** Scenarios that got no session, in a workspace that never gave one. */
const vainScenarios = 3
/** Answers, and operations that gave them, after which a target that has refused everything so far will go on so. */
const refusedAnswers = 30
const refusingOperations = 4
/** Creates in a row that were refused for want of room (30006, 30008), and for how long, until waiting is of no more use. */
const scarceCreates = 6
const scarce_ms = 20_000

/** Ends a hopeless run early: it sees what comes of every exchange and says what need not be tried any more. */
export interface Breaker {
  answered(exchange: Exchange, operation?: OperationId): void
  /** A create is under way; call the result when it is over. */
  asking(key: KeyName): () => void
  /** A scenario got no session with this key. */
  refused(key: KeyName, obstacle: Obstacle): void
  /** The channels of a scenario that has ended. */
  heard(channels: readonly Channel[]): void
  /** Something was waited for on an open channel, and did not come. */
  unheard(channel: Channel): void
  /** Why no scenario need connect any more. */
  unanswered(): Obstacle | undefined
  /** Why nothing more is sent at all, not even to end what was made: nobody answers. */
  silent(): Obstacle | undefined
  /** Why no scenario sends any more: nobody answers, or all that was ever asked for was refused. */
  over(): Obstacle | undefined
  /** Why the scenario need not start. */
  obstacle(scenario: Scenario): Obstacle | undefined
  /** Whether waiting for room has been in vain, and nothing came free since. */
  crowded(): boolean
  /** Whether it better waits for the creates under way: they decide if its workspace is hopeless. */
  undecided(scenario: Scenario): boolean
}

/**
 * Control channels are given up once so much has come of them in vain, and nothing useful on any. The channels of a scenario
 * count one together where they never opened or did not answer, and three where one of them is a flood. A channel that says
 * one event over and over, and not what is waited for, counts three at once, and not again when its scenario ends.
 */
const vainChannels = 6
const asMuchAsAFlood = 3

/** After how many repetitions of the same event with the same id it is no answer, however slow the target is. */
const repeated = 5

interface Workspace {
  /** Knows whether the workspace ever gave a session. */
  readonly pool: Pool
  asking: number
  readonly refusals: Map<string, Obstacle[]>
}

export function createBreaker(slots: Slots): Breaker {
  let silence = 0
  const workspaces = new Map<KeyName, Workspace>()
  const of = (key: KeyName): Workspace => {
    const name = workspaceOf(key)
    const known = workspaces.get(name) ?? { pool: slots.pool(name), asking: 0, refusals: new Map<string, Obstacle[]>() }
    workspaces.set(name, known)
    return known
  }
  const answers = createRefusals()
  const scarcity = createScarcity()
  const silent = (): Obstacle | undefined =>
    silence < silentExchanges ? undefined : { code: 'network', reason: `no reply to ${silence} requests in a row` }
  const over = () => silent() ?? answers.obstacle()
  return {
    answered: (exchange, operation) => {
      if (exchange.status > 0) silence = 0
      else if (isSilence(exchange)) silence += 1
      if (operation === undefined) return
      answers.answered(exchange, operation)
      scarcity.answered(exchange, operation)
    },
    crowded: () => scarcity.lasts() || slots.starved(),
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
    ...createVainChannels(),
    silent,
    over,
    obstacle: (scenario) =>
      over() ??
      firstOf(
        sessionKeys(scenario)
          .map(of)
          .map((own) => (own.asking > 0 ? undefined : hopeless(own))),
      ),
    undecided: (scenario) =>
      sessionKeys(scenario)
        .map(of)
        .some((own) => own.asking > 0 && hopeless(own) !== undefined),
  }
}

/** Sees whether anything useful ever came on a control channel. */
function createVainChannels(): Pick<Breaker, 'heard' | 'unheard' | 'unanswered'> {
  let spoken = false
  let vain = 0
  let unopened: string | undefined
  const repeating = new WeakSet<Channel>()
  return {
    heard: (channels) => {
      spoken ||= channels.some(isSpoken)
      unopened ??= channels.find((one) => one.unopened !== undefined)?.unopened
      const never = channels.length > 0 && channels.every(({ state }) => state === 'refused')
      if (channels.some(({ gave_up }) => gave_up)) vain += asMuchAsAFlood
      else if (never || channels.some((one) => isUnanswered(one) && !repeating.has(one))) vain += 1
    },
    unheard: (channel) => {
      if (repeating.has(channel) || !isRepeating(channel)) return
      repeating.add(channel)
      vain += asMuchAsAFlood
    },
    unanswered: () =>
      spoken || vain < vainChannels
        ? undefined
        : { code: 'prerequisite', reason: unopened ?? 'no control channel ever said anything useful' },
  }
}

/** Whether anything was ever accepted. Refusals for the rate say nothing: their key will recover. */
function createRefusals() {
  let [accepted, count] = [false, 0]
  let last: Exchange | undefined
  const operations = new Set<OperationId>()
  return {
    answered: (exchange: Exchange, operation: OperationId): void => {
      accepted ||= exchange.ok
      if (exchange.status === 0 || exchange.code === 10008) return
      count += 1
      last = exchange
      operations.add(operation)
    },
    obstacle: (): Obstacle | undefined => {
      if (accepted || last === undefined || count < refusedAnswers || operations.size < refusingOperations)
        return undefined
      const { code, status } = last
      const how = code === undefined ? `HTTP ${status}` : String(code)
      return {
        code: code === quotaCode ? 'quota' : 'prerequisite',
        reason: `all of ${count} requests were refused, the last with ${how}`,
      }
    },
  }
}

/** Whether creates of whatever kind have been refused for want of room for long, and none was accepted meanwhile. */
function createScarcity() {
  let [count, since] = [0, 0]
  return {
    answered: ({ code, ok }: Exchange, operation: OperationId): void => {
      if (!operation.startsWith('create')) return
      if (ok) count = 0
      if (code !== quotaCode && code !== capacityCode) return
      if (count === 0) since = performance.now()
      count += 1
    },
    lasts: (): boolean => count >= scarceCreates && performance.now() - since >= scarce_ms,
  }
}

/** Whoever answers says more than one thing; what is always the same is a fixed answer. */
function isSpoken({ frames, gave_up }: Channel): boolean {
  const [first, ...more] = frames.filter(({ type }) => type !== undefined)
  return !gave_up && more.some(({ data }) => !isDeepStrictEqual(data, first?.data))
}

/** One event over and over, with its id: no event of the interface comes twice on a connection. */
function isRepeating({ sent, frames, gave_up }: Channel): boolean {
  const [first] = frames
  if (gave_up || sent === 0 || frames.length < repeated || typeof at(first?.data, '/event_id') !== 'string')
    return false
  return frames.every(({ data }) => isDeepStrictEqual(data, first?.data))
}

function isUnanswered(channel: Channel): boolean {
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

/**
 * @param opened channels that a scenario has opened which can do without one
 * @throws Blocked where no control channel of the run ever said anything useful
 */
export function assertAnswered(breaker: Pick<Breaker, 'unanswered'>, opened = mostInVain): void {
  const unanswered = opened < mostInVain ? undefined : breaker.unanswered()
  if (unanswered !== undefined) throw new Blocked(unanswered.code, unanswered.reason)
}
