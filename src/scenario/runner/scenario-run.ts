import type { Client, ScopedClient } from '#client/client'
import type { Channel, Exchange, RestCall } from '#client/types'
import { type KeyName, offers, type Profile, type Timeouts, timeoutsFor } from '#spec/profile'
import type { OperationId } from '#spec/tables'
import type { RequirementId } from '#spec/register'
import type { Tier } from '#trace/entry'
import { Blocked } from '../author/blocked.ts'
import { assertAnswered, type Breaker } from './breaker.ts'
import type { AnyContext as Context, Call, OpenOptions, OpenSession } from '../author/context.ts'
import { obstacleOf } from './outcome.ts'
import { claimsOf } from './context-claims.ts'
import { untilClosed } from './context-closed.ts'
import { createSession, type CreateTools, sessionOf } from './context-create.ts'
import { type Endings, timeoutsOf } from './endings.ts'
import { hasRoom } from './has-room.ts'
import { holdersOf } from './holders.ts'
import { cutOffSessions, seeWhetherEnded } from './cut-off.ts'
import { hearLate, heardNothing, patienceForLate } from './hear-late.ts'
import { createDisturbance, type Disturbance, type FailedAlone } from './disturbance.ts'
import { admitted, connectTo, mayTellOfEnd } from './control.ts'
import type { Journal } from '../journal/journal.ts'
import type { Leftovers } from '../cleanup/leftovers.ts'
import { type Resources, trackResources } from '../cleanup/resources.ts'
import type { LeftOut } from '../plan/selection.ts'
import { seeded } from './random.ts'
import type { Recent } from '../run/recent.ts'
import { waitBriefly, waitsOf } from './wait-briefly.ts'
import { withMark } from '../run/run-mark.ts'
import type { Slots } from './slots.ts'

/** What all scenarios of a run share. */
export interface RunTools extends Pick<Context, 'silences' | 'walked'> {
  readonly run: string
  readonly seed: number
  readonly tier: Tier
  readonly profile: Profile
  /** Keys that have a value. */
  readonly keys: readonly KeyName[]
  readonly left_out?: LeftOut
  readonly signal: AbortSignal
  /** Once it is aborted only cleanup sends; why, is its reason. */
  readonly enough?: AbortSignal
  readonly client: Pick<Client, 'scope' | 'usage' | 'lasts' | 'rarelyReplies'>
  readonly recent?: Recent
  readonly journal: Journal
  readonly slots: Slots
  readonly breaker: Breaker
  readonly endings: Endings
  readonly failedAlone: FailedAlone
  readonly leftovers: Leftovers
  /** The next number of the run. */
  readonly count: () => number
  /** How long to wait for others to leave the workspace; default a minute. */
  readonly quota_ms?: number
}

/** One scenario's run, while it lasts. */
export interface ScenarioRun {
  readonly context: Context
  /** Closes what the scenario left open. Afterwards its context does nothing more. */
  end(): Promise<void>
  /** What went wrong on the way to the target so far, and may have kept the scenario from seeing what it wanted to see. */
  troubles(): readonly string[]
}

interface RunState {
  readonly scenario: string
  readonly tools: RunTools
  readonly scope: ScopedClient
  readonly resources: Resources
  readonly channels: Channel[]
  readonly opened: Map<Channel, OpenOptions>
  /** Keys that it sent by whatever their pace: what it made with them is ended like that, too. */
  readonly hurried: Set<string>
  /** By id of a session that it connected to: the key that made it. */
  readonly keys: Map<string, OpenSession['key']>
  /** How long what comes late may still be waited for, in milliseconds. */
  late_ms: number
  readonly disturbance: Disturbance
  over: boolean
}

export function startScenario(scenario: string, tools: RunTools): ScenarioRun {
  const resources = trackResources({ ...tools, lag_ms: timeoutsOf(tools).lag_ms })
  const { event_ms } = timeoutsFor(tools.profile)
  const late_ms = patienceForLate(tools.silences, event_ms)
  const state: RunState = {
    scenario,
    tools,
    scope: tools.client.scope(scenario),
    resources,
    channels: [],
    opened: new Map(),
    disturbance: createDisturbance(tools.profile.triggers?.moderated_text),
    hurried: new Set(),
    keys: new Map(),
    late_ms,
    over: false,
  }
  return {
    context: contextOf(state),
    end: () => endScenario(state),
    troubles: () => state.disturbance.troubles(state.channels),
  }
}

