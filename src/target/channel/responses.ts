import { EventRefusal } from '../refusal.ts'
import { begin, cutResponse, cutRun } from '../responses/life.ts'
import { planResponse } from '../responses/plan.ts'
import type { ResponsePlan } from '../responses/run.ts'
import type { Service } from '../service.ts'
import type { Session } from '../sessions/session.ts'
import { type Wire, wireAt, wiresAt } from '../wire.ts'
import type { Connection } from './connection.ts'
import { hold } from './hold.ts'

/** 4.4 `response.create`: validation, snapshot of the inputs, scheduling. */
export function createResponse(service: Service, connection: Connection, event: Wire): void {
  const { rules, limits, scheduling } = service.behaviour
  const { session } = connection
  const response = wireAt(event, 'response')
  hold(rules.responseCreate, { event, response, session, limits })
  const items = wiresAt(response, 'input').filter((item) => item['type'] !== 'item_reference')
  hold(rules.responseInput, { items, limits })
  const replan = (): ResponsePlan => planResponse(service, session, event)
  const plan = replan()
  const decide = scheduling.decide[scheduling.policy(response['scheduling_policy'])]
  const decision = decide?.(session, scheduling.busy(session)) ?? 'start'
  if (decision === 'reject')
    throw new EventRefusal('the session is busy', { code: 'session_busy', param: 'response.scheduling_policy' })
  if (decision === 'queue') session.pending = { plan, replan }
  else if (decision === 'interrupt') interrupt(service, session, plan)
  else begin(service, session, plan)
}

/** "Cancels active output, clears any pending `after_current_response`, starts the new response." */
function interrupt(service: Service, session: Session, plan: ResponsePlan): void {
  const { scheduling } = service.behaviour
  const running = session.response
  const waiting = session.pending
  session.pending = undefined
  for (const step of scheduling.interruptOrder) {
    if (step === 'start') begin(service, session, plan)
    else if (running !== undefined && scheduling.interruptCancels) cutRun(service, session, running, 'interrupt')
  }
  if (!scheduling.interruptClearsPending) session.pending = waiting
}

/** 4.4 `response.cancel`: "targets the current active response". */
export function cancelResponse(service: Service, connection: Connection, _event: Wire): void {
  const { scheduling } = service.behaviour
  const { session } = connection
  if (session.response === undefined) {
    if (scheduling.cancelIdle === 'error')
      throw new EventRefusal('there is no active response', { code: 'response_not_active' })
    return
  }
  if (scheduling.cancelClearsPending) session.pending = undefined
  cutResponse(service, session, 'cancel')
}
