import { expect, test } from 'vitest'
import { register } from '#judge/register'
import { judge } from '#judge/judge'
import { Samples, traceOf } from '#load/results/samples'
import { loadRules } from '#scenario/plan/load-rules'
import { opened } from '#testing/channel/opened'
import { again, type Change, drop, set, type Steps, traceOf as traceOfSteps } from '#testing/channel/steps'
import { response, speech, state } from '#testing/channel/talk'
import type { Entry, HeaderEntry } from '#trace/entry'
import type { JsonObject } from '#trace/json'
import { parseTrace } from '#trace/reader'
import { createRedactor } from '#trace/redact'

const epoch = 1_700_000_000_000

/** What one virtual user recorded of its conversation. */
function sampled(samples: Samples, conversation: string, steps: Steps): HeaderEntry | undefined {
  const { entries, header } = traceOfSteps(steps)
  for (const entry of entries) {
    if (entry.kind === 'header' || entry.kind === 'end') continue
    samples.add({ kind: 'sample', conversation, entry: asSaid(entry) })
  }
  return header
}

const asSaid = (entry: Entry): JsonObject => ({ ...(entry as unknown as JsonObject), t: epoch + entry.t })

/** What is judged of two conversations at once, as at the end of a load run. */
async function brokenIn(change: Change): Promise<readonly string[]> {
  const speaking = (session: string): Steps => [
    ...opened(session, state('text_chat', 'guide')),
    ...response(session, { asked: speech('Hello there.') }),
  ]
  const samples = new Samples()
  sampled(samples, 'first', speaking('calm'))
  const header = sampled(samples, 'second', change(speaking('other')))
  if (header === undefined) throw new Error('a trace begins with its header')
  const { t: _, ...draft } = { ...header, register: register().digest }
  const redactor = createRedactor([], 'salt')
  const trace = traceOf(samples, {
    header: draft,
    ending: [{ kind: 'end', outcome: 'completed' }],
    epoch,
    redactor,
  })
  const results = judge(parseTrace(trace.text), register(), await loadRules())
  expect(results.harness_errors).toEqual([])
  return results.requirements.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []))
}

test.each<[promise: string, change: Change, broken: string]>([
  ['event_ids are unique', set('other.done', { event_id: 'other' }), 'server-event.event-id-server-generated'],
  ['deltas are the final text', drop('other.delta2'), 'text-delta.concatenate-to-final-text'],
  ['a response ends once', again('other.done'), 'response-done.once'],
  ['nothing comes after the end', again('other.delta1', 'other.done'), 'response-done.last-event'],
])('samples of a load run are held to the promise that %s', async (_, change, broken) => {
  expect(await brokenIn(change)).toContain(`control-channel.${broken}`)
})

test('samples in which nothing is wrong break no promise', async () => {
  expect(await brokenIn((steps) => steps)).toEqual([])
})
