import { change } from '#target/overrides/changes'
import { onEvent, twice } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { remembering, set } from '#target/overrides/operators'
import { defectsOf } from '../tools/table.ts'

const OPENING = 'session.bootstrap.opening.done'

export const openingDoneDefects = defectsOf('control-channel.opening-done', {
  'status-in-set: An opening is finished.': set('extras.opening', { status: 'finished', reason: undefined }),
  'reason-string: The reason of a failed opening is an object.': [
    set('extras.opening', { status: 'failed', reason: 'model_error' }),
    onEvent(
      OPENING,
      change('reason', (reason) => ({ code: reason })),
    ),
  ],
  'completed-without-reason: A completed opening has a reason.': set('extras.opening', {
    status: 'completed',
    reason: 'finished',
  }),
  'once-a-connection: The opening is done twice.': [
    set('extras.opening', { status: 'completed', reason: undefined }),
    twice(OPENING),
  ],
  'replay-agrees: A replayed opening ends otherwise.': remembering(() => {
    const told = memory(() => ({ count: 0 }))
    return [
      set('extras.opening', { status: 'completed', reason: undefined }),
      onEvent(OPENING, (event, session) => {
        told(session).count += 1
        return told(session).count > 1 ? { ...event, status: 'cancelled', reason: 'restarted' } : event
      }),
    ]
  }),
})
