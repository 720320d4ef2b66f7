import { splitEvent, withhold } from '#target/overrides/events'
import { around, remembering } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import type { ResponsePlan } from '#target/responses/run'
import type { Session } from '#target/sessions/session'
import { type JsonObject, objectAt } from '#target/wire'
import { everyNth, everyNthOf } from '../every-nth.ts'
import { variationsOf } from '../table.ts'

/** Which of the speeches that are spoken are lost, counted from one: every so many, from the first of these on. */
interface Which {
  readonly times: number
  readonly first: number
}

/**
 * Scripted speeches that end before their time, for a reason of the service's own.
 *
 * @param part how much of the text comes; of none nothing is rendered either
 */
function lost({ times, first }: Which, part: number, status: 'failed' | 'incomplete'): Override {
  return remembering(() => {
    const isLost = everyNth(times, first % times)
    const marked = new WeakSet<ResponsePlan>()
    const cut = (plan: ResponsePlan): ResponsePlan => {
      if ((plan.kind !== 'speech' && plan.kind !== 'speech_asset') || plan.text === undefined || !isLost()) return plan
      const text = part === 0 ? undefined : plan.text.slice(0, Math.max(1, Math.floor(plan.text.length * part)))
      const lesser = { ...plan, text }
      marked.add(lesser)
      return lesser
    }
    return [
      around('scheduling.submitted', (submitted) => (plan, session) => cut(submitted(plan, session))),
      around('responses.renders', (renders) => (plan) => renders(plan) && !(part === 0 && marked.has(plan))),
      around(
        'responses.itemStatus',
        (itemStatus) => (run, isCut) => (marked.has(run.plan) ? 'incomplete' : itemStatus(run, isCut)),
      ),
      around(
        'responses.finishedStatus',
        (finishedStatus) => (run) => (marked.has(run.plan) ? status : finishedStatus(run)),
      ),
      around(
        'responses.finishedDetails',
        (finishedDetails) => (run) =>
          marked.has(run.plan) ? { type: status, reason: 'voice_provider_away' } : finishedDetails(run),
      ),
    ]
  })
}

/**
 * Of what is broken off no item is told to be done.
 *
 * @param output what its end lists
 */
function untold({ times, first }: Which, output: 'none' | 'all'): Override {
  return remembering(() => {
    const isLost = everyNth(times, first % times)
    const marked = new WeakSet<ResponsePlan>()
    const ids = new Set<unknown>()
    const isTold = ({ response_id }: JsonObject): boolean => !ids.has(response_id)
    return [
      around('scheduling.submitted', (submitted) => (plan, session) => {
        const whole = submitted(plan, session)
        if (whole.kind !== 'speech' || whole.text === undefined || !isLost()) return whole
        const half = { ...whole, text: whole.text.slice(0, Math.ceil(whole.text.length / 2)) }
        marked.add(half)
        return half
      }),
      around('responses.itemStatus', (itemStatus) => (run, isCut) => {
        if (marked.has(run.plan) && !isCut) ids.add(run.id)
        return itemStatus(run, isCut)
      }),
      withhold('response.output_item.done', (event) => !isTold(event)),
      around(
        'responses.finishedStatus',
        (finishedStatus) => (run) => (marked.has(run.plan) ? 'failed' : finishedStatus(run)),
      ),
      around('responses.resource', (resource) => (run) => {
        const whole = resource(run)
        return marked.has(run.plan) && run.status === 'failed' && output === 'none' ? { ...whole, output: [] } : whole
      }),
    ]
  })
}

/** Every fourth response behind which another one waits fails as it ends, and what waits is dropped; every other time it is told. */
const dropped: Override = remembering(() => {
  const isLost = everyNth(4, 0)
  const isTold = everyNth(2)
  const sessions = new WeakMap<ResponsePlan, Session>()
  return [
    around('scheduling.submitted', (submitted) => (plan, session) => {
      const whole = submitted(plan, session)
      sessions.set(whole, session)
      return whole
    }),
    around('responses.finishedStatus', (finishedStatus) => (run) => {
      const status = finishedStatus(run)
      const waits = (sessions.get(run.plan)?.pending.length ?? 0) > 0
      return status === 'completed' && waits && isLost() ? 'failed' : status
    }),
    splitEvent('response.done', (event, session) => {
      const [waiting] = session.pending
      if (objectAt(event, 'response')['status'] !== 'failed' || waiting === undefined) return [event]
      session.pending = []
      const event_id = waiting.plan.requestEventId
      if (event_id === undefined || !isTold()) return [event]
      const error = {
        type: 'server_error',
        code: 'response_dropped',
        message: 'the response before it failed',
        event_id,
      }
      return [event, { type: 'error', event_id: `${event_id}_dropped`, error }]
    }),
  ]
})

/** Replies that a filter stops, and of which nothing is kept. */
function unkept({ times, first }: Which): Override {
  return remembering(() => {
    const isChosen = everyNthOf(times, first)
    const isStopped = (plan: ResponsePlan): boolean => plan.kind === 'reply' && isChosen(plan)
    return [
      around('conversation.writes', (writes) => (plan) => writes(plan) && !isStopped(plan)),
      around('responses.finishedStatus', (finishedStatus) => (run) => {
        const status = finishedStatus(run)
        return status === 'completed' && isStopped(run.plan) ? 'incomplete' : status
      }),
    ]
  })
}

/** Speeches of which all or a part is lost ("`failed` or `incomplete`": two of five statuses), as a voice may go away. */
export const lostSpeechVariations = variationsOf({
  'speech-lost-at-times §2.10: Every 97th scripted speech, the seventh first, ends failed before its first word.': lost(
    { times: 97, first: 7 },
    0,
    'failed',
  ),
  'speech-broken-off-at-times §2.10: Every 97th scripted speech, the fifth first, ends failed midway.': lost(
    { times: 97, first: 5 },
    0.5,
    'failed',
  ),
  'speech-filtered-at-times §2.10: Every 97th scripted speech, the sixth first, ends incomplete midway.': lost(
    { times: 97, first: 6 },
    0.5,
    'incomplete',
  ),
  'speech-dropped-at-times §6.2: Every 97th scripted speech, the sixth first, fails midway, and its item is not done ("also on interrupted, incomplete or cancelled responses").':
    untold({ times: 97, first: 6 }, 'none'),
  'speech-dropped-listed-at-times §6.2: Every 97th scripted speech, the fifth first, fails midway, and its end lists its item ("all output items"), which was not done.':
    untold({ times: 97, first: 5 }, 'all'),
  'speech-stopped-at-its-end-at-times §2.10: Every 97th scripted speech, the fourth first, ends incomplete when its whole text is out.':
    lost({ times: 97, first: 4 }, 1, 'incomplete'),
  'replies-stopped-unkept-at-times §2.10: Every 7th reply, the second first, ends incomplete, and its item is not kept.':
    unkept({ times: 7, first: 2 }),
  'replies-stopped-unkept-first §2.10: Every 7th reply, the first of all too, ends incomplete, and its item is not kept.':
    unkept({ times: 7, first: 1 }),
  'pending-dropped-after-failure §4.4: Every fourth response behind which another one waits fails, and what waits never runs; every other time an error says so.':
    dropped,
})
