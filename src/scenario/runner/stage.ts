import { allowedPerWindow } from '#client/pace/pace'
import type { Client, ScopedClient } from '#client/client'
import type { Channel, Exchange, RestCall } from '#client/types'
import { defaultTimeouts, offers } from '#spec/profile'
import type { KeyName, Profile, Timeouts } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import type { RequirementId } from '#spec/register'
import type { Tier, WaitEntry } from '#trace/entry'
import { Blocked } from '../author/blocked.ts'
import type { Breaker } from './breaker.ts'
import type { AnyContext as Context, Call, OpenOptions, OpenSession } from '../author/context.ts'
import { claimsOf } from './context-claims.ts'
import { untilClosed } from './context-closed.ts'
import type { CreateTools } from './context-create.ts'
import { createSession, sessionOf } from './context-create.ts'
import type { Endings } from './endings.ts'
import { holdersOf } from './holders.ts'
import { cutOffSessions, seeWhetherEnded } from './cut-off.ts'
import { hearLate, heardNothing, patienceForLate } from './hear-late.ts'
import type { Disturbance } from './disturbance.ts'
import { createDisturbance } from './disturbance.ts'
import { admitted, controlOf } from './control.ts'
import type { Journal } from '../journal/journal.ts'
import type { Leftovers } from '../cleanup/leftovers.ts'
import type { Ledger } from '../cleanup/ledger.ts'
import { createLedger } from '../cleanup/ledger.ts'
import { paceOf } from '../plan/plan.ts'
import { seeded } from './random.ts'
import type { Recent } from '../run/recent.ts'
import { withMark } from '../run/run-mark.ts'
import { window_ms } from '../author/room-for.ts'
import type { Slots } from './slots.ts'

/** What all scenarios of a run share. */
export interface RunTools {
  readonly run: string
  readonly seed: number
  readonly tier: Tier
  readonly profile: Profile
  /** Keys that have a value. */
  readonly keys: readonly KeyName[]
  readonly signal: AbortSignal
  readonly client: Pick<Client, 'scope' | 'usage' | 'lasts'>
  readonly recent?: Recent
  readonly journal: Journal
  readonly slots: Slots
  readonly breaker: Breaker
  readonly endings: Endings
  readonly silences: Map<string, number>
  readonly leftovers: Leftovers
  /** The next number of the run. */
  readonly count: () => number
  /** How long to wait for others to leave the workspace; default a minute. */
  readonly quota_ms?: number
}

/** One scenario's turn. */
export interface Stage {
  readonly context: Context
  /** Closes what the scenario left open. Afterwards its context does nothing more. */
  leave(): Promise<void>
  /** What went wrong on the way to the target so far, and may have kept the scenario from seeing what it wanted to see. */
  troubles(): readonly string[]
}

interface Turn {
  readonly tools: RunTools
  readonly scope: ScopedClient
  readonly ledger: Ledger
  readonly channels: Channel[]
  /** Keys that it sent by whatever their pace: what it made with them is ended like that, too. */
  readonly hurried: Set<string>
  /** By id of a session that it connected to: the key that made it. */
  readonly keys: Map<string, OpenSession['key']>
  /** How long what comes late may still be waited for, in milliseconds. */
  late_ms: number
  readonly disturbance: Disturbance
  over: boolean
}

export function enter(scenario: string, tools: RunTools): Stage {
  const ledger = createLedger(tools)
  const { event_ms } = { ...defaultTimeouts, ...tools.profile.timeouts }
  const late_ms = patienceForLate(tools.silences, event_ms)
  const turn: Turn = {
    tools,
    scope: tools.client.scope(scenario),
    ledger,
    channels: [],
    disturbance: createDisturbance(),
    hurried: new Set(),
    keys: new Map(),
    late_ms,
    over: false,
  }
  return {
    context: contextOf(scenario, turn),
    leave: () => leave(scenario, turn),
    troubles: () => turn.disturbance.troubles(turn.channels),
  }
}

