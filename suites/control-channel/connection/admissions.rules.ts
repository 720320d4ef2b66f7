import { type Call, callOf } from '#judge/calls'
import { admission, isLetIn, judgeAdmitted } from '#judge/conditions/admission'
import { channelsOf, createsAvatarSession } from '#judge/operations'
import { endedByItself } from '#judge/sessions/session-end'
import type { Report, Rule } from '#judge/rule'
import { sessionIn } from '#judge/sessions/session-in'
import type { ChannelRecord, RefusedTry, TraceIndex } from '#judge/trace-index'
import { mayLackRoute } from '#trace/edge'
import { stringAt } from '#trace/json'
import { wrongWayIn } from '#trace/stand-ins'
import { type Row, rows } from '../rows.ts'

const own = rows({
  admission: 'wrong-token-refused wrong-bearer-refused',
  secret: [
    'valid-while-open reconnect-admitted reconnect-after-drop-admitted reconnect-other-form-admitted',
    'second-connection-admitted refused-after-closed bearer-refused-after-closed',
  ],
})

/** What was told of the control credential of a session, and of its end. */
interface Life {
  readonly id: string
  readonly url: string
  /** A repeated create may tell another one. */
  readonly secrets: Set<string>
  /** Line of the first request to close it. */
  closing: number
  /** Line of the first Get that showed it closed. */
  over: number
  /** Lines of Gets that showed it active. */
  readonly active: number[]
}

/**
 * "Valid until the session ends, not single-use, stops working when the session closes" (5.3): whoever opens the control
 * channel by the secret and the URL of a session, in whichever form, is let in while it is open and turned away once it is
 * closed.
 */
export const admissions: Rule = {
  id: 'control-channel.admissions',
  proves: own.map((row) => `control-channel.${row}`),
  judge(trace, report) {
    for (const channel of trace.channels.values()) judgeWrong(trace, channel, report)
    const firsts: First[] = []
    for (const life of livesOf(trace)) {
      const tries = channelsOf(trace, life.id).filter((channel) => isOwn(life, channel))
      if (channelsOf(trace, life.id)[0] === tries[0]) firsts.push(...firstOf(trace, tries))
      for (const [place, channel] of tries.entries()) {
        const before = tries.slice(0, place).filter((other) => other.opened !== undefined)
        if (channel.open.line > life.over) judgeClosed(trace, channel, before, report)
        else judgeOpen(trace, life, { channel, before, after: tries.slice(place + 1) }, report)
      }
    }
    judgeFirsts(firsts, report)
  },
}

/** How a session was opened first, and by what its secret was refused before that. */
interface First {
  readonly admitted: ChannelRecord
  readonly refusals: readonly RefusedTry[]
}

function firstOf(trace: TraceIndex, tries: readonly ChannelRecord[]): readonly First[] {
  const place = tries.findIndex((channel) => channel.opened !== undefined)
  const admitted = tries[place]
  if (admitted === undefined || admission(trace, admitted) !== 'admitted') return []
  const before = tries
    .slice(0, place)
    .flatMap(({ open, refused }) => (refused === undefined ? [] : [{ open, refused }]))
  const all = [...before, ...admitted.earlier]
  return [{ admitted, refusals: all.filter(({ refused }) => mayLackRoute(refused.entry.status)) }]
}

/** An edge has no route for a moment; not at so many moments, each so far from the one before, in milliseconds. */
const mostMoments = 4
const apart_ms = 900

/** "Valid until the session ends" (5.3), and so from its beginning on: a secret that opens no session before it was refused once is not. */
function judgeFirsts(firsts: readonly First[], report: Report): void {
  const refusals = firsts.flatMap((one) => one.refusals.slice(0, 1))
  if (refusals.length < firsts.length) return
  const moments: RefusedTry[] = []
  for (const one of refusals.toSorted((here, there) => here.open.line - there.open.line))
    if (one.open.entry.t - (moments.at(-1)?.open.entry.t ?? -Infinity) >= apart_ms) moments.push(one)
  const [first] = moments
  if (first === undefined || moments.length < mostMoments) return
  const got = `of each of ${firsts.length} sessions, the first one is refused with HTTP status ${first.refused.entry.status}`
  const lines = moments.slice(0, mostMoments).flatMap(({ open, refused }) => [open.line, refused.line])
  report.broken(name('secret.valid-while-open'), {
    expected: 'an admitted control connection',
    got,
    lines,
    scenario: firsts[0]?.admitted.scenario,
  })
}

/** "The credential is `control.client_secret`" (5.2): a secret that was never issued lets nobody in, whoever else is there. */
function judgeWrong(trace: TraceIndex, channel: ChannelRecord, report: Report): void {
  const { url, secret, credential } = channel.open.entry
  const token = credential === 'header' ? secret : URL.parse(url)?.searchParams.get('token')
  if (wrongWayIn(token ?? '') !== 'other' || !isLetIn(trace, channel)) return
  const row = name(credential === 'header' ? 'admission.wrong-bearer-refused' : 'admission.wrong-token-refused')
  const lines = [channel.open.line, channel.opened?.line ?? channel.open.line]
  const expected = 'a refused control connection: its secret was never issued'
  report.broken(row, { expected, got: 'a connection that is kept', lines, scenario: channel.scenario })
}

