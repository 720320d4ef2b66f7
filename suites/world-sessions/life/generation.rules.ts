import { isSettled } from '#judge/timing/lag'
import type { Report, Rule } from '#judge/rule'
import { passedSince } from '#judge/timing/standstill'
import { missingAfter, timeoutOf } from '#judge/timing/timeouts'
import { isRecording } from '#judge/recordings'
import type { TraceIndex } from '#judge/trace-index'
import { at } from '#trace/json'
import { mediaStatusOf, statusOf } from './status.rules.ts'
import { countAt, say, type World, worldsOf } from '../worlds.ts'
import { type Call } from '#judge/calls'

const row = 'world-sessions.continuation'
const counters = ['/usage/generated_video_ms', '/usage/generated_audio_ms', '/runtime/media_time_ms'] as const
const falls = [
  ['world-sessions.get.last-sequence-never-falls', '/last_sequence'],
  ['world-sessions.get.usage-never-falls', '/usage/generated_video_ms'],
  ['world-sessions.get.usage-never-falls', '/usage/generated_audio_ms'],
  ['world-sessions.runtime.media-time-never-falls', '/runtime/media_time_ms'],
] as const

/**
 * What a session generates, as snapshots show it (3.3). `check` sends nothing over the control channels of worlds. In a
 * recording the client may do so, which is never recorded ("control channel message formats: not shown"): there the answer
 * to the create alone tells how the session started.
 */
export const generation: Rule = {
  id: 'world-sessions.generation',
  proves: [
    ...new Set(falls.map(([name]) => name)),
    `${row}.manual-starts-held`,
    `${row}.manual-stays-held`,
    `${row}.automatic-generates`,
    `${row}.idle-enters-held`,
  ],
  judge(trace, report) {
    for (const world of worldsOf(trace).worlds.values()) {
      judgeFalls(trace, world, report)
      const driven = isRecording(trace)
      if (world.creation.plain) judgeMode(trace, driven ? { ...world, gets: [] } : world, report)
    }
  },
}

/** Judged by what the create answered: `automatic` may have been taken and `manual` be in force. */
function judgeMode(trace: TraceIndex, world: World, report: Report): void {
  const { call, data } = world.creation
  const mode = at(data, '/continuation/start_mode')
  const sent = at(call.asked, '/continuation/start_mode') ?? 'manual'
  if (mode === 'manual') judgeManual(trace, world, report)
  if (mode === 'automatic' && sent === 'automatic') judgeAutomatic(trace, world, report)
  if (mode !== 'manual' || sent !== 'automatic') return
  for (const name of ['automatic-generates', 'idle-enters-held'] as const) {
    report.unobserved(`${row}.${name}`, 'model_choice', 'the session started manual, and said so', call.answeredLine)
  }
}

/** A snapshot may come from a replica: it speaks against what was shown only once that has had time to arrive there. */
function judgeFalls(trace: TraceIndex, { creation, gets }: World, report: Report): void {
  const shown = [creation.call, ...gets]
  for (const [name, place] of falls) {
    for (const call of gets) {
      const now = countAt(call.data, place)
      if (place.startsWith('/runtime/') && runsNoMore(call, now)) continue
      const before = shown.filter(({ answeredLine }) => answeredLine < call.line)
      const most = mostOf(before, place)
      const due = mostOf(
        before.filter(({ answeredT }) => isSettled(trace, answeredT, call.t)),
        place,
      )
      if (now === undefined || !Number.isFinite(most) || (now < most && now >= due)) continue
      say(report, name, now >= most, { expected: `${place} of ${due} or more`, got: String(now), call })
    }
  }
}

/** What runs no more need not show how far it came: nothing of it once it is closed, and 0 on the way there. */
function runsNoMore(call: Call, now: number | undefined): boolean {
  const status = statusOf(call)
  return status === 'closed' || (now === 0 && (status === 'closing' || status === 'failed'))
}

function mostOf(calls: readonly Call[], place: string): number {
  return Math.max(...calls.map(({ data }) => countAt(data, place) ?? Number.NEGATIVE_INFINITY))
}

/** Snapshots of an active session before anybody closed it. */
function snapshotsOf({ creation, gets, closes }: World): readonly Call[] {
  const end = Math.min(...closes.map(({ line }) => line), Number.POSITIVE_INFINITY)
  return [creation.call, ...gets].filter((call) => statusOf(call) === 'active' && call.answeredLine < end)
}

