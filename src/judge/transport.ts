import { isLikelyTargets, mayBeEdges, mayBeEdgesRefusal, mayLackRoute, pageKind } from '#trace/edge'
import type { ChannelRefusedEntry } from '#trace/entry'
import { isObject } from '#trace/json'
import { isNoAccident } from './chance/chance.ts'
import { withoutOwnNames } from './conditions/own-names.ts'
import { channelsOf } from './operations.ts'
import { readOnce } from './read-once.ts'
import type { Attempt, ChannelRecord, ExchangeRecord, RefusedTry, TraceIndex } from './trace-index.ts'

/**
 * Who is to blame for an answer that bears no envelope, a connection that broke, or an upgrade that was refused by a status
 * that any edge may send: first the way to the target. It is the target when the same request never brought anything else
 * for half a minute (for a page of a 4xx, some ten seconds, for JSON in one, a few) while the target answered others; from
 * then on, the same page or silence counts for all requests that never brought anything else.
 */

/** What was waited is a little less than the pauses say: timers and clocks differ by some milliseconds. */
const lasting_ms = 29_500
const lastingPage_ms = 12_500
const lastingJson_ms = 3_900
/** At least so many attempts. */
const mostCoincidences = 3
/** Answers so shortly before and after the attempts count where nothing else was sent meanwhile. */
const nearby_ms = 5_000
/** Whoever was sent during a shorter try need not have been answered before its end. */
const short_ms = 1_000
/** Troubles that are no further apart may come of one cause. */
const moment_ms = 1_000

/** One try, of a request or an upgrade. */
interface Try {
  readonly line: number
  readonly sent: number
  readonly ended: number
  /** What seems to be wrong on the way; undefined where the target itself answered. */
  readonly trouble: string | undefined
  /** The target itself answered it. Whoever refuses an upgrade may be an edge, whatever the status. */
  readonly answered: boolean
  /** For how long its trouble must last to be the target's, in milliseconds. */
  readonly lasts_ms: number
  /** Its trouble is JSON that speaks of the request, or a redirect: no outage looks like that for a whole run. */
  readonly speaks: boolean
}

/** Whether what came of an attempt without an envelope, or of none at all, is the target's own doing. */
export function isLasting(trace: TraceIndex, attempt: Attempt): boolean {
  return lastingIn(trace).has(attempt.request.line)
}

/** The same of a refused upgrade. */
export function isLastingRefusal(trace: TraceIndex, channel: ChannelRecord): boolean {
  return lastingIn(trace).has(channel.open.line)
}

/** What seems to be wrong on the way; undefined for what the target itself answered, and for what we did ourselves. */
export function troubleOf({ response, failure }: Pick<Attempt, 'response' | 'failure'>): string | undefined {
  if (response !== undefined) return mayBeEdges(response.entry) ? pageKind(response.entry) : undefined
  const reason = failure?.entry.reason
  return reason !== undefined && passing.has(reason) ? reason : undefined
}

const passing: ReadonlySet<string> = new Set(['timeout', 'refused', 'reset', 'dns', 'protocol'])

/** What seems to be wrong on the way of an upgrade; undefined where the target itself refused. */
export function refusalTrouble({ status, reason, message }: ChannelRefusedEntry): string | undefined {
  if (status !== undefined) return mayBeEdgesRefusal(status, message) ? `HTTP ${status}` : undefined
  return passing.has(reason) ? reason : undefined
}

/**
 * Whether an edge may have refused that had no route to the target for a moment: who was invited, and asked only once, knows no
 * more than that, and neither does who asked twice while requests met trouble. In a recording each try is a channel of its own.
 */
