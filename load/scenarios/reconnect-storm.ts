import type { CommonCount, CommonTime } from '../core/common-measures.ts'
import { cutMoments, cutOff, howCut } from '../core/cuts.ts'
import { refusals } from '../core/refusal.ts'
import type { Session } from '../core/envelope.ts'
import { flawFindings } from '../core/events/chain-laws.ts'
import { DOUBT_MS, failureOf } from '../core/events/errors.ts'
import type { ServerEvent } from '../core/events/frames.ts'
import { endedByService, type Findings, manyOf, some } from '../core/findings.ts'
import { silences } from '../core/silence.ts'
import { type Measures, OTHER, type Tally } from '../core/tally.ts'
import { closeSession, createSession, hasEnded } from './avatar-session.ts'
import { ControlChannel } from './control-channel.ts'
import { KeptState } from './reconnects/kept-state.ts'
import { isLetIn } from './reconnects/let-in.ts'
import { type Machine, namesOf } from './machine.ts'
import { turnedAway } from './response-measures.ts'
import type { Facts, Scenario } from './scenario.ts'
import { turnedAwayFindings } from './turned-away.ts'
import { afterRefusal, isTurnedAway, LEAVING_EVERY_MS } from './upgrade.ts'

type ReconnectCount =
  | 'reconnects'
  | 'alive'
  | 'ends'
  | 'last_update'
  | 'wrong_secret'
  | 'cuts'
  | 'moves'
  | 'flaws'
  | 'refused_because'
  | 'turned_away'
type ReconnectTime = 'reconnect_ms' | 'update_ms'
type ReconnectMachine = Machine<ReconnectCount, ReconnectTime>

function measures(): Measures<ReconnectCount, ReconnectTime> {
  return {
    counts: {
      // `ended`: the service has ended the session.
      reconnects: ['begun', 'opened', 'given-up', 'ended', OTHER],
      // Whether the session still answers on the new connection; `failed`: over a step of the service.
      alive: ['answered', 'rejected', 'failed', 'silent', 'cut', 'moved', 'ended', OTHER],
      // How updates ended, as far as that was heard.
      ends: ['completed', 'cancelled', 'failed', OTHER],
      // Whether the last update of a session came to its end; the ends of those before may be lost with their connections.
      last_update: ['done', 'undone', 'cut', OTHER],
      // What became of a connection with another secret than that of its session.
      wrong_secret: ['refused', 'opened', OTHER],
      cuts: cutMoments(),
      moves: cutMoments(),
      // Whatever comes first on a new connection has to be of its session.
      flaws: ['events-of-another', 'state-lost', 'updated-again', 'update-done-again', OTHER],
      // What probes were told of refused upgrades; `unexplained`: not asked, or let in by then.
      refused_because: [...refusals, 'unexplained', OTHER],
      turned_away: turnedAway,
    },
    times: ['reconnect_ms', 'update_ms'],
  }
}

/** All users hang up at the same moments, so many milliseconds apart, however they began. */
const EVERY_MS = 2_000

/** They take turns; where sessions differ in who is first, what one has of another shows. */
const AVATARS = ['ben', 'ada'] as const

/** Of refused upgrades so many are explained: each explanation costs the target another upgrade. */
const EXPLAINED = 0.25

/** Section 5.3: "not single-use (reconnecting with it in the same session is allowed)". */
export const reconnectStorm: Scenario<ReconnectCount, ReconnectTime> = {
  name: 'reconnect-storm',
  about: 'All control connections are hung up at the same moments and come back at once, to the same sessions.',
  measures,
  judges_times: false,
  price: ({ turns }) => ({ requests: 2, sessions: 1, busy_ms: 1_000 + turns * EVERY_MS }),
  arrival: { kind: 'rate' },
  exceeds: [],
  iterate: reconnect,
  judge,
}

