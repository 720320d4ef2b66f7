import type { CutCause, ScheduleDecision } from '../behaviour/responses.ts'
import { EventRefusal } from '../refusal.ts'
import { begin, cutResponse, cutRun } from '../responses/life.ts'
import { planResponse } from '../responses/plan.ts'
import type { ResponsePlan, ResponseRun } from '../responses/run.ts'
import type { Service } from '../service.ts'
import type { Session } from '../sessions/session.ts'
import { type JsonObject, objectAt, objectsAt } from '../wire.ts'
import type { Connection } from '../sessions/session.ts'
import { answerEvent } from './emit.ts'
import { hold } from './hold.ts'

function validate(service: Service, session: Session, event: JsonObject): void {
  const { validations, limits } = service.behaviour
  const response = objectAt(event, 'response')
  hold(validations.responseCreate, { event, response, session, limits })
  const items = objectsAt(response, 'input').filter((item) => item['type'] !== 'item_reference')
  hold(validations.responseInput, { items, limits })
}

/** 4.4 `response.create`: validation, snapshot of the inputs, scheduling. */
export function createResponse(service: Service, connection: Connection, event: JsonObject): void {
  const { session } = connection
  const replan = (): ResponsePlan => planResponse(service, session, event)
  try {
    validate(service, session, event)
  } catch (error) {
    disturb(service, session, false)
    if (service.behaviour.scheduling.startsRefused) begin(service, session, replan(), 'idle')
    throw error
  }
  const decision = decisionOf(service, connection, event)
  if (decision === 'interrupt' && service.behaviour.scheduling.tellsCleared) tellCleared(service, connection)
  schedule(service, session, decision, replan)
}

/** That what waits is cleared: whether anything says so is not said. */
function tellCleared(service: Service, connection: Connection): void {
  for (const { plan } of connection.session.pending) {
    const facts = {
      message: 'the pending response was cleared',
      type: 'invalid_request_error',
      code: 'response_cleared',
    }
    answerEvent(service, connection, 'error', { ...facts, param: undefined, eventId: plan.requestEventId })
  }
}

function decisionOf(service: Service, connection: Connection, event: JsonObject): ScheduleDecision {
  const { session } = connection
  const { policy, decide, busy } = service.behaviour.scheduling
  const asked = objectAt(event, 'response')['scheduling_policy']
  const chosen = policy(asked)
  if (chosen === 'reject_if_busy') return decide.reject_if_busy(session, busy(session), connection)
  if (chosen === 'after_current_response') return decide.after_current_response(session, busy(session), connection)
  return decide.interrupt(session, busy(session), asked)
}

function schedule(service: Service, session: Session, decision: ScheduleDecision, replan: () => ResponsePlan): void {
  const plan = service.behaviour.scheduling.submitted(replan(), session)
  if (decision === 'start') begin(service, session, plan, 'idle')
  else if (decision === 'interrupt') interrupt(service, session, plan)
  else if (decision === 'queue') {
    session.pending.push({ plan, replan })
    if (service.behaviour.scheduling.queueCuts) cutResponse(service, session, 'interrupt')
  } else {
    if (decision === 'refuse-and-queue') session.pending.push({ plan, replan })
    disturb(service, session, true)
    throw new EventRefusal('the session is busy', { code: 'session_busy', param: 'response.scheduling_policy' })
  }
}

/** What a refusal does to others: nothing, unless the behaviour wants it. */
function disturb(service: Service, session: Session, valid: boolean): void {
  const { scheduling } = service.behaviour
  if (valid && scheduling.refusalClearsPending) session.pending = []
  if (scheduling.refusalCuts(valid)) cutResponse(service, session, 'interrupt')
}

/** "Cancels active output, clears any pending `after_current_response`, starts the new response." */
function interrupt(service: Service, session: Session, plan: ResponsePlan): void {
  const { scheduling } = service.behaviour
  const running = session.response
  const waiting = session.pending
  session.pending = []
  for (const step of scheduling.interruptOrder) {
    if (step === 'start') begin(service, session, scheduling.interruptingPlan(plan), 'interrupt')
    else if (running !== undefined && scheduling.interruptCancels) cutInTime(service, session, running)
  }
  if (!scheduling.interruptClearsPending) session.pending = waiting
  cutOthers(service, session, 'interrupt')
}

/** What an interruption or a cancellation does in other sessions: nothing, unless the behaviour wants it. */
function cutOthers(service: Service, session: Session, cause: CutCause): void {
  const { alsoCuts } = service.behaviour.scheduling
  for (const other of alsoCuts(session, [...service.sessions.values()], cause)) cutResponse(service, other, cause)
}

function cutInTime(service: Service, session: Session, run: ResponseRun): void {
  const { interruptAfterMs } = service.behaviour.scheduling
  if (interruptAfterMs <= 0) cutRun(service, session, run, 'interrupt')
  else service.timers.after(interruptAfterMs, () => cutRun(service, session, run, 'interrupt'))
}

/** 4.4 `response.cancel`: "targets the current active response". */
export function cancelResponse(service: Service, { session }: Connection): void {
  const { scheduling } = service.behaviour
  cutOthers(service, session, 'cancel')
  if (session.response === undefined) {
    if (scheduling.cancelIdle === 'ignore') return
    throw new EventRefusal('there is no active response', { code: 'response_not_active' })
  }
  if (scheduling.cancelClearsPending) session.pending = []
  if (!scheduling.cancelCuts(session)) return
  if (scheduling.cancelAfterMs <= 0) return cutResponse(service, session, 'cancel')
  const running = session.response
  service.timers.after(scheduling.cancelAfterMs, () => {
    if (session.response === running) cutResponse(service, session, 'cancel')
  })
}