export function mayHaveLackedRoute(
  trace: TraceIndex,
  { channel, session, open, refused, earlier }: ChannelRecord,
): boolean {
  if (refused === undefined || !mayLackRoute(refused.entry.status)) return false
  const { url, secret } = open.entry
  const alike = channelsOf(trace, session).filter((other) => {
    return other.channel !== channel && other.open.entry.url === url && other.open.entry.secret === secret
  })
  const before = [...earlier, ...alike].filter((one) => mayLackRoute(one.refused?.entry.status))
  if (before.length === 0) return true
  const [from, until] = [Math.max(...before.map((one) => one.open.entry.t)), refused.entry.t]
  return passingTroubles(trace).some(({ sent, ended }) => sent <= until + moment_ms && ended >= from - moment_ms)
}

/** Requests that met trouble on the way which is not the target's. */
const passingTroubles = readOnce((trace: TraceIndex): readonly Try[] => {
  const attempts = [...trace.exchanges.values()].flatMap((record) => record.attempts)
  return attempts.filter((one) => troubleOf(one) !== undefined && !isLasting(trace, one)).map(tryOf)
})

/** Lines of the requests and upgrades whose trouble is the target's own. */
const lastingIn = readOnce((trace: TraceIndex): ReadonlySet<number> => {
  // What never brought anything else in a window may have done so before.
  if (trace.since > 0) return new Set()
  const kinds = [requestGroups(trace), upgradeGroups(trace)]
  const groups = kinds.flat()
  const troubled = groups.filter(isAllTrouble)
  if (troubled.length === 0) return new Set()
  const noAccident = kinds.flatMap((all) => {
    const rate = troubleRate(all)
    return all.filter((tries) => isAllTrouble(tries) && isNoAccident(tries.length, rate))
  })
  const answers = groups.flatMap((tries) => tries.filter(({ answered }) => answered))
  const others = groups.flat()
  const proven = new Set(
    noAccident
      .filter((tries) => isLong(tries) && (nothingElse(tries, answers) || isAmongAnswers(tries, answers, others)))
      .map(kindOf),
  )
  return new Set(troubled.filter((tries) => proven.has(kindOf(tries))).flatMap(linesOf))
})

const isAllTrouble = (tries: readonly Try[]): boolean =>
  tries.length > 0 && tries.every(({ trouble }) => trouble !== undefined)

/** How often a try meets trouble by accident, as a share: on a bad way, several do in a row. What never passes does not count. */
function troubleRate(groups: readonly (readonly Try[])[]): number {
  const all = groups.filter((tries) => !isAllTrouble(tries)).flat()
  return all.length === 0 ? 0 : all.filter(({ trouble }) => trouble !== undefined).length / all.length
}

/**
 * Tries of one and the same request, but for its idempotency key and the names that the run made up, in the order of sending.
 * Those of a key and path on which nothing was ever in trouble stand alone: with whom they belong together decides nothing.
 */
function requestGroups(trace: TraceIndex): Try[][] {
  const troubled = troubledPaths(trace)
  const groups = new Map<string, Try[]>()
  const alone: Try[][] = []
  for (const record of trace.exchanges.values()) {
    for (const attempt of record.attempts) {
      if (!troubled.has(pathOf(record, attempt))) {
        alone.push([tryOf(attempt)])
        continue
      }
      const name = nameOf(trace, record, attempt)
      const tries = groups.get(name)
      if (tries === undefined) groups.set(name, [tryOf(attempt)])
      else tries.push(tryOf(attempt))
    }
  }
  return [...[...groups.values()].map((tries) => tries.toSorted((one, other) => one.sent - other.sent)), ...alone]
}

function troubledPaths(trace: TraceIndex): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const record of trace.exchanges.values()) {
    for (const attempt of record.attempts) if (troubleOf(attempt) !== undefined) paths.add(pathOf(record, attempt))
  }
  return paths
}

function pathOf({ key }: ExchangeRecord, { request: { entry } }: Attempt): string {
  return `${key} ${entry.method} ${entry.path}`
}

function nameOf({ header }: TraceIndex, { key }: ExchangeRecord, { request }: Attempt): string {
  const { method, path, body, text } = request.entry
  const { idempotency_key: _, ...rest } = isObject(body) ? body : {}
  return withoutOwnNames(header, JSON.stringify([key, method, path, isObject(body) ? rest : body, text]))
}

