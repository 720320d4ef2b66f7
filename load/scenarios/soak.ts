import type { CommonCount, CommonTime } from '../core/common-measures.ts'
import { type RestAnswer, type Session, succeeded } from '../core/envelope.ts'
import { endedByService, type Findings, lostFor, join, some } from '../core/findings.ts'
import { statusIn } from '../core/limits/listing.ts'
import { silences } from '../core/silence.ts'
import { type Measures, OTHER, type Tally } from '../core/tally.ts'
import { closeSession, createSession, getSession } from './avatar-session.ts'
import { Conversation } from './conversation.ts'
import { judgeConversations } from './judge-conversations.ts'
import { isLetIn, STAYS_MS } from './reconnects/let-in.ts'
import type { Machine } from './machine.ts'
import { type Ending, type ResponseCount, responseMeasures, type ResponseTime } from './response-measures.ts'
import type { Scenario } from './scenario.ts'
import { LEAVING_EVERY_MS } from './upgrade.ts'

type SoakCount = ResponseCount | 'open_status' | 'closed_status' | 'old_secret' | 'got' | 'stays'
type SoakTime = ResponseTime | 'gone_ms'
type SoakMachine = Machine<SoakCount, SoakTime>

function measures(): Measures<SoakCount, SoakTime> {
  return {
    counts: {
      ...responseMeasures().counts,
      // Of a session that is held, and of one that was closed, as Get Session tells; `unknown`: no answer that says so.
      open_status: ['active', 'closing', 'closed', 'failed', 'unknown', OTHER],
      closed_status: ['closed', 'gone', 'closing', 'active', 'failed', 'unknown', OTHER],
      // What became of a connection with the secret of a closed session.
      old_secret: ['refused', 'opened', OTHER],
      // Which session Get Session names; and what it says of a closed one later.
      got: ['own', 'another', OTHER],
      stays: ['closed', 'active-again', OTHER],
    },
    times: [...responseMeasures().times, 'gone_ms'],
  }
}

/** How often, and how long apart, a closing session is looked at; then seldomer, until forty seconds are over. */
const LOOKS = 5
const LOOK_EVERY_MS = 2_000
const LATE_LOOKS = 5
const LATE_EVERY_MS = 6_400
/** How often in a row a session that was closed has to be active, so that it is active again. */
const LOOKS_BACK = 2

/** Each of two connections may hold its session for one in so many parts of the time; the rest is for its end. */
const CONNECTIONS_TIME = 3

/** Sessions that last: what leaks, fills or drifts shows in its percentiles over time. */
export const soak: Scenario<SoakCount, SoakTime> = {
  name: 'soak',
  about: 'Sessions are held for long, change their connection half-way, and must be gone once they are closed.',
  measures,
  judges_times: true,
  price: ({ turns, turn_interval_ms }) => ({
    requests: 4 + LOOKS,
    sessions: 1,
    busy_ms: 3_000 + turns * turn_interval_ms,
  }),
  arrival: { kind: 'rate' },
  exceeds: [],
  iterate: hold,
  judge: (tally, facts) => join([judgeConversations(tally, facts), judgeEnds(tally)]),
}

async function hold(machine: SoakMachine): Promise<void> {
  const { tally, workload } = machine
  const created = await createSession(machine)
  if (!('session' in created)) {
    tally.count('conversations', 'begun')
    tally.count('turned_away', created.refusal)
    tally.count('conversations', 'refused')
    return
  }
  const { session } = created
  let leftAt: number | undefined
  let ending: Ending | 'too-soon' | undefined
  const half = Math.ceil(workload.turns / 2)
  const within = workload.iteration_ms / CONNECTIONS_TIME
  for (const turns of [
    { from: 0, to: half },
    { from: half, to: workload.turns },
  ]) {
    tally.count('conversations', 'begun')
    const heard = ending === 'whole'
    do {
      if (ending === 'too-soon') await machine.wait(LEAVING_EVERY_MS)
      ending = await new Conversation(machine, session, { ...turns, heard }, within).hold(leftAt)
    } while (ending === 'too-soon')
    leftAt = machine.now()
  }
  const got = await getSession(machine, session)
  const open = statusOf(got)
  tally.count('open_status', open === 'gone' ? 'closed' : open)
  // Payloads of Get Session are not shown: where it names a session, it is the one that was asked for.
  const { session_id: named } = got.data
  if (succeeded(got) && typeof named === 'string') tally.count('got', named === session.id ? 'own' : 'another')
  // One that is over lets nobody in; and who shows it so does not know it.
  if (
    isToldAs('closed', got) &&
    (await isLetIn(machine, session)) &&
    isToldAs('closed', await getSession(machine, session))
  )
    tally.count('old_secret', 'opened')
  const closed = await closeSession(machine, session)
  // One that failed by itself stays so.
  if (open !== 'failed') await watchItGo(machine, session, succeeded(closed) || closed.code === '20005')
}

/**
 * Section 3.1: "Poll Get Session, stop on `closed`, handle `failed`, use a bounded timeout".
 * @param accepted whether the close was: one that was refused may have been carried out before, and then the session is over
 */
