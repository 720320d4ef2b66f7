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
import { type ResponseCount, responseMeasures, type ResponseTime } from './response-measures.ts'
import type { Scenario } from './scenario.ts'
import { LEAVING_EVERY_MS } from './upgrade.ts'

type SoakCount = ResponseCount | 'open_status' | 'closed_status' | 'old_secret'
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
    },
    times: [...responseMeasures().times, 'gone_ms'],
  }
}

/** How often, and how long apart, a closing session is looked at; then seldomer, until forty seconds are over. */
const LOOKS = 5
const LOOK_EVERY_MS = 2_000
const LATE_LOOKS = 5
const LATE_EVERY_MS = 6_400

/** Each of two connections may hold its session for one in so many parts of the time; the rest is for its end. */
const CONNECTIONS_TIME = 3

/** Sessions that last: what leaks, fills or drifts shows in its percentiles over time. */
export const soak: Scenario<SoakCount, SoakTime> = {
  name: 'soak',
  about: 'Sessions are held for long, change their connection half-way, and must be gone once they are closed.',
  measures,
  price: ({ turns, turn_interval_ms }) => ({
    requests: 3 + LOOKS,
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
  const half = Math.ceil(workload.turns / 2)
  for (const turns of [
    { from: 0, to: half },
    { from: half, to: workload.turns },
  ]) {
    tally.count('conversations', 'begun')
    const within = workload.iteration_ms / CONNECTIONS_TIME
    while ((await new Conversation(machine, session, turns, within).hold(leftAt)) === 'too-soon')
      await machine.wait(LEAVING_EVERY_MS)
    leftAt = machine.now()
  }
  const open = statusOf(await getSession(machine, session))
  tally.count('open_status', open === 'gone' ? 'closed' : open)
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
  for (let look = 0; look < LOOKS + LATE_LOOKS; look += 1) {
    status = statusOf(await getSession(machine, session))
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
  if (isOver || (accepted && status === 'unknown')) await tryOldSecret(machine, session, isOver)
}

/** @param isOver whether Get Session told so; where it tells nothing, the session may be closing for as long as others may */
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
    broken: late.flatMap(({ broken }) => broken),
    trouble: [
      ...late.flatMap(({ trouble }) => trouble),
      ...(isGone ? [] : some(failed, 'sessions failed as they closed, and none was closed')),
      ...some(tally.counts('sessions').get('unclosed') ?? 0, 'sessions were not closed when asked'),
    ],
    invalid: [
      ...endedByService(ended, looks, 'sessions'),
      ...(isGone ? lostFor(failed, looks, 'sessions failed as they closed') : []),
    ],
  }
}