async function reconnect(machine: ReconnectMachine): Promise<void> {
  const created = await createSession(machine)
  if (!('session' in created)) {
    machine.tally.count('turned_away', created.refusal)
    return
  }
  const { session } = created
  const { tally } = machine
  const state = new KeptState(
    namesOf(machine),
    (flaw) => tally.count('flaws', flaw),
    (status) => tally.count('ends', typeof status === 'string' ? status : OTHER),
    Math.floor(machine.random() * AVATARS.length),
  )
  const connect = (): ControlChannel => {
    state.reconnected()
    return new ControlChannel(machine, session, (event, at) => state.take(event, at))
  }
  let channel = await opened(machine, session, connect, machine.now())
  for (let turn = 0; turn < machine.workload.turns && channel !== undefined; turn += 1) {
    const storm = (Math.floor(machine.now() / EVERY_MS) + 1) * EVERY_MS
    await machine.wait(storm - machine.now())
    // A close of the client's own choice, and one as when it changes networks.
    await channel.close(turn % 2 === 0 ? 1_000 : 4_000)
    const leftAt = machine.now()
    machine.tally.count('reconnects', 'begun')
    channel = await opened(machine, session, connect, storm, leftAt)
    const ended = channel === undefined && (state.closed || (await hasEnded(machine, session)))
    machine.tally.count('reconnects', channel !== undefined ? 'opened' : ended ? 'ended' : 'given-up')
    if (channel === undefined) break
    let outcome = await update(machine, channel, { turn, state })
    while (outcome === 'cut' && isTurnedAway(channel, leftAt)) {
      await machine.wait(LEAVING_EVERY_MS)
      const again = await opened(machine, session, connect, storm, leftAt)
      if (again === undefined) break
      channel = again
      outcome = await update(machine, channel, { turn, state })
    }
    const hasClosed = outcome === 'cut' && (state.closed || (await hasEnded(machine, session)))
    const cut = outcome === 'cut' && !hasClosed
    machine.tally.count('alive', hasClosed ? 'ended' : cut ? howCut(machine.tally, channel) : outcome)
    if (turn === machine.workload.turns - 1 && outcome === 'answered') await awaitEnd(machine, channel, { turn, state })
  }
  if (channel !== undefined) await tryWrongSecret(machine, session)
  await channel?.close()
  await closeSession(machine, session)
}

/** Tries until the policy gives up. */
async function opened(
  machine: ReconnectMachine,
  session: Session,
  connect: () => ControlChannel,
  since: number,
  leftAt?: number,
): Promise<ControlChannel | undefined> {
  for (let attempts = 1; ; attempts += 1) {
    const channel = connect()
    const opening = await channel.open()
    if (opening === 'opened') {
      machine.tally.time('reconnect_ms').record(channel.openedAt - since)
      return channel
    }
    const wait = opening === 'unsafe' ? undefined : await waitFor(machine, session, attempts, leftAt)
    if (wait === undefined) return undefined
    await machine.wait(wait)
  }
}

async function waitFor(
  machine: ReconnectMachine,
  session: Session,
  attempts: number,
  leftAt: number | undefined,
): Promise<number | undefined> {
  const probes = machine.random() < EXPLAINED ? 1 : 0
  const { because, wait_ms } = await afterRefusal(machine, session, { attempts, probes, leftAt })
  machine.tally.count('refused_because', because ?? 'unexplained')
  return wait_ms
}

const nameOf = (machine: ReconnectMachine, turn: number): string => `${machine.name}-${turn}`

type Alive = 'answered' | 'rejected' | 'failed' | 'silent' | 'cut'

/**
 * A new connection that says nothing is none. Every other update leaves the active avatar as it is, so that its answer shows
 * what the session has kept.
 */