/** "A new session with `start_mode` = `manual` starts in `held`": `connecting` and `failed` decide nothing. */
function judgeManual(trace: TraceIndex, world: World, report: Report): void {
  const shown = snapshotsOf(world)
  const first = shown.find((call) => !['', 'connecting', 'failed'].includes(mediaStatusOf(call)))
  if (first !== undefined) {
    const got = mediaStatusOf(first)
    const moved = first !== world.creation.call && got !== 'held' && got !== 'running'
    if (moved) {
      const why = `it was ${got} when it was looked at, and may have been held before`
      report.unobserved(`${row}.manual-starts-held`, 'model_choice', why, first.answeredLine)
    } else say(report, `${row}.manual-starts-held`, got === 'held', { expected: 'held', got, call: first })
  } else if (shown.length > 0 && sinceReady(trace, shown) >= missingAfter(trace, 'provisioning_ms')) {
    const call = shown.at(-1) ?? world.creation.call
    say(report, `${row}.manual-starts-held`, false, {
      expected: 'held',
      got: `${mediaStatusOf(call)} all the time`,
      call,
    })
  } else if (shown.length > 0) {
    const why = 'the session did not get beyond connecting while we looked'
    report.unobserved(`${row}.manual-starts-held`, 'model_choice', why, ...shown.map((call) => call.answeredLine))
  }
  for (const call of shown) {
    const got = mediaStatusOf(call)
    say(report, `${row}.manual-stays-held`, got !== 'running', { expected: 'no generation', got, call })
  }
}

function hasBegun(call: Call): boolean {
  return mediaStatusOf(call) === 'running' || counters.some((place) => (countAt(call.data, place) ?? 0) > 0)
}

function judgeAutomatic(trace: TraceIndex, world: World, report: Report): void {
  const shown = snapshotsOf(world)
  const gets = shown.filter((call) => call !== world.creation.call)
  const last = gets.at(-1)
  if (last === undefined) return
  const begun = shown.find(hasBegun)
  const begins = `${row}.automatic-generates` as const
  if (begun !== undefined) say(report, begins, true, { expected: '', got: '', call: begun })
  else if (
    gets.every((call) => mediaStatusOf(call) === 'held') &&
    sinceReady(trace, shown) >= missingAfter(trace, 'provisioning_ms')
  ) {
    say(report, begins, false, {
      expected: 'generation',
      got: 'held from the start, and nothing generated',
      call: last,
    })
  } else report.unobserved(begins, 'model_choice', `media are ${mediaStatusOf(last)}`, last.answeredLine)
  if (begun !== undefined) judgeIdle(trace, world, { shown, last, report })
}

function sinceReady(trace: TraceIndex, shown: readonly Call[]): number {
  const [first, last] = [shown[0], shown.at(-1)]
  return first === undefined || last === undefined ? 0 : passedSince(trace, first, last)
}

interface Course {
  readonly shown: readonly Call[]
  readonly last: Call
  readonly report: Report
}

/** "Generation that continues without a new Event for `max_idle_ms` enters held mode." */
function judgeIdle(trace: TraceIndex, { creation }: World, { shown, last, report }: Course): void {
  const name = `${row}.idle-enters-held` as const
  const asked = countAt(creation.call.asked, '/continuation/max_idle_ms')
  const effective = countAt(creation.data, '/continuation/max_idle_ms') ?? asked
  const began = shown.find(hasBegun)
  if (asked === undefined || effective === undefined || began === undefined) return
  const held = shown.find(
    (call) => mediaStatusOf(call) === 'held' && shown.some((one) => one.line <= call.line && hasBegun(one)),
  )
  const waited = passedSince(trace, began, last)
  if (held !== undefined) say(report, name, true, { expected: '', got: '', call: held })
  else if (mediaStatusOf(last) !== 'running') {
    report.unobserved(name, 'model_choice', `media are ${mediaStatusOf(last)}`, last.answeredLine)
  } else if (waited >= effective + timeoutOf(trace, 'auto_close_grace_ms')) {
    const got = `${mediaStatusOf(last)} ${Math.round(waited)} ms after it began`
    say(report, name, false, { expected: `held after ${effective} ms`, got, call: last, beside: [creation.call] })
  } else if (effective > asked) {
    report.unobserved(name, 'model_choice', `${effective} ms are longer than was asked for`, last.answeredLine)
  }
}
