import type { CutCause, LifeStep } from '../behaviour/responses.ts'
import { emit } from '../channel/emit.ts'
import type { Service } from '../service.ts'
import type { Session } from '../sessions/session.ts'
import { generate } from './plan.ts'
import type { ResponseOrigin, ResponsePlan, ResponseRun } from './run.ts'
import { announceItem, finishItem } from './item.ts'

/** Everything a step of a response needs. */
interface Life {
  service: Service
  session: Session
  run: ResponseRun
  cause: CutCause | undefined
}

const hasItem = ({ run }: Life): boolean => run.plan.text !== undefined || run.plan.call !== undefined
const introduced = ({ run }: Life): boolean =>
  run.reached.has('conversation.item.created') || run.reached.has('first-delta')

const TEXT_STEPS: readonly LifeStep[] = ['first-delta', 'remaining-deltas', 'response.output_text.done']

/** Whether a step belongs to this response at all. */
function applies(life: Life, step: LifeStep): boolean {
  const { service, run, cause } = life
  if (run.reached.has(step)) return false
  if (step === 'response.created') return true
  if (step === 'response.done') return run.reached.has('response.created')
  if (step === 'response.render.started') return service.behaviour.responses.renders(run.plan)
  if (step === 'response.render.stopped') return run.reached.has('response.render.started')
  if (TEXT_STEPS.includes(step)) return run.plan.text !== undefined && (cause === undefined || introduced(life))
  if (step === 'response.output_item.done' && cause !== undefined) return hasItem(life) && introduced(life)
  return hasItem(life)
}

/** Milliseconds before a step. */
function delayOf({ service, run }: Life, step: LifeStep): number {
  const { pace } = service.behaviour
  if (step === 'response.created') return pace.startMs
  if (step === 'first-delta') return pace.firstDeltaMs
  if (step === 'response.output_item.done') return run.plan.call === undefined ? 0 : pace.toolCallMs
  if (step === 'response.render.stopped')
    return run.plan.text === undefined ? run.plan.mediaMs : pace.tailMs(run.plan.text)
  return step === 'response.done' ? pace.doneMs : 0
}

const place = (run: ResponseRun) => ({ responseId: run.id, itemId: run.itemId, outputIndex: run.outputIndex })

const PERFORM: Record<LifeStep, (life: Life) => void> = {
  'response.created': ({ service, session, run }) => {
    const response = service.behaviour.responses.resource(run)
    emit(service, session, 'response.created', { response, requestEventId: run.plan.requestEventId })
  },
  'conversation.item.created': ({ service, session, run }) => announceItem(service, session, run),
  'response.render.started': ({ service, session, run }) =>
    emit(service, session, 'response.render.started', { responseId: run.id }),
  'first-delta': (life) => sendDelta(life),
  'remaining-deltas': () => undefined,
  'response.output_text.done': ({ service, session, run }) => {
    const text = service.behaviour.responses.finalText(run.sent, run)
    emit(service, session, 'response.output_text.done', { ...place(run), text })
  },
  'response.output_item.done': ({ service, session, run, cause }) => {
    const item = finishItem(service, session, run, cause !== undefined)
    emit(service, session, 'response.output_item.done', { responseId: run.id, outputIndex: run.outputIndex, item })
  },
  'response.render.stopped': ({ service, session, run, cause }) => {
    const status = service.behaviour.responses.renderStatus(cause)
    emit(service, session, 'response.render.stopped', { responseId: run.id, status })
  },
  'response.done': (life) => finish(life),
}

function sendDelta({ service, session, run }: Life): void {
  const piece = run.pieces.shift() ?? ''
  run.sent += piece
  emit(service, session, 'response.output_text.delta', { ...place(run), text: piece })
}