async function update(
  machine: ReconnectMachine,
  channel: ControlChannel,
  { turn, state }: { turn: number; state: KeptState },
): Promise<Alive> {
  const eventId = nameOf(machine, turn)
  const avatar = AVATARS[(Math.floor(turn / 2) + state.first) % AVATARS.length] ?? ''
  const session = turn % 2 === 0 ? { active_avatar_id: avatar } : { mode: 'text_chat' }
  const sentAt = channel.send({ type: 'session.update', event_id: eventId, session })
  if (sentAt === undefined) return 'cut'
  let callOff = (): void => undefined
  const outcome = await new Promise<Alive>((resolve) => {
    const answered = (event: ServerEvent, at: number): void => {
      const { type } = event
      if (type === 'session.updated') {
        machine.tally.time('update_ms').record(at - sentAt)
        resolve('answered')
      } else if (failureOf(event) === 'rejected') resolve('rejected')
      // It may be tried again.
      else machine.later(DOUBT_MS, () => resolve('failed'))
    }
    state.await(eventId, turn % 2 === 0 ? avatar : undefined, answered)
    void channel.ended.then(() => resolve('cut'))
    callOff = machine.later(machine.workload.patience_ms, () => resolve('silent'))
  })
  callOff()
  state.forget()
  return outcome
}

/** Nobody hangs up before the last update has ended: an update that was acknowledged has an end (3.5). */
async function awaitEnd(
  machine: ReconnectMachine,
  channel: ControlChannel,
  { turn, state }: { turn: number; state: KeptState },
): Promise<void> {
  let callOff = (): void => undefined
  const late = new Promise<'undone'>((resolve) => {
    callOff = machine.later(machine.workload.patience_ms, () => resolve('undone'))
  })
  const done = state.ended(nameOf(machine, turn)).then(() => 'done')
  machine.tally.count('last_update', await Promise.race([done, late, channel.ended.then(() => 'cut')]))
  callOff()
}

/** While its own connection is there: a secret is that of one session (5.2, 5.3). */
async function tryWrongSecret(machine: ReconnectMachine, session: Session): Promise<void> {
  const isIn = await isLetIn(machine, { ...session, secret: `wrong-${session.id}` })
  machine.tally.count('wrong_secret', isIn ? 'opened' : 'refused')
}

function judge(tally: Tally<ReconnectCount | CommonCount, ReconnectTime | CommonTime>, { workload }: Facts): Findings {
  const undone = silences(
    some(
      tally.counts('last_update').get('undone') ?? 0,
      'updates on a new connection never ended',
      'control-channel.session-update.accepted-yields-done',
    ),
    tally,
    workload.patience_ms,
  )
  const flawed = flawFindings(tally)
  const [reconnects, alive] = [tally.counts('reconnects'), tally.counts('alive')]
  const away = turnedAwayFindings(tally, 'sessions')
  const failed = (alive.get('failed') ?? 0) + (tally.counts('ends').get('failed') ?? 0)
  const ended = (reconnects.get('ended') ?? 0) + (alive.get('ended') ?? 0)
  const begun = reconnects.get('begun') ?? 0
  const cut = cutOff(tally, alive, { whole: 'answered', begun, what: 'new connections' })
  return {
    broken: [
      ...flawed.broken,
      ...undone.broken,
      ...some(alive.get('rejected') ?? 0, 'sessions rejected an update on their new connection'),
      ...some(
        tally.counts('wrong_secret').get('opened') ?? 0,
        'sessions let a wrong secret in',
        'control-channel.admission.wrong-token-refused',
      ),
    ],
    trouble: [
      ...undone.trouble,
      ...some(reconnects.get('given-up') ?? 0, 'connections did not come back, with all retries'),
      ...some(alive.get('silent') ?? 0, 'sessions did not answer on their new connection'),
      ...manyOf(failed, tally.total('alive'), 'updates failed on their new connection'),
      ...cut.trouble,
      ...away.trouble,
      ...(reconnects.get('opened') === undefined && ended === 0 ? [{ text: 'no connection came back' }] : []),
    ],
    invalid: [
      ...flawed.invalid,
      ...undone.invalid,
      ...away.invalid,
      ...cut.invalid,
      ...endedByService(ended, begun, 'reconnects'),
    ],
  }
}
