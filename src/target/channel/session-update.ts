import type { Resolution } from '../behaviour/update.ts'
import type { Service } from '../service.ts'
import type { EffectiveState, Session } from '../sessions/session.ts'
import { endUpdate } from '../sessions/update-end.ts'
import { textOf, type Wire, wireAt } from '../wire.ts'
import type { Connection } from './connection.ts'
import { confirm } from './emit.ts'
import { hold } from './hold.ts'

/** 4.4 `session.update`: "Omitted fields unchanged. Only mode, active avatar and source image are mutable." */
export function updateSession(service: Service, connection: Connection, event: Wire): void {
  const { update, rules, limits, ids } = service.behaviour
  const { session } = connection
  const asked = wireAt(event, 'session')
  const resolution = update.resolve(asked, session)
  hold(rules.sessionUpdate, { event, asked, session, resolution, limits })
  supersede(service, session)
  const previous = session.state
  const state: EffectiveState = {
    mode: resolution.mode,
    activeAvatarId: resolution.activeAvatarId,
    sourceImageId: resolution.sourceImageId,
  }
  if (update.applies) session.state = state
  const eventId = textOf(event['event_id']) || ids.event(service.random)
  const acknowledge = (): void => confirmUpdate(service, connection, eventId, previous, state)
  const settle = (): void => settleUpdate(service, session, previous, resolution)
  const [first, second] = update.order
  const steps = { 'session.updated': acknowledge, 'session.update.done': settle }
  if (first !== undefined) steps[first]()
  const timer = service.timers.after(update.settleMs, () => {
    if (second !== undefined) steps[second]()
  })
  session.update = { eventId, previous, timer }
}

function confirmUpdate(
  service: Service,
  connection: Connection,
  eventId: string,
  previous: EffectiveState,
  state: EffectiveState,
): void {
  const { session } = connection
  // "optional `media_transport` string and optional `media` object (updated connection details, when present)"
  const joins = previous.mode === 'text_chat' && state.mode === 'video_avatar'
  const transport = joins ? session.plan.transport : undefined
  confirm(service, connection, 'session.updated', {
    eventId,
    state,
    transport,
    media: joins ? session.media : undefined,
  })
}

function supersede(service: Service, session: Session): void {
  const { update } = service.behaviour
  if (!update.supersedes || session.update === undefined) return
  endUpdate(service, session, { status: update.supersededStatus, reason: update.supersededReason })
}

function settleUpdate(service: Service, session: Session, previous: EffectiveState, resolution: Resolution): void {
  const { update } = service.behaviour
  const outcome = update.outcome(resolution)
  if (outcome.status === 'failed' && update.failureRestores) session.state = previous
  endUpdate(service, session, outcome)
}
