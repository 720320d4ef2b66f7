import type { ResponsePlan, ResponseRun } from '#target/responses/run'
import { wireAt } from '#target/wire'
import { runsOf } from '../runs.ts'
import { defectsOf } from '../table.ts'
import { memory, mute } from '../tools.ts'

/** 3.4 and 6.2: what is told of responses that were cut, waited, or run in a mode that has changed. */
export const subtleResponseDefects = defectsOf('control-channel', {
  'response-created.request-event-id-names-request~pending': [
    'A pending response names the request of the response before it.',
    ({ scheduling }) => {
      const last: { run: ResponseRun | undefined } = { run: undefined }
      const { runsPending } = scheduling
      scheduling.runsPending = (done) => {
        last.run = done
        return runsPending(done)
      }
      scheduling.pendingPlan = (submitted) => ({ ...submitted, requestEventId: last.run?.plan.requestEventId })
    },
  ],
  'script-speech.text-done-exact~after-idle-cancel': [
    'A cancel in an idle session cancels the next speech as soon as it starts.',
    ({ scheduling, responses, outgoing }) => {
      const cancelled = memory(() => ({ next: false }))
      const cut = new WeakSet<ResponsePlan>()
      outgoing.push((event, session) => {
        if (wireAt(event, 'error')['code'] === 'response_not_active') cancelled(session).next = true
        return [event]
      })
      scheduling.submitted = (plan, session) => {
        if (plan.text === undefined || !cancelled(session).next) return plan
        cancelled(session).next = false
        const silent = { ...plan, text: '' }
        cut.add(silent)
        return silent
      }
      const { finishedStatus } = responses
      responses.finishedStatus = (run) => (cut.has(run.plan) ? 'cancelled' : finishedStatus(run))
    },
  ],
  'response-done.all-output-items~interrupted': [
    'The end of a response that was cut short shows no output.',
    ({ responses }) => {
      const { resource } = responses
      responses.resource = (run) => (run.status === 'cancelled' ? { ...resource(run), output: [] } : resource(run))
    },
  ],
  'scheduling.interrupted-gets-render-stopped~silent': [
    'The rendering of an interrupted response without text never stops.',
    (b) => {
      const runOf = runsOf(b)
      mute(b, 'response.render.stopped', (event) => {
        const run = runOf(event)
        return event['status'] !== 'completed' && run !== undefined && run.plan.text === undefined
      })
    },
  ],
  'render.never-in-text-chat~after-switch': [
    'A session that was made for video goes on rendering after a switch to text.',
    ({ scheduling }) => {
      scheduling.submitted = (plan, session) => {
        const { state } = session.plan
        return state.mode === 'video_avatar' ? { ...plan, state } : plan
      }
    },
  ],
})