function tryOf(attempt: Attempt): Try {
  const { request, response, failure } = attempt
  const end = (response ?? failure)?.entry.t ?? request.entry.t
  const trouble = troubleOf(attempt)
  const [status, json] = [response?.entry.status ?? 0, response !== undefined && isLikelyTargets(response.entry)]
  const pages_ms = status >= 300 && status < 500 ? lastingPage_ms : lasting_ms
  const speaks = json || (status >= 300 && status < 400)
  return {
    line: request.line,
    sent: request.entry.t,
    ended: end,
    trouble,
    answered: response !== undefined && trouble === undefined,
    lasts_ms: json ? lastingJson_ms : pages_ms,
    speaks,
  }
}

/** Tries to open one channel. */
function upgradeGroups(trace: TraceIndex): Try[][] {
  return [...trace.channels.values()].map((channel) => {
    const last = channel.refused === undefined ? [] : [{ open: channel.open, refused: channel.refused }]
    const refused = [...channel.earlier, ...last].map(refusedTry)
    const { opened, open } = channel
    if (opened === undefined) return refused
    const admitted = { line: open.line, sent: open.entry.t, ended: opened.t, trouble: undefined, answered: true }
    return [...refused, { ...admitted, lasts_ms: lasting_ms, speaks: false }]
  })
}

function refusedTry({ open, refused }: RefusedTry): Try {
  const trouble = refusalTrouble(refused.entry)
  const kind = trouble === undefined ? undefined : `upgrade ${open.entry.credential} ${trouble}`
  const [sent, ended] = [open.entry.t, refused.entry.t]
  return { line: open.line, sent, ended, trouble: kind, answered: false, lasts_ms: lasting_ms, speaks: false }
}

/** Whether tries that all met trouble lasted long enough. */
function isLong(tries: readonly Try[]): boolean {
  const [first, last] = [tries[0], tries.at(-1)]
  if (first === undefined || last === undefined || tries.length < mostCoincidences) return false
  return last.ended - first.sent >= Math.max(...tries.map(({ lasts_ms }) => lasts_ms))
}

/** Whether nothing at all was ever answered otherwise. */
function nothingElse(tries: readonly Try[], answers: readonly Try[]): boolean {
  return answers.length === 0 && tries.every(({ speaks }) => speaks)
}

/**
 * Whether the target was there for others meanwhile: a service that is away for all of that time, behind an edge that answers
 * for it, is there again a moment later, too.
 */
function isAmongAnswers(tries: readonly Try[], answers: readonly Try[], others: readonly Try[]): boolean {
  const [first, last] = [tries[0], tries.at(-1)]
  if (first === undefined || last === undefined || !tries.every((one) => isThereFor(one, others))) return false
  // What was on its way when the first one failed, or comes with the last one, may be of a time in which all was well.
  if (answers.some(({ sent, ended }) => sent >= first.ended && ended <= last.sent)) return true
  const between = (from: number, to: number) => answers.some(({ ended }) => ended >= from && ended <= to)
  const own = new Set(linesOf(tries))
  if (others.some(({ line, sent }) => sent >= first.sent && sent <= last.ended && !own.has(line))) return false
  return between(first.sent - nearby_ms, first.sent) && between(last.ended, last.ended + nearby_ms)
}

/**
 * Whether, of all that was sent during a try, anything was answered: while a machine has no time or a way is down, nothing
 * is, and tries of such a time say nothing of the target. What is answered at once leaves others no time.
 */
function isThereFor(one: Try, others: readonly Try[]): boolean {
  if (one.ended - one.sent < short_ms) return true
  const meanwhile = others.filter(({ sent, line }) => sent >= one.sent && sent <= one.ended && line !== one.line)
  return meanwhile.length === 0 || meanwhile.some(({ answered, ended }) => answered && ended <= one.ended)
}

function kindOf(tries: readonly Try[]): string {
  return tries.at(-1)?.trouble ?? ''
}

function linesOf(tries: readonly Try[]): readonly number[] {
  return tries.map(({ line }) => line)
}