/** Waits for what claims still expect on a channel, within the bounds of the scenario. */
function listen(scenario: string, turn: Turn, channel: Channel): Promise<void> {
  const { tools } = turn
  return hearLate(channel, {
    entries: () => tools.recent?.of(scenario) ?? [],
    over: () => tools.signal.aborted || tools.breaker.silent() !== undefined || tools.breaker.mute() !== undefined,
    left: () => turn.late_ms,
    spent: (ms, vain) => {
      turn.late_ms -= ms
      if (vain) heardNothing(tools.silences)
    },
  })
}

async function leave(scenario: string, turn: Turn): Promise<void> {
  turn.over = true
  const { tools, channels, ledger } = turn
  if (!tools.signal.aborted) await Promise.all(channels.map((channel) => listen(scenario, turn, channel)))
  tools.breaker.heard(channels)
  await Promise.all(channels.map((channel) => channel.close()))
  if (tools.signal.aborted || tools.breaker.silent() !== undefined) return
  const scope = tools.client.scope(scenario, 'cleanup')
  const { lag_ms } = timeoutsOf(tools)
  for (const session of cutOffSessions(tools.recent?.of(scenario) ?? [], channels)) {
    const key = turn.keys.get(session) ?? 'primary'
    const over = await seeWhetherEnded(scope, { session, key, lag_ms })
    if (over) turn.disturbance.cutOff(session)
  }
  const pacedAs = (call: RestCall) =>
    turn.hurried.has(call.key ?? 'primary') ? { ...call, pace: false as const } : call
  await ledger.finish({
    rest: (operation, call) => scope.rest(operation, pacedAs(call)),
    lag: () => scope.wait(lag_ms, 'lag'),
    room: (key) => turn.hurried.has(key) || hasRoom(tools, key),
  })
}

/** Requests that looking at one ended thing takes. */
const fewRequests = 4

function hasRoom({ client, profile }: RunTools, key: KeyName): boolean {
  const { sent } = client.usage(key, window_ms)
  return sent + fewRequests <= allowedPerWindow(paceOf(profile, key))
}

function contextOf(scenario: string, turn: Turn): Context {
  const { tools, scope } = turn
  const { profile, tier, signal } = tools
  const timeouts = timeoutsOf(tools)
  const id = (word: string) => `${word}-${tools.run}-${tools.count()}`
  const { claim, expect, numbered } = claimsOf(scope, () => assertOn(turn))
  const call = (operation: OperationId, options: Call<RequirementId> = {}) => send(turn, operation, numbered(options))
  const wait: Context['wait'] = (ms, why) => ifOn(turn, () => scope.wait(worthwhile(tools, ms, why), why))
  const open = async (session: OpenSession, options: OpenOptions = {}) => {
    const channel = await openChannel(turn, session, options)
    const close = channel.close.bind(channel)
    return Object.assign(channel, {
      close: async () => {
        if (!turn.over) await listen(scenario, turn, channel)
        await close()
      },
    })
  }
  return {
    profile,
    tier,
    timeouts,
    signal,
    offers: (ability) => offers(profile, ability),
    has: (key) => tools.keys.includes(key),
    usage: (key, ms) => tools.client.usage(key, ms),
    id,
    random: seeded(tools.seed, scenario),
    exchange: () => scope.exchange(),
    channelNumber: () => scope.channelNumber(),
    expect,
    claim,
    mark: (label) => {
      assertOn(turn)
      return scope.mark(label)
    },
    call,
    create: (body, options = {}) =>
      createSession(
        { ...createTools(turn, timeouts), id, send: call, wait, holders: holdersBy(turn, call) },
        body,
        numbered(options),
      ),
    adopt: (answer, key = 'primary') => sessionOf(answer, key),
    attempt: (body, options = {}) => call('create-avatar-session', { ...options, body }),
    close: (session, options = {}) =>
      call('close-avatar-session', { key: session.key, ...options, ...ofSession(session) }),
    closed: (session) =>
      untilClosed({
        get: () => call('get-avatar-session', { key: session.key, ...ofSession(session) }),
        wait: (ms) => wait(ms, 'backoff'),
        closed_ms: timeouts.closed_ms,
      }),
    open,
    connect: async (session, options) => {
      const mute = tools.breaker.mute()
      if (mute !== undefined) throw new Blocked(mute.code, mute.reason)
      return admitted(await open(session, options), session)
    },
    wait,
    hearLate: (channel) => listen(scenario, turn, channel),
    silences: tools.silences,
    block: (code, reason) => {
      throw new Blocked(code, reason)
    },
  }
}

