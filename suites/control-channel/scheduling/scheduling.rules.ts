import { cutGraceMs } from '../model/cut.ts'
import { cutsOf, keepsBusy } from '../model/disturbance.ts'
import { itemsOf, mayBeForAnother } from '../model/items.ts'
import { first, responsesOf } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type ReceivedEvent, type Connection, isDecided, type Session, sessionsOf } from '../model/sessions.ts'
import { timelineOf } from '../model/timeline.ts'
import { hasWaited } from '../model/waited.ts'
import { rows } from '../rows.ts'

const proves = rows({
  scheduling: [
    'after-current-not-before-output-ends after-current-not-before-done-in-video',
    'reject-if-busy-one-of-a-volley',
  ],
})

type Own = (typeof proves)[number]

/**
 * Which responses may overlap (4.4 Scheduling). Busy is proven by what comes later: text of an older response after the
 * start of a newer one.
 */
export const scheduling = ruleOf('scheduling', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    for (const connection of session.connections) judgeConnection(connection, say)
    judgeAcross(session, say)
  }
})

/**
 * Two `reject_if_busy` on two connections both started, and both went on after each connection had answered something that
 * was sent when both starts had come: they were active at the same time, whichever began first.
 */
function judgeAcross(session: Session, say: Say<Own>): void {
  if (session.connections.length < 2) return
  const rivals = responsesOf(session).filter(
    (one) =>
      !one.guessed &&
      one.origin.request?.policy === 'reject_if_busy' &&
      one.created.length > 0 &&
      cutsOf(one).length === 0,
  )
  for (const [place, one] of rivals.entries()) {
    for (const other of rivals.slice(place + 1)) {
      if (one.connection === other.connection || one.origin === other.origin) continue
      const since = Math.max(first(one).line, first(other).line)
      const [text, later] = [textBehindAnswer(one, since), textBehindAnswer(other, since)]
      if (text === undefined || later === undefined || !isDecided(text) || !isDecided(later)) continue
      const row = 'scheduling.reject-if-busy-one-of-a-volley'
      const places = [first(one), first(other), text, later]
      say.broken(row, 'an error while another response is active', 'response.created on both connections', ...places)
    }
  }
}

/** Text of a response that its connection brought behind the answer to what was sent after a line. */
function textBehindAnswer(response: Response, line: number): ReceivedEvent | undefined {
  const { connection } = response
  const { session } = connection
  const [answer] = itemsOf(session).asks.flatMap((ask) =>
    ask.sent.connection === connection && ask.sent.line > line
      ? ask.answers.filter((one) => one.connection === connection && !mayBeForAnother(session, ask, one))
      : [],
  )
  return answer === undefined ? undefined : textAfter(response, answer)
}

function judgeConnection(connection: Connection, say: Say<Own>): void {
  const responses = responsesOf(connection.session).filter((one) => one.connection === connection && !one.guessed)
  let open: Response[] = []
  for (const response of responses) {
    const [created] = response.created
    if (created === undefined || !isDecided(created)) continue
    open = open.filter((one) => (one.events.at(-1)?.line ?? 0) > created.line)
    judgeStart(
      response,
      created,
      open.filter((one) => keepsBusy(one, created)),
      say,
    )
    open.push(response)
  }
}

/** @param older responses whose place nothing took, of which something comes after this start */
function judgeStart(response: Response, created: ReceivedEvent, older: readonly Response[], say: Say<Own>): void {
  const { request } = response.origin
  const speaking = older.find((one) => textBeside(one, created) !== undefined)
  const text = speaking === undefined ? undefined : textBeside(speaking, created)
  if (request?.policy === 'reject_if_busy') {
    const row = 'scheduling.reject-if-busy-one-of-a-volley'
    if (speaking !== undefined && text !== undefined) {
      say.broken(row, 'an error while another response is active', 'response.created', first(speaking), created, text)
    } else say.open(row, 'no response was active', created)
  }
  if (request?.policy !== 'after_current_response') return
  const row = 'scheduling.after-current-not-before-output-ends'
  if (speaking !== undefined && text !== undefined) {
    say.broken(
      row,
      'a start after the last output of the active response',
      'one before it',
      first(speaking),
      created,
      text,
    )
  } else say.open(row, 'no response had to wait', created)
  judgeVideo(response, created, older, say)
}

/** Text of a response that was active when another one started: of what was cancelled some may have been on its way. */
function textBeside(response: Response, created: ReceivedEvent): ReceivedEvent | undefined {
  const isWhole = cutsOf(response).length === 0
  return textAfter(response, isWhole ? created : { ...created, t: created.t + cutGraceMs })
}

function textAfter({ events }: Response, { line, t }: ReceivedEvent): ReceivedEvent | undefined {
  return events.find(
    (one) =>
      one.line > line &&
      one.t >= t &&
      (one.type === 'response.output_text.delta' || one.type === 'response.output_text.done'),
  )
}

/** "In `video_avatar` mode, after `response.done`." */
function judgeVideo(response: Response, created: ReceivedEvent, older: readonly Response[], say: Say<Own>): void {
  const { request } = response.origin
  if (request === undefined) return
  const modes = timelineOf(created.connection.session).modes(request.sent.line, created.line)
  if (modes.size !== 1 || !modes.has('video_avatar')) return
  const row = 'scheduling.after-current-not-before-done-in-video'
  const busy = older.find(
    (one) => one.done[0] !== undefined && one.done[0].line > created.line && first(one).line < created.line,
  )
  if (busy !== undefined)
    say.broken(
      row,
      'a start after response.done of the active response',
      'one before it',
      created,
      ...busy.done.slice(0, 1),
    )
  else if (hasWaited(response, created)) say.held(row, request.sent, created)
}
