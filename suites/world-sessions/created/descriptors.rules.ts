import type { Report, Rule } from '#judge/rule'
import { ourClockAt } from '#judge/timing/our-clock'
import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import { isDateTime } from '#spec/formats'
import { at, isObject, textAt } from '#trace/json'
import { baselineOf, isOpen } from '../life/get.rules.ts'
import { say, type World, worldsOf } from '../worlds.ts'
import { type Call } from '#judge/calls'

const kinds = ['control', 'media'] as const
type Kind = (typeof kinds)[number]

/** Section 9. */
const path = '/v1/streaming-world/control'

/** The descriptors that Create Session and Create Client Secret hand out (2.11, 4.5, section 5), and what Get shows of them. */
export const descriptors: Rule = {
  id: 'world-sessions.descriptors',
  proves: [
    'world-sessions.control.url-path',
    'world-sessions.client-secret.control-url-path',
    'world-sessions.client-secret.expiry-not-sooner',
    ...kinds.flatMap((kind) => [
      `world-sessions.${kind}.expires-at-in-future`,
      `world-sessions.client-secret.${kind}-expires-at-in-future`,
      `world-sessions.get.${kind}-url-kept`,
      `world-sessions.get.${kind}-expires-at-kept`,
    ]),
  ],
  judge(trace, report) {
    for (const world of worldsOf(trace).worlds.values()) {
      const { creation, secrets, gets } = world
      if (creation.plain) judgeCreated(creation.call, trace, report)
      for (const call of secrets) if (call.data !== undefined) judgeFresh(world, call, trace, report)
      for (const get of gets) if (isOpen(get)) for (const kind of kinds) judgeShown(world, kind, get, report)
    }
  },
}

function judgeCreated(call: Call, trace: TraceIndex, report: Report): void {
  if (at(call.data, '/status') === 'failed') return
  tellMissing(call, report)
  judgePath('world-sessions.control.url-path', call, trace, report)
  for (const kind of kinds)
    judgeFuture(`world-sessions.${kind}.expires-at-in-future`, kind, call, bornAt(call), { trace, report })
}

/** 3.2: descriptors may come with `active`; the rows that speak of the create have nothing to see then. */
function tellMissing(call: Call, report: Report): void {
  const why = 'the session was provisioning, without descriptors yet'
  const early = at(call.data, '/status') === 'provisioning'
  for (const kind of kinds) {
    if (!early || (!isBlank(call, kind) && textAt(call.data, `/${kind}/expires_at`) !== undefined)) continue
    report.unobserved(`world-sessions.${kind}.expires-at-in-future`, 'model_choice', why, call.answeredLine)
    const kept = [`world-sessions.get.${kind}-expires-at-kept`, `world-sessions.get.${kind}-url-kept`] as const
    for (const row of kept) report.unobserved(row, 'model_choice', why, call.answeredLine)
  }
  if (early && textAt(call.data, '/control/url') === undefined) {
    report.unobserved('world-sessions.control.url-path', 'model_choice', why, call.answeredLine)
  }
}

function judgeFresh({ creation, secrets }: World, call: Call, trace: TraceIndex, report: Report): void {
  judgePath('world-sessions.client-secret.control-url-path', call, trace, report)
  // A recording may begin in the middle: whether the key went out before it nobody knows.
  if (isRecording(trace) && keyIn(call) !== undefined) return
  const before = [creation.call, ...secrets].filter(({ answeredLine }) => answeredLine < call.line)
  for (const kind of kinds) {
    const own = ownTimeAt(creation.call, call)
    judgeFuture(`world-sessions.client-secret.${kind}-expires-at-in-future`, kind, call, own, { trace, report })
    const now = timeAt(call, kind)
    const old = before.map((one) => timeAt(one, kind)).filter((time) => time !== undefined)
    if (now === undefined || old.length === 0 || isRepeated(call, secrets)) continue
    const finding = {
      expected: 'no sooner than before',
      got: `${Math.max(...old) - now} ms sooner`,
      call,
      beside: before,
    }
    say(report, 'world-sessions.client-secret.expiry-not-sooner', now + second >= Math.max(...old), finding)
  }
}

/** The answer to a known key may be the first one again (4.5), which is older than what came between. */
function isRepeated(call: Call, secrets: readonly Call[]): boolean {
  const key = keyIn(call)
  return key !== undefined && secrets.some((one) => one.line < call.line && keyIn(one) === key)
}

const keyIn = ({ asked }: Call): string | undefined => textAt(asked, '/idempotency_key')

/** Times may be cut to the second. */
const second = 1_000

/** What is handed out without a secret describes nothing yet (3.2), and its time is not that of a credential. */
const isBlank = ({ data }: Call, kind: Kind): boolean => textAt(data, `/${kind}/client_secret`) === undefined

