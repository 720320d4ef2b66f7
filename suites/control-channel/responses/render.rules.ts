import { show } from '#judge/show'
import { isObject } from '#trace/json'
import { cutsOf, isUndisturbed } from '../model/disturbance.ts'
import { interruptionOf } from '../model/interruption.ts'
import { first, isCompleted, responsesOf, spokenText } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import {
  type ReceivedEvent,
  isDecided,
  objectAt,
  objectsAt,
  type SentEvent,
  type Session,
  sessionsOf,
  textAt,
  modelPatienceOf,
} from '../model/sessions.ts'
import { timelineOf } from '../model/timeline.ts'
import { isAsker, isToldWhole, isStuck } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({
  render: 'something-rendered never-in-text-chat no-stop-in-text-chat',
  'render-started': 'response-id for-model-output for-speech for-audio for-visual-only once after-created',
  'render-stopped': [
    'response-id status-in-set follows-started only-after-started once before-done done-follows',
    'undisturbed-completed cut-not-completed',
  ],
  'script-visual': 'not-rendered-in-text-chat',
  'response-done': 'final-statuses-told',
  scheduling: 'interrupted-gets-render-stopped',
})

type Own = (typeof proves)[number]

const restingOnRendering = proves.filter((row) => row.startsWith('render-'))

/** Rendering: in video only, started and stopped once, before the end (3.4, 6.2). */
export const render = ruleOf('render', proves, (trace, say) => {
  const patience = modelPatienceOf(trace)
  // Workspaces may lie on deployments of which one renders for nobody.
  const rendering = Map.groupBy(sessionsOf(trace).flatMap(renderingOf), ({ connection }) => keyOf(connection.session))
  const [[seen] = []] = rendering.values()
  const idle: ReceivedEvent[] = []
  for (const session of sessionsOf(trace)) {
    const renders = rendering.has(keyOf(session))
    for (const response of responsesOf(session)) {
      if (response.guessed) continue
      const mode = modeOf(response)
      if (mode === 'text_chat') judgeText(response, say)
      if (mode === 'video_avatar' && renders) judgeNeed(response, say)
      else if (mode === 'video_avatar') idle.push(...needing(response))
      judgeOnce(response, say)
      judgeStop(response, patience, say)
    }
  }
  const row = 'render.something-rendered'
  if (seen !== undefined) say.held(row, seen)
  else if (idle.length > 0) judgeNothing(idle, say)
})

const keyOf = ({ create }: Session): string | undefined => create?.key

const renderingOf = (session: Session): readonly ReceivedEvent[] =>
  responsesOf(session).flatMap(({ started }) => started)

/** Rendering goes over RTC: a service may render for nobody, or for whoever is in the room, and nobody is. */
function judgeNothing(idle: readonly ReceivedEvent[], say: Say<Own>): void {
  say.broken(
    'render.something-rendered',
    'response.render.started of some response',
    'none in the whole run',
    ...idle.slice(0, 3),
  )
  for (const row of restingOnRendering) say.open(row, 'nothing was rendered in the whole run', ...idle.slice(0, 1))
}

/** The end of a response that would be rendered where anything is. */
function needing(response: Response): readonly ReceivedEvent[] {
  const [done] = response.done
  return needOf(response, done) === undefined || !isAsker(response) ? [] : response.done.slice(0, 1)
}

/**
 * The mode in which a response surely runs until it is rendered, or ends; undefined where it may be either: whether a change
 * of mode reaches a response that is there is not said.
 */
function modeOf(response: Response): string | undefined {
  const { origin, connection, started, done } = response
  const asked =
    origin.request?.sent.line ?? Math.min(first(response).line, ...origin.candidates.map(({ sent }) => sent.line))
  const until = (started[0] ?? done[0] ?? response.created[0] ?? first(response)).line
  const [mode, ...others] = timelineOf(connection.session).modes(origin.unasked ? 0 : asked, until)
  return others.length === 0 ? mode : undefined
}