/** Those of the profile; what never comes within its time is not waited for as long each time. */
function timeoutsOf({ profile, endings }: RunTools): Timeouts {
  const timeouts = { ...defaultTimeouts, ...profile.timeouts }
  return Object.defineProperty(timeouts, 'closed_ms', { get: () => endings.closed_ms, enumerable: true })
}

/** Where nobody got a place for long, nobody waits for one any more, but each asks. */
function worthwhile({ breaker }: RunTools, ms: number, why: WaitEntry['why']): number {
  return why === 'quota' && breaker.crowded() ? ms / 20 : ms
}

type OwnTools = 'own' | 'pool' | 'breaker' | 'timing'

function createTools({ tools, ledger }: Turn, timeouts: Timeouts): Pick<CreateTools, OwnTools> {
  const patience_ms = tools.quota_ms ?? Math.max(60_000, tools.profile.timeouts?.closed_ms ?? 0)
  return {
    own: (key) => ledger.holds(key),
    pool: (key) => tools.slots.pool(key),
    breaker: tools.breaker,
    timing: () => ({ patience_ms, closed_ms: timeouts.closed_ms, lag_ms: timeouts.lag_ms }),
  }
}

function holdersBy({ tools }: Turn, call: Context['call']): CreateTools['holders'] {
  const { lag_ms } = { ...defaultTimeouts, ...tools.profile.timeouts }
  return (key) =>
    holdersOf(tools.slots.pool(key), {
      list: () => call('list-avatar-sessions', { key }),
      get: (session_id) => call('get-avatar-session', { key, params: { session_id } }),
      known: tools.slots.known(),
      lag_ms,
    })
}

function ofSession(session: OpenSession): Pick<RestCall, 'params'> {
  return { params: { session_id: session.id } }
}

/** Nothing is sent for a scenario whose turn is over, nor when nobody answers any more or all is refused. */
async function ifOn<T>(turn: Turn, action: () => Promise<T>): Promise<T> {
  assertOn(turn)
  const over = turn.tools.breaker.over()
  if (over !== undefined) throw new Blocked(over.code, over.reason)
  return action()
}

/** A scenario that was ended may still run on: it must not reach the trace any more. */
function assertOn({ over, tools }: Turn): void {
  if (over) throw new Blocked('interrupted', 'the scenario is over')
  if (tools.signal.aborted) throw new Blocked('interrupted', 'the run was interrupted')
}

async function send(turn: Turn, operation: OperationId, options: RestCall): Promise<Exchange> {
  const { ledger, scope, tools } = turn
  if (options.pace === false) turn.hurried.add(options.key ?? 'primary')
  const marked = withMark(operation, options, tools.run)
  const answer = await ifOn(turn, () => ledger.send(operation, marked, (name, call) => scope.rest(name, call)))
  // Silence that nobody waited out may be over in a moment.
  const brief = answer.status === 0 && answer.trouble !== undefined && !tools.client.lasts(answer.trouble)
  if (!brief) tools.breaker.answered(answer, operation)
  tools.endings.answered(answer, operation, options)
  turn.disturbance.answered(operation, options, answer)
  return answer
}

async function openChannel(turn: Turn, session: OpenSession, options: OpenOptions): Promise<Channel> {
  const control = controlOf(session)
  const url = options.url ?? control.url
  const secret = options.secret ?? control.secret
  if (url === undefined) throw new Blocked('prerequisite', 'the session has no control.url')
  const channel = await ifOn(turn, () =>
    turn.scope.connect({
      url,
      session: session.id,
      credential: options.credential ?? 'query',
      ...(options.channel === undefined ? {} : { channel: options.channel }),
      ...(secret === undefined ? {} : { secret }),
      ...(options.api_key === undefined ? {} : { api_key: options.api_key }),
      ...(options.expects_refusal === undefined ? {} : { expects_refusal: options.expects_refusal }),
    }),
  )
  turn.channels.push(channel)
  turn.keys.set(session.id, session.key)
  return channel
}