/** The expiry of what an answer hands out. */
function timeAt(call: Call, kind: Kind): number | undefined {
  return isBlank(call, kind) ? undefined : timeShownAt(call, kind)
}

function timeShownAt(call: Call, kind: Kind): number | undefined {
  const text = textAt(call.data, `/${kind}/expires_at`)
  return text === undefined || !isDateTime(text) ? undefined : Date.parse(text)
}

type PathRow = 'world-sessions.control.url-path' | 'world-sessions.client-secret.control-url-path'

/** A target that stands behind a path of its own may have its control URLs there, too. */
function judgePath(row: PathRow, call: Call, { header }: TraceIndex, report: Report): void {
  const text = textAt(call.data, '/control/url')
  const base = isObject(header?.profile) ? textAt(header.profile, '/base_url') : undefined
  const url = text === undefined ? null : URL.parse(text, base)
  if (url === null) return
  const prefix = (base === undefined ? '' : (URL.parse(base)?.pathname ?? '')).replace(/\/+$/, '')
  const holds = [path, prefix + path].includes(url.pathname.replace(/\/$/, ''))
  say(report, row, holds, { expected: `the path ${path}`, got: url.pathname, call })
}

/** How far our clock and the target's may be apart, where the target does not tell its own. */
const skew_ms = 300_000
/** How far the clocks of a service's own machines may be apart: without a `Date`, `created_at` is what tells its time. */
const slack_ms = 5_000

/** The earliest time, by the target's clock, that is surely not before the request was sent. */
function sentAt({ clock, t, answeredT }: Call, trace: TraceIndex): number | undefined {
  if (clock !== undefined) return clock - (answeredT - t)
  const ours = ourClockAt(trace, t)
  return ours === undefined ? undefined : ours - skew_ms
}

type FutureRow =
  | `world-sessions.${Kind}.expires-at-in-future`
  | `world-sessions.client-secret.${Kind}-expires-at-in-future`

function judgeFuture(
  row: FutureRow,
  kind: Kind,
  call: Call,
  own: number | undefined,
  { trace, report }: { readonly trace: TraceIndex; readonly report: Report },
): void {
  const time = timeAt(call, kind)
  const sent = call.clock === undefined && own !== undefined ? own - slack_ms : sentAt(call, trace)
  if (time === undefined || sent === undefined) return
  say(report, row, time > Math.min(sent, own ?? sent), {
    expected: 'a time after the request',
    got: textAt(call.data, `/${kind}/expires_at`) ?? '',
    call,
  })
}

/** A create that is repeated late, after its answer was lost, brings the descriptors of the session's first days. */
function bornAt({ data }: Call): number | undefined {
  const text = textAt(data, '/created_at')
  return text === undefined || !isDateTime(text) ? undefined : Date.parse(text)
}

/** `Date` may be of an edge, whose clock is another one: the service's own told when it made the session. */
function ownTimeAt(creation: Call, { t }: Call): number | undefined {
  const born = bornAt(creation)
  return born === undefined ? undefined : born + t - creation.answeredT
}

/**
 * "It returns their `url` and `expires_at`": those that some answer about the session handed out. Descriptors are opaque
 * (2.11), so that a service may describe them anew at each Get.
 */
function judgeShown(world: World, kind: Kind, get: Call, report: Report): void {
  const { created, ready } = baselineOf(world)
  const early = at(created.data, '/status') === 'provisioning'
  if (early && (ready === undefined || get.line <= ready.answeredLine)) return
  const sources = [created, ...(ready === undefined ? [] : [ready]), ...world.secrets]
  const before = sources.filter(({ line, data }) => line < get.answeredLine && data !== undefined)
  const url = textAt(get.data, `/${kind}/url`)
  const handed = before.map(({ data }) => textAt(data, `/${kind}/url`)).filter((one) => one !== undefined)
  if (url !== undefined && handed.length > 0) {
    const holds = handed.some((one) => bare(one) === bare(url))
    const finding = { expected: [...new Set(handed)].join(' or '), got: url, call: get, beside: before }
    say(report, `world-sessions.get.${kind}-url-kept`, holds, finding)
  }
  const time = timeShownAt(get, kind)
  const times = before
    .map((one) => (one === ready ? timeShownAt : timeAt)(one, kind))
    .filter((one) => one !== undefined)
  if (time === undefined || times.length === 0) return
  const kept = `world-sessions.get.${kind}-expires-at-kept` as const
  const holds = times.some((one) => Math.abs(one - time) <= second)
  if (!holds && time > Math.min(...times)) {
    report.unobserved(kept, 'model_choice', 'Get tells of a later expiry than was handed out', get.answeredLine)
    return
  }
  const expected = times.map((one) => new Date(one).toISOString()).join(' or ')
  const finding = { expected, got: new Date(time).toISOString(), call: get, beside: before }
  say(report, kept, holds, finding)
}

function bare(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