/** "`text_chat` returns text only." */
function judgeText(response: Response, say: Say<Own>): void {
  const [[started], [stopped], [done]] = [response.started, response.stopped, response.done]
  const visual = response.origin.request?.kind === 'visual' || hasVisual(response)
  if (started !== undefined) {
    const row = visual ? 'script-visual.not-rendered-in-text-chat' : 'render.never-in-text-chat'
    say.broken(row, 'no rendering in text_chat', show(started.type), ...response.created.slice(0, 1), started)
  } else if (done !== undefined) {
    say.held('render.never-in-text-chat', done)
    if (visual) say.held('script-visual.not-rendered-in-text-chat', done)
  }
  if (stopped !== undefined)
    say.broken('render.no-stop-in-text-chat', 'no rendering in text_chat', show(stopped.type), stopped)
  else if (done !== undefined) say.held('render.no-stop-in-text-chat', done)
}

function hasVisual({ origin }: Response): boolean {
  const response = objectAt(origin.request?.sent.event ?? {}, 'response')
  return objectAt(response, 'script')['visual'] !== undefined
}

/**
 * What a completed response put out in video was told by `response.render.started`. A model that answers without words, or
 * calls a function only, leaves nothing to render.
 */
function judgeNeed(response: Response, say: Say<Own>): void {
  const [[started], [done]] = [response.started, response.done]
  const row = needOf(response, done)
  if (done === undefined || !isAsker(response)) return
  if (row === undefined) {
    const isModel = response.origin.request?.kind === 'model'
    if (isModel && isCompleted(response))
      say.open('render-started.for-model-output', 'the model said nothing that could be spoken', done)
    return
  }
  say.judge(
    row,
    started !== undefined,
    'response.render.started',
    'none',
    ...response.created.slice(0, 1),
    started ?? done,
  )
}

function needOf(response: Response, done: ReceivedEvent | undefined): Own | undefined {
  const { request, by_itself } = response.origin
  // An opening may come while nobody is in the room yet.
  const kind = request?.kind ?? (by_itself === 'answer' ? 'model' : undefined)
  const resource = objectAt(done?.event ?? {}, 'response')
  if (resource['status'] !== 'completed') return undefined
  if (kind === 'audio') return 'render-started.for-audio'
  if (kind === 'visual') return 'render-started.for-visual-only'
  const spoken = spokenText(response).trim() !== ''
  if (kind === 'speech' || kind === 'speech_asset') return spoken ? 'render-started.for-speech' : undefined
  const message = objectsAt(resource, 'output').some((item) => item['type'] === 'message')
  return kind === 'model' && message && spoken ? 'render-started.for-model-output' : undefined
}

function judgeOnce(response: Response, say: Say<Own>): void {
  const [started, again] = response.started
  const [stopped, twice] = response.stopped
  const [created] = response.created
  if (started !== undefined) {
    if (again === undefined) say.held('render-started.once', started)
    else if (isDecided(again))
      say.broken('render-started.once', 'one response.render.started', 'another one', started, again)
    if (created !== undefined && isDecided(started)) {
      const good = created.line < started.line
      say.judge('render-started.after-created', good, 'after response.created', 'before it', created, started)
    } else if (isAsker(response) && isDecided(started)) {
      say.broken('render-started.after-created', 'a response that was created', show(response.id), started)
    }
  }
  if (stopped === undefined) return
  if (twice === undefined) say.held('render-stopped.once', stopped)
  else if (isDecided(twice))
    say.broken('render-stopped.once', 'one response.render.stopped', 'another one', stopped, twice)
}

