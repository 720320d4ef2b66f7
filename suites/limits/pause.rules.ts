import type { Report, Rule } from '../../src/judge/rule.ts'
import type { RequirementId } from '../../src/law/register.ts'
import { limitOf, logByKey, pauseAsked, type Sent } from './rate-log.ts'

const truthful: RequirementId = 'errors.code-10008.retry-after-truthful'
const recovers: RequirementId = 'limits.api-key-rate.recovers'
const perKey: RequirementId = 'limits.api-key-rate.per-key'

const minute = 60_000
const slack = 1_000
/** Timers may be a little early. */
const tolerance = 10
/** One lie may be somebody else's use of the key; a second one after it is none. */
const lies = 2
/** After so long without a request every reading of a minute is over. */
const quiet = 65_000

/** A `Retry-After` tells the truth, and a key that has waited is admitted again, whichever key was limited. */
export const pauses: Rule = {
  id: 'limits.pauses',
  proves: [truthful, recovers],
  judge(trace, report) {
    for (const log of logByKey(trace).values()) judgePauses(log, report)
  },
}

interface Waiting {
  /** When all refusals so far allow the next request; undefined where one of them does not say. */
  due: number | undefined
  /** When the last of them came. */
  since: number
  lied: number
  readonly lines: number[]
}

function judgePauses(log: readonly Sent[], report: Report): void {
  let waiting: Waiting | undefined
  for (const [place, sent] of log.entries()) {
    if (sent.code === undefined) continue
    const honest = waiting?.due !== undefined && sent.at >= waiting.due - tolerance && isNext(log, place, waiting.since)
    if (waiting !== undefined && !sent.refused && sent.at >= waiting.since) {
      report.held(recovers, waiting.lines.at(-1) ?? sent.line, sent.answerLine)
      if (honest) report.held(truthful, waiting.lines.at(-1) ?? sent.line, sent.answerLine)
    }
    if (waiting !== undefined && sent.refused && honest) blame(waiting, sent, report)
    waiting = sent.refused ? joined(waiting, sent, honest) : undefined
  }
}

/** Whether nothing else was under way when it was sent, nor had been sent since the last refusal. */
function isNext(log: readonly Sent[], place: number, since: number): boolean {
  const { at } = log[place] ?? { at: 0 }
  return log.slice(0, place).every((one) => one.answered <= at && one.at <= since)
}

function blame(waiting: Waiting, sent: Sent, report: Report): void {
  waiting.lied += 1
  const lines = [...waiting.lines.slice(-2), sent.line, sent.answerLine]
  if (waiting.lied >= lies) {
    const expected = 'to be admitted after `Retry-After` and a second'
    report.broken(truthful, { expected, got: '10008 again and again', lines, scenario: sent.scenario })
  }
  if (waiting.lied > lies && sent.at - waiting.since >= quiet) {
    const expected = 'to be admitted after a quiet minute'
    report.broken(recovers, { expected, got: '10008', lines, scenario: sent.scenario })
  }
}

function joined(waiting: Waiting | undefined, sent: Sent, honest: boolean): Waiting {
  const pause = pauseAsked(sent.headers)
  const own = pause === undefined ? undefined : sent.answered + pause + slack
  // A refusal that came after an honest wait takes the place of those before it.
  const earlier = waiting === undefined || honest ? 0 : waiting.due
  const due = own === undefined || earlier === undefined ? undefined : Math.max(own, earlier)
  const lines = [...(waiting?.lines ?? []), sent.answerLine]
  return { due, since: Math.max(waiting?.since ?? 0, sent.answered), lied: waiting?.lied ?? 0, lines }
}

/** Requests of another key while one is exhausted: were the limit shared, they would be refused as well. */
export const otherKeys: Rule = {
  id: 'limits.other-keys',
  proves: [perKey],
  judge(trace, report) {
    const logs = logByKey(trace)
    const log = logs.get('rate_limited') ?? []
    const limit = limitOf(trace, 'rate_limited')
    const primary = logs.get('primary') ?? []
    const rounds = log.flatMap((refusal, place) => {
      if (!refusal.refused) return []
      const next = log[place + 1]
      const beside = primary.filter(({ at }) => at >= refusal.answered && at < (next?.at ?? refusal.answered) + slack)
      return beside.length === 0 ? [] : [{ refusal, beside }]
    })
    if (rounds.length === 0) return
    const verdicts = rounds.map(({ refusal, beside }) => roundOf(refusal, beside, limit))
    for (const [place, { refusal, beside }] of rounds.entries()) {
      if (verdicts[place] === 'free') report.held(perKey, refusal.answerLine, ...beside.map(({ line }) => line))
    }
    if (verdicts.includes('free')) return
    if (verdicts.filter((one) => one === 'shared').length < lies) {
      report.unobserved(perKey, 'model_choice', 'the other key may have been refused, or admitted, on its own account')
      return
    }
    const lines = rounds.flatMap(({ refusal, beside }) => [refusal.answerLine, ...beside.map(({ line }) => line)])
    const expected = 'requests of another key that are admitted'
    report.broken(perKey, { expected, got: '10008 while only one key was exhausted', lines: lines.slice(0, 12) })
  },
}

function roundOf(refusal: Sent, beside: readonly Sent[], limit: number): 'free' | 'shared' | 'open' {
  const last = Math.max(...beside.map(({ answered }) => answered))
  const given = 1 + ((last - refusal.answered) / minute) * limit
  const admitted = beside.filter(({ code, refused }) => code !== undefined && !refused).length
  if (admitted > given) return 'free'
  return beside.length > given && beside.filter(({ refused }) => refused).length >= beside.length - 1
    ? 'shared'
    : 'open'
}
