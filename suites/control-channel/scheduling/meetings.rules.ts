import { cutGraceMs } from '../model/cut.ts'
import { interruptionOf } from '../model/interruption.ts'
import { keepsBusy } from '../model/disturbance.ts'
import { first, responsesOf } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { isDecided, objectAt, sessionsOf } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const proves = rows({ scheduling: 'interrupt-cancels-active reject-if-busy-rendering-rejected' })

type Own = (typeof proves)[number]

/**
 * What becomes of a response that another one meets (4.4 Scheduling): an interruption "cancels active output", and while
 * one renders, `reject_if_busy` starts nothing.
 */
export const meetings = ruleOf('meetings', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const all = responsesOf(session)
    for (const response of all) {
      judgeInterrupted(response, say)
      if (response.origin.request?.policy === 'reject_if_busy') judgeBeside(response, all, say)
    }
  }
})

/** It completed after the whole of the response that took its place: both ran. */
function judgeInterrupted(response: Response, say: Say<Own>): void {
  const cut = interruptionOf(response)
  const [[done], [other]] = [response.done, cut?.by.done ?? []]
  if (cut === undefined || done === undefined || other === undefined || !isDecided(done)) return
  if (statusOf(done) !== 'completed') return say.held('scheduling.interrupt-cancels-active', cut.sent, done)
  // What interrupts may itself be cut short at once.
  if (done.line < other.line || statusOf(other) !== 'completed' || !wentOn(response, cut.by)) return
  const got = 'it completed after the one that interrupted it'
  say.broken('scheduling.interrupt-cancels-active', 'an end before its time', got, cut.sent, first(cut.by), other, done)
}

/** It had output left: text for a while after the start of the other one. How late the end of an output is told is free. */
function wentOn({ events }: Response, by: Response): boolean {
  const deltas = events.filter(({ type }) => type === 'response.output_text.delta')
  return (deltas.at(-1)?.t ?? 0) > first(by).t + cutGraceMs
}

const statusOf = ({ event }: { readonly event: Response['events'][number]['event'] }) =>
  objectAt(event, 'response')['status']

/**
 * Events of one connection come in order: the other one still rendered when this one began. An opening that gives way to
 * what is asked for is held against nobody.
 */
function judgeBeside(response: Response, all: readonly Response[], say: Say<Own>): void {
  const [created] = response.created
  const { request } = response.origin
  if (created === undefined || request === undefined || response.guessed || !isDecided(created)) return
  const rendering = all.find(({ connection, started, stopped, ...other }) => {
    const [begun, ended] = [started[0]?.line ?? Number.POSITIVE_INFINITY, stopped[0]?.line ?? 0]
    return (
      connection === response.connection &&
      other.id !== response.id &&
      begun < request.sent.line &&
      ended > created.line
    )
  })
  if (rendering === undefined || rendering.origin.unasked || !keepsBusy(rendering, created)) return
  const row = 'scheduling.reject-if-busy-rendering-rejected'
  say.broken(
    row,
    'an error while another one renders',
    'a start',
    ...rendering.started.slice(0, 1),
    request.sent,
    created,
  )
}