interface Try {
  readonly channel: ChannelRecord
  /** Connections that were let in before and after. */
  readonly before: readonly ChannelRecord[]
  readonly after: readonly ChannelRecord[]
}

function judgeOpen(trace: TraceIndex, life: Life, attempt: Try, report: Report): void {
  const { channel, before } = attempt
  const outcome = judgeAdmitted(trace, channel.channel)
  const about = rowsOf(channel, before)
  if (outcome.state === 'held') for (const row of about) report.held(name(row), ...outcome.lines)
  if (outcome.state !== 'broken' || !wasOpen(trace, life, attempt)) return
  const { expected, got, lines } = outcome
  for (const row of about) report.broken(name(row), { expected, got, lines, scenario: channel.scenario })
}

/** What an opening shows, by what stands beside it and came before it. */
function rowsOf(channel: ChannelRecord, before: readonly ChannelRecord[]): readonly Row[] {
  const { line, entry } = channel.open
  const last = before.at(-1)
  if (last === undefined) return ['secret.valid-while-open']
  const beside = before.filter(({ closed }) => closed === undefined || closed.line > line)
  // How many there may be is not said.
  if (beside.length > 0) return beside.length === 1 ? ['secret.second-connection-admitted'] : []
  if (before.every(({ open }) => open.entry.credential !== entry.credential))
    return ['secret.reconnect-other-form-admitted']
  if (last.closed?.entry.by !== 'us') return ['secret.valid-while-open']
  if (last.closed.entry.code === dropped) return ['secret.reconnect-after-drop-admitted']
  return ['secret.valid-while-open', 'secret.reconnect-admitted']
}

/** RFC 6455: a connection that ended without a closing handshake. */
const dropped = 1006

/**
 * It was seen to be open afterwards, and nobody had asked for its end: a service may end a session by itself (3.1).
 */
function wasOpen(trace: TraceIndex, { id, closing, active }: Life, { channel, after }: Try): boolean {
  // What we or the way ended says nothing of the secret.
  if (channel.refused === undefined && channel.closed?.entry.by !== 'target') return false
  const end = channel.closed ?? channel.refused
  const line = end?.line ?? Number.POSITIVE_INFINITY
  if (closing < line || endedByItself(trace, id)) return false
  // Whether an older connection stays when a newer one comes is not said.
  if (after.some(({ open }) => open.line < line)) return false
  return active.some((one) => one > line) || after.some((other) => admission(trace, other) === 'admitted')
}

/** A refusal counts beside a connection that the same secret opened before. */
function judgeClosed(
  trace: TraceIndex,
  channel: ChannelRecord,
  before: readonly ChannelRecord[],
  report: Report,
): void {
  const query = channel.open.entry.credential === 'query'
  const row = name(query ? 'secret.refused-after-closed' : 'secret.bearer-refused-after-closed')
  const state = admission(trace, channel)
  const lines = [channel.open.line, channel.opened?.line ?? channel.refused?.line ?? 0].filter((line) => line > 0)
  if (isLetIn(trace, channel)) {
    const expected = 'a refused control connection: the session is closed'
    report.broken(row, { expected, got: 'a connection that is kept', lines, scenario: channel.scenario })
  } else if (state === 'refused' && channel.refused?.entry.reason === 'status' && before.length > 0) {
    report.held(row, ...lines)
  }
}

const name = (row: Row): string => `control-channel.${row}`

/** By the secret of the session, at its own URL. */
function isOwn({ url, secrets }: Life, { open: { entry } }: ChannelRecord): boolean {
  const opened = URL.parse(entry.url)
  const given = URL.parse(url)
  if (opened === null || given === null) return false
  const token = opened.searchParams.get('token')
  opened.searchParams.delete('token')
  if (opened.pathname !== given.pathname || opened.searchParams.toString() !== given.searchParams.toString())
    return false
  const secret = entry.credential === 'query' ? token : entry.secret
  return secrets.has(secret ?? '')
}

function livesOf(trace: TraceIndex): readonly Life[] {
  const lives = new Map<string, Life>()
  for (const record of trace.exchanges.values()) {
    for (const attempt of record.attempts) {
      const id = sessionIn(attempt.request.entry.path)
      const life = id === undefined ? undefined : lives.get(id)
      if (createsAvatarSession(record.operation)) addCreate(lives, callOf(record, attempt))
      else if (life === undefined) continue
      else if (record.operation === 'close-avatar-session') life.closing = Math.min(life.closing, attempt.request.line)
      else if (record.operation === 'get-avatar-session') addGet(life, callOf(record, attempt))
    }
  }
  return [...lives.values()]
}

function addCreate(lives: Map<string, Life>, created: Call): void {
  const id = stringAt(created.data, '/session_id')
  const [url, secret] = [stringAt(created.data, '/control/url'), stringAt(created.data, '/control/client_secret')]
  if (id === undefined || url === undefined || secret === undefined || secret === '') return
  const end = Number.POSITIVE_INFINITY
  const fresh: Life = { id, url, secrets: new Set(), closing: end, over: end, active: [] }
  const life = lives.get(id) ?? fresh
  life.secrets.add(secret)
  lives.set(id, life)
}

function addGet(life: Life, get: Call): void {
  if (get.answer.kind !== 'success') return
  const status = stringAt(get.data, '/status')
  if (status === 'closed') life.over = Math.min(life.over, get.answeredLine)
  else if (status === 'active') life.active.push(get.line)
}