function judgeStop(response: Response, patience: number, say: Say<Own>): void {
  const [[started], [stopped], [done]] = [response.started, response.stopped, response.done]
  const cut = interruptionOf(response)
  if (started !== undefined && stopped !== undefined) {
    say.held('render-stopped.follows-started', started, stopped)
    if (cut !== undefined) say.held('scheduling.interrupted-gets-render-stopped', cut.sent, stopped)
  }
  if (stopped !== undefined) judgeStart(response, stopped, say)
  if (done !== undefined && isDecided(done)) {
    if (stopped !== undefined) {
      const good = stopped.line < done.line
      say.judge('render-stopped.before-done', good, 'before response.done', 'after it', stopped, done)
      if (good) say.held('render-stopped.done-follows', stopped, done)
      judgeStatus(response, stopped, done, say)
    } else if (started !== undefined && started.line < done.line && isToldWhole(response)) {
      say.broken(
        'render-stopped.follows-started',
        'response.render.stopped before response.done',
        'none',
        started,
        done,
      )
      const row = 'scheduling.interrupted-gets-render-stopped'
      if (cut !== undefined) say.broken(row, 'response.render.stopped', 'none', cut.sent, started, done)
    }
  } else if (stopped !== undefined && done === undefined && isStuck(response, patience)) {
    say.broken('render-stopped.done-follows', 'response.done', 'none', stopped)
  }
}

/** A connection that opened in the middle has not seen the start. */
function judgeStart(response: Response, stopped: ReceivedEvent, say: Say<Own>): void {
  const [started] = response.started
  if (!isDecided(stopped)) return
  if (started !== undefined && started.line < stopped.line)
    say.held('render-stopped.only-after-started', started, stopped)
  else if ((started !== undefined || response.created.length > 0) && isToldWhole(response)) {
    say.broken('render-stopped.only-after-started', 'response.render.started before it', 'none', stopped)
  }
}

function judgeStatus(response: Response, stopped: ReceivedEvent, done: ReceivedEvent, say: Say<Own>): void {
  const { status } = stopped.event
  const whole = response.origin.request?.texts
  const spoken = spokenText(response)
  const completed = objectAt(done.event, 'response')['status'] === 'completed'
  if (completed && isUndisturbed(response)) {
    say.judge(
      'render-stopped.undisturbed-completed',
      status === 'completed',
      'completed',
      () => show(status),
      stopped,
      done,
    )
  }
  const [cut] = cutsOf(response)
  if (cut !== undefined) judgeWordless(response, [cut, stopped, done], say)
  if (cut !== undefined) judgeAction(response, [cut, stopped, done], say)
  say.open('render-stopped.cut-not-completed', 'no rendering was cut short', stopped)
  if (cut === undefined || whole === undefined || spoken === '' || !isAsker(response)) return
  if (whole.every((text) => text !== spoken && text.startsWith(spoken))) {
    say.judge(
      'render-stopped.cut-not-completed',
      status !== 'completed',
      'not completed',
      () => show(status),
      cut,
      stopped,
    )
  }
}

/** Of an action, which lasts as long as was asked: less than this part of it was not all of it. */
const partly = 0.5

/** An action that was shown for a part of its time, of a response that did not complete, was cut short. */
function judgeAction(
  response: Response,
  [cut, stopped, done]: readonly [SentEvent, ReceivedEvent, ReceivedEvent],
  say: Say<Own>,
): void {
  const { request } = response.origin
  const [started] = response.started
  if (request?.kind !== 'visual' || started === undefined || !isAsker(response)) return
  const { visual } = objectAt(objectAt(request.sent.event, 'response'), 'script')
  const asked = isObject(visual) ? visual['duration_ms'] : undefined
  const whole = objectAt(done.event, 'response')['status'] === 'completed'
  if (typeof asked !== 'number' || whole || stopped.t - started.t >= asked * partly) return
  const { status } = stopped.event
  const row = 'render-stopped.cut-not-completed'
  say.judge(row, status !== 'completed', 'not completed', () => show(status), cut, started, stopped)
}

/** What has no text was cut short where its rendering stopped as that. */
function judgeWordless(
  response: Response,
  [cut, stopped, done]: readonly [SentEvent, ReceivedEvent, ReceivedEvent],
  say: Say<Own>,
): void {
  const kind = response.origin.request?.kind
  const short = ['interrupted', 'cancelled'].includes(textAt(stopped.event, 'status') ?? '')
  if ((kind !== 'visual' && kind !== 'audio') || !short || !isAsker(response)) return
  const status = textAt(objectAt(done.event, 'response'), 'status')
  const expected = 'another status than completed'
  const row = 'response-done.final-statuses-told'
  say.judge(row, status !== 'completed', expected, () => show(status), cut, stopped, done)
}