async function watchItGo(machine: SoakMachine, session: Session, accepted: boolean): Promise<void> {
  const { tally } = machine
  const closedAt = machine.now()
  let status = 'unknown'
  let isSure = false
  for (let look = 0; look < LOOKS + LATE_LOOKS; look += 1) {
    const got = await getSession(machine, session)
    status = statusOf(got)
    isSure = status === 'gone' || isToldAs('closed', got)
    if (status === 'closed' || status === 'gone') {
      tally.time('gone_ms').record(machine.now() - closedAt)
      break
    }
    // What is active had time enough to begin to close; where it does close, nobody knows how long that takes.
    if (look >= LOOKS - 1 && status !== 'closing') break
    if (look < LOOKS + LATE_LOOKS - 1) await machine.wait(look < LOOKS - 1 ? LOOK_EVERY_MS : LATE_EVERY_MS)
  }
  const isOver = status === 'closed' || status === 'gone'
  if (accepted || isOver) tally.count('closed_status', status)
  if (isOver || (accepted && status === 'unknown')) await tryOldSecret(machine, session, isSure)
  if (isSure && status === 'closed') await lookBack(machine, session)
}

/** What has ended stays so; a Get may come from a node that is behind, so that what speaks against it is looked at again. */
async function lookBack(machine: SoakMachine, session: Session): Promise<void> {
  let isActive = true
  for (let look = 0; look < LOOKS_BACK && isActive; look += 1) {
    await machine.wait(LOOK_EVERY_MS)
    isActive = isToldAs('active', await getSession(machine, session))
  }
  machine.tally.count('stays', isActive ? 'active-again' : 'closed')
}

/** @param isOver whether Get Session told so under `status`; where it tells otherwise or nothing, the session may be closing for as long as others may */
async function tryOldSecret(machine: SoakMachine, session: Session, isOver: boolean): Promise<void> {
  let works = await isLetIn(machine, session)
  if (works && !isOver) {
    await machine.wait(LATE_LOOKS * LATE_EVERY_MS)
    works = await isLetIn(machine, session)
  }
  machine.tally.count('old_secret', works ? 'opened' : 'refused')
}

/** `gone`: a service may know a closed session no longer. */
function statusOf({ code, status, data }: RestAnswer): string {
  if (code === '20005') return 'gone'
  const told = succeeded({ code, status, data }) ? statusIn(code, data) : undefined
  return told === undefined || told === 'unsure' ? 'unknown' : told
}

/**
 * What Get Session shows is not said: a word like a status may be another thing's, such as that of a connection. Only under
 * `status` is it the session's, so that nothing else speaks against a service.
 */
function isToldAs(status: 'active' | 'closed', answer: RestAnswer): boolean {
  return succeeded(answer) && answer.data['status'] === status
}

function judgeEnds(tally: Tally<SoakCount | CommonCount, SoakTime | CommonTime>): Findings {
  const [open, closed] = [tally.counts('open_status'), tally.counts('closed_status')]
  const ended = (open.get('closing') ?? 0) + (open.get('closed') ?? 0) + (open.get('failed') ?? 0)
  // A cleanup may fail (3.1), but not each.
  const [failed, isGone] = [closed.get('failed') ?? 0, closed.has('closed') || closed.has('gone')]
  const looks = [...open.values()].reduce((sum, count) => sum + count, 0)
  const late = [
    silences(
      some(closed.get('active') ?? 0, 'sessions were still active ten seconds after they were closed'),
      tally,
      (LOOKS - 1) * LOOK_EVERY_MS,
    ),
    silences(
      some(
        closed.get('closing') ?? 0,
        'sessions were still closing forty seconds after they were closed',
        'avatar-sessions.close.reaches-closed',
      ),
      tally,
      LATE_LOOKS * LATE_EVERY_MS,
    ),
    silences(
      some(
        tally.counts('old_secret').get('opened') ?? 0,
        'closed sessions let their old secret in',
        'control-channel.secret.refused-after-closed',
      ),
      tally,
      STAYS_MS,
    ),
  ]
  return {
    broken: [
      ...late.flatMap(({ broken }) => broken),
      ...some(
        tally.counts('got').get('another') ?? 0,
        'answers of Get Session named another session',
        'avatar-sessions.get.names-session',
      ),
      ...some(
        tally.counts('stays').get('active-again') ?? 0,
        'sessions were active again after they had been closed',
        'avatar-sessions.close.never-active-again',
      ),
    ],
    trouble: [
      ...late.flatMap(({ trouble }) => trouble),
      ...(isGone ? [] : some(failed, 'sessions failed as they closed, and none was closed')),
      ...some(tally.counts('sessions').get('unclosed') ?? 0, 'sessions were not closed when asked'),
    ],
    invalid: [
      ...late.flatMap(({ invalid }) => invalid),
      ...endedByService(ended, looks, 'sessions'),
      ...(isGone ? lostFor(failed, looks, 'sessions failed as they closed') : []),
    ],
  }
}