/** Waits for what claims still expect on a channel, within the bounds of the scenario. */
function listen(state: RunState, channel: Channel): Promise<void> {
  const { scenario, tools } = state
  return hearLate(channel, {
    entries: () => tools.recent?.of(scenario) ?? [],
    over: () =>
      tools.signal.aborted || tools.breaker.silent() !== undefined || tools.breaker.unanswered() !== undefined,
    left: () => state.late_ms,
    spent: (ms, vain) => {
      state.late_ms -= ms
      if (vain) heardNothing(tools.silences)
    },
  })
}

async function endScenario(state: RunState): Promise<void> {
  state.over = true
  const { scenario, tools, channels, resources } = state
  if (!tools.signal.aborted) await Promise.all(channels.map((channel) => listen(state, channel)))
  tools.breaker.heard(channels)
  await Promise.all(channels.map((channel) => channel.close()))
  if (tools.signal.aborted || tools.breaker.silent() !== undefined) return
  const scope = tools.client.scope(scenario, 'cleanup')
  const { lag_ms } = timeoutsOf(tools)
  await lookAtCutOff(state, () => true)
  const pacedAs = (call: RestCall) =>
    state.hurried.has(call.key ?? 'primary') ? { ...call, pace: false as const } : call
  await resources.finish({
    rest: (operation, call) => scope.rest(operation, pacedAs(call)),
    lag: () => scope.wait(lag_ms, 'lag'),
    room: (key) => state.hurried.has(key) || hasRoom(tools.client, tools.profile, key),
  })
}

async function lookAtCutOff(state: RunState, looks: (session: string) => boolean): Promise<void> {
  const { scenario, tools, channels, keys, disturbance } = state
  const { lag_ms } = timeoutsOf(tools)
  const scope = tools.client.scope(scenario, 'cleanup')
  const own = channels.filter((channel) => mayTellOfEnd(channel, state.opened.get(channel)))
  for (const session of cutOffSessions(tools.recent?.of(scenario) ?? [], own).filter(looks)) {
    const over = await seeWhetherEnded(scope, { session, key: keys.get(session) ?? 'primary', lag_ms })
    if (over) disturbance.cutOff(session)
  }
}

/** A channel that is listened to for what claims expect before the scenario closes it. */
async function openChannel(state: RunState, session: OpenSession, asked: OpenOptions = {}): Promise<Channel> {
  const { tools, channels, disturbance } = state
  assertAnswered(tools.breaker, channels.length)
  const { lag_ms } = timeoutsOf(tools)
  const options = disturbance.isClosing(session.id) ? { ...asked, expects_refusal: true } : asked
  const opened = await ifOn(state, () => connectTo(state.scope, session, options, { channels, lag_ms }))
  channels.push(opened)
  state.opened.set(opened, options)
  state.keys.set(session.id, session.key)
  const channel = waitBriefly(opened, {
    hopeless: () => tools.breaker.unanswered() !== undefined,
    unheard: (unheard) => tools.breaker.unheard(unheard),
  })
  const close = channel.close.bind(channel)
  return Object.assign(channel, {
    close: async () => {
      if (!state.over) await listen(state, channel)
      await close()
    },
  })
}