function finish({ service, session, run, cause }: Life): void {
  const { responses, scheduling } = service.behaviour
  run.status = cause === undefined ? responses.finishedStatus(run) : responses.cutStatus(cause, run)
  run.statusDetails = cause === undefined ? responses.finishedDetails(run) : responses.cutDetails(cause, run)
  const response = responses.resource(run)
  const leaves = session.response === run && (cause === undefined || scheduling.cutFrees(cause))
  if (leaves) session.response = undefined
  const early = scheduling.pendingBeforeDone(run.plan.state.mode)
  if (leaves && early) startPending(service, session, run)
  emit(service, session, 'response.done', { response })
  if (leaves && !early) startPending(service, session, run)
}

function startPending(service: Service, session: Session, done: ResponseRun): void {
  const { scheduling } = service.behaviour
  if (!scheduling.runsPending(done)) return
  const { pendingAfterMs } = scheduling
  if (pendingAfterMs <= 0) {
    takePending(service, session)
    return
  }
  service.timers.after(pendingAfterMs, () => {
    if (session.response === undefined) takePending(service, session)
  })
}

function takePending(service: Service, session: Session): void {
  const { scheduling } = service.behaviour
  if (session.status !== 'active') return
  const pending = session.pending.shift()
  if (pending === undefined) return
  if (scheduling.requeues(pending)) session.pending.push(pending)
  begin(service, session, scheduling.pendingPlan(pending.plan, pending.replan, session), 'pending')
}

/** Performs the steps from `index` on, each after its delay. */
function walk(life: Life, index: number): void {
  const { service, run } = life
  const step = service.behaviour.responses.order[index]
  if (step === undefined) return
  if (!applies(life, step)) {
    walk(life, index + 1)
    return
  }
  soon(life, delayOf(life, step), () => {
    PERFORM[step](life)
    run.reached.add(step)
    if (step === 'remaining-deltas') streamRest(life, index + 1)
    else walk(life, index + 1)
  })
}

function streamRest(life: Life, next: number): void {
  // Without a pause between them: a loop, since thousands of pieces would overflow the stack.
  while (life.service.behaviour.pace.deltaMs <= 0 && life.run.pieces.length > 0) sendDelta(life)
  if (life.run.pieces.length === 0) {
    walk(life, next)
    return
  }
  soon(life, life.service.behaviour.pace.deltaMs, () => {
    sendDelta(life)
    streamRest(life, next)
  })
}

/** At once where there is nothing to wait for, so that an instant service needs no turn of the event loop. */
function soon({ service, run }: Life, ms: number, task: () => void): void {
  if (ms <= 0) task()
  else run.timer = service.timers.after(ms, task)
}

/** Starts a response (3.4). */
export function begin(service: Service, session: Session, submitted: ResponsePlan, origin: ResponseOrigin): void {
  const { ids, pace } = service.behaviour
  const plan = generate(service, session, submitted)
  session.responses += 1
  const run: ResponseRun = {
    id: ids.response(service.random),
    plan,
    itemId: ids.item(service.random, session),
    outputIndex: 0,
    status: 'in_progress',
    statusDetails: null,
    sent: '',
    pieces: plan.text === undefined ? [] : pace.split(plan.text),
    reached: new Set(),
    output: [],
    timer: undefined,
    origin,
    startedAt: Date.now(),
  }
  session.response = run
  walk({ service, session, run, cause: undefined }, 0)
}

/** Ends a response before its time: "Interrupted responses still emit terminal events." */
export function cutRun(service: Service, session: Session, run: ResponseRun, cause: CutCause): void {
  run.timer?.cancel()
  const life: Life = { service, session, run, cause }
  for (const step of service.behaviour.responses.cutOrder(cause)) {
    if (!applies(life, step)) continue
    run.reached.add(step)
    PERFORM[step](life)
  }
  if (session.response === run && service.behaviour.scheduling.cutFrees(cause)) session.response = undefined
}

export function cutResponse(service: Service, session: Session, cause: CutCause): void {
  if (session.response !== undefined) cutRun(service, session, session.response, cause)
}
