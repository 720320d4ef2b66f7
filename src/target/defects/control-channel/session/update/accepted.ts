import { withhold } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { refuseEvent } from '../../../tools/refusals.ts'
import { defectsOf } from '../../../tools/table.ts'

export const sessionUpdateDefects = defectsOf('control-channel.session-update', {
  'accepted-yields-updated: An update is not acknowledged.': withhold('session.updated'),
  'accepted-yields-updated~same-image: An update that names the image which is shown is refused.': refuseEvent(
    'validations.sessionUpdate',
    ({ asked, session: { state } }) => state.sourceImageId !== null && asked['source_image_id'] === state.sourceImageId,
  ),
  'accepted-yields-updated~alike: An update with an event_id that another session has used is passed over.':
    remembering(() => {
      const users = new Map<unknown, Session>()
      const isOfOther = (id: unknown, session: Session): boolean => {
        if (!users.has(id)) users.set(id, session)
        return users.get(id) !== session
      }
      return [
        withhold('session.updated', ({ event_id: id }, session) => isOfOther(id, session)),
        withhold('session.update.done', ({ request_event_id: id }, session) => isOfOther(id, session)),
      ]
    }),
  'accepted-yields-done: An update is never done.': withhold('session.update.done'),
  'accepted-yields-done~before: An update is done before it is acknowledged.': set('update.order', [
    'session.update.done',
    'session.updated',
  ]),
  'accepted-yields-done~second-superseded: Every second update of a session that is superseded gets no session.update.done.':
    remembering(() => {
      const superseded = memory(() => ({ count: 0 }))
      return withhold('session.update.done', (event, session) => {
        if (event['reason'] !== 'superseded') return false
        superseded(session).count += 1
        return superseded(session).count % 2 === 0
      })
    }),
  'accepted-yields-done~busy: An update that is applied while a response runs is never done.': withhold(
    'session.update.done',
    (_event, { response }) => response !== undefined,
  ),
  'accepted-yields-done~superseded: An update that a newer one supersedes is never done.': (b) =>
    withhold('session.update.done', ({ reason }) => reason === b.update.supersededReason)(b),
})