function contextOf(state: RunState): Context {
  const { scenario, tools, scope } = state
  const { profile, tier, signal } = tools
  const timeouts = timeoutsOf(tools)
  const id = (word: string) => `${word}-${tools.run}-${tools.count()}`
  const { claim, expect, numbered } = claimsOf(scope, () => assertOn(state))
  const call = (operation: OperationId, options: Call<RequirementId> = {}) => send(state, operation, numbered(options))
  const { wait, whole } = waitsOf((ms, why) => ifOn(state, () => scope.wait(ms, why)), tools.breaker)
  return {
    profile,
    tier,
    timeouts,
    signal,
    offers: (ability) => offers(profile, ability),
    has: (key) => tools.keys.includes(key),
    leavesOut: (row) => tools.left_out?.[scenario]?.rows.includes(row) === true,
    takes: (optional) => tools.left_out?.[scenario]?.ids.includes(optional) !== true,
    usage: (key, ms) => tools.client.usage(key, ms),
    id,
    random: seeded(tools.seed, scenario),
    exchange: () => scope.exchange(),
    channelNumber: () => scope.channelNumber(),
    expect,
    claim,
    mark: (label, walk) => {
      assertOn(state)
      return scope.mark(label, walk)
    },
    call,
    create: (body, options = {}) =>
      createSession(
        { ...createTools(state, timeouts), id, send: call, wait: whole, holders: holdersBy(state, call) },
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
        sparing: tier === 'smoke',
      }),
    open: (session, options) => openChannel(state, session, options),
    connect: async (session, options) => {
      assertAnswered(tools.breaker)
      return admitted(await openChannel(state, session, options), session)
    },
    wait,
    hearLate: (channel) => listen(state, channel),
    silences: tools.silences,
    walked: tools.walked,
    block: (code, reason) => {
      throw new Blocked(code, reason)
    },
  }
}

function createTools(
  { tools, resources }: RunState,
  timeouts: Timeouts,
): Pick<CreateTools, 'own' | 'pool' | 'breaker' | 'timing'> {
  const patience_ms = tools.quota_ms ?? Math.max(60_000, tools.profile.timeouts?.closed_ms ?? 0)
  return {
    own: (key) => resources.holds(key),
    pool: (key) => tools.slots.pool(key),
    breaker: tools.breaker,
    timing: () => ({ patience_ms, closed_ms: timeouts.closed_ms, lag_ms: timeouts.lag_ms }),
  }
}

function holdersBy({ tools }: RunState, call: Context['call']): CreateTools['holders'] {
  const { lag_ms } = timeoutsFor(tools.profile)
  return (key) =>
    holdersOf(tools.slots.pool(key), {
      list: () => call('list-avatar-sessions', { key }),
      get: (session_id) => call('get-avatar-session', { key, params: { session_id } }),
      known: tools.slots.known(),
      lag_ms,
    })
}

const ofSession = ({ id }: OpenSession) => ({ params: { session_id: id } })

/** Nothing is sent for a scenario that is over, nor when nobody answers any more, all is refused or enough was seen. */
async function ifOn<T>(state: RunState, action: () => Promise<T>): Promise<T> {
  assertOn(state)
  const over = obstacleOf(state.tools.enough) ?? state.tools.breaker.over()
  if (over !== undefined) throw new Blocked(over.code, over.reason)
  return action()
}

/** A scenario that was ended may still run on: it must not reach the trace any more. */
function assertOn({ over, tools }: RunState): void {
  if (over) throw new Blocked('interrupted', 'the scenario is over')
  if (tools.signal.aborted) throw new Blocked('interrupted', 'the run was interrupted')
}

async function send(state: RunState, operation: OperationId, options: RestCall): Promise<Exchange> {
  const { resources, scope, tools, scenario } = state
  if (options.pace === false) state.hurried.add(options.key ?? 'primary')
  if (operation === 'close-avatar-session') await beforeClose(state, options.params?.['session_id'] ?? '')
  const marked = withMark(operation, options, tools.run)
  const sendMarked = () => resources.send(operation, marked, (name, call) => scope.rest(name, call))
  const about = { scenario, operation, key: options.key }
  const answer = await ifOn(state, () =>
    tools.failedAlone.around(about, sendMarked, () => state.disturbance.failedAlone()),
  )
  // Silence that nobody waited out may be over in a moment.
  const brief = answer.status === 0 && answer.trouble !== undefined && !tools.client.lasts(answer.trouble)
  if (!brief) tools.breaker.answered(answer, operation)
  tools.endings.answered(answer, operation, options)
  state.disturbance.answered(operation, options, answer)
  return answer
}

/** What ended before was ended by somebody else; once we have asked for it, nobody could tell. */
async function beforeClose(state: RunState, session: string): Promise<void> {
  if (!state.over && !state.tools.signal.aborted) await lookAtCutOff(state, (one) => one === session)
  state.disturbance.closing(session, state.channels)
}
