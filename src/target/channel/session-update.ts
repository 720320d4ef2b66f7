import type { Resolution, UpdateStep } from '../behaviour/update.ts'
import { cutResponse } from '../responses/life.ts'
import type { Service } from '../service.ts'
import type { RunningUpdate } from '../sessions/session.ts'
import type { EffectiveState } from '../sessions/effective-state.ts'
import { endUpdate, endUpdates } from '../sessions/update-end.ts'
import { textOf, type JsonObject, objectAt } from '../wire.ts'
import type { Connection } from '../sessions/session.ts'
import { answerEvent } from './emit.ts'
import { hold } from './hold.ts'

/** How often an update whose end waits looks whether it may come, in milliseconds. */
const END_LOOK_MS = 20

/** One accepted update on its way. */
interface Update {
  running: RunningUpdate
  previous: EffectiveState
  next: EffectiveState
  resolution: Resolution
  asked: JsonObject
}

/** 4.4 `session.update`: "Omitted fields unchanged. Only mode, active avatar and source image are mutable." */
export function updateSession(service: Service, connection: Connection, event: JsonObject): void {
  const { update, validations, limits, ids } = service.behaviour
  const { session } = connection
  const asked = objectAt(event, 'session')
  const current = session.state
  session.state = update.begunFrom(session, connection)
  const resolution = update.resolve(asked, session)
  const previous = session.state
  const running: RunningUpdate = {
    eventId: textOf(event['event_id']) || update.ownEventId(ids.event(service.random)),
    timer: undefined,
    previous,
  }
  const next = update.next(previous, resolution, session)
  const change: Update = { running, previous, next, resolution, asked }
  const { supersedes, refusalSupersedes, supersededStatus: status, supersededReason: reason } = update
  try {
    hold(validations.sessionUpdate, { event, asked, session, resolution, limits })
  } catch (error) {
    session.state = update.keptOfRefused(current, resolution)
    if (refusalSupersedes) endUpdates(service, session, { status, reason })
    run(service, connection, change, update.refusedSteps)
    throw error
  }
  session.state = update.appliedLate ? previous : update.stored(previous, next, session)
  if (supersedes) endUpdates(service, session, { status, reason })
  update.absorb(session, event)
  if (update.cutsResponse(previous, next)) cutResponse(service, session, 'cancel')
  if (update.appliedLate) applyLate(service, connection, change)
  else run(service, connection, change, update.order)
}

/** The update is looked at again when its turn has come; what supersedes it until then leaves nothing of it. */
function applyLate(service: Service, connection: Connection, change: Update): void {
  const { update } = service.behaviour
  const { session } = connection
  session.updates.add(change.running)
  change.running.timer = service.timers.after(update.settleMs, () => {
    const resolution = update.resolve(change.asked, session)
    const previous = session.state
    const next = update.next(previous, resolution, session)
    session.state = update.stored(previous, next, session)
    const late = { ...change, resolution, previous, next }
    for (const step of update.order) STEPS[step](service, connection, late)
  })
}

/** The first step at once, the others when the update has settled. */
function run(service: Service, connection: Connection, change: Update, steps: UpdateStep[]): void {
  const [first, ...later] = steps
  if (first === undefined) return
  connection.session.updates.add(change.running)
  STEPS[first](service, connection, change)
  const end = (): void => {
    if (service.behaviour.update.endWaits(connection.session)) {
      change.running.timer = service.timers.after(END_LOOK_MS, end)
      return
    }
    for (const step of later) STEPS[step](service, connection, change)
    connection.session.updates.delete(change.running)
  }
  change.running.timer = service.timers.after(service.behaviour.update.settleMs, end)
}

const STEPS = { 'session.updated': acknowledge, 'session.update.done': settle }

function acknowledge(service: Service, connection: Connection, change: Update): void {
  const { running, previous, next, resolution } = change
  const { session } = connection
  const { announcesMedia, announced: shown } = service.behaviour.update
  const announced = announcesMedia(previous, next)
  answerEvent(service, connection, 'session.updated', {
    eventId: running.eventId,
    state: shown(previous, next, resolution),
    transport: announced ? session.plan.transport : undefined,
    media: announced ? session.media : undefined,
  })
}

function settle(service: Service, { session }: Connection, { running, previous, resolution }: Update): void {
  const { update } = service.behaviour
  const outcome = update.outcome(resolution)
  if (outcome.status === 'failed' && update.failureRestores) session.state = previous
  endUpdate(service, session, running, outcome)
}
