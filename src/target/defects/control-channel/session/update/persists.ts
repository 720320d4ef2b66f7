import { memory } from '#target/overrides/memory'
import { around, remembering, set } from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { defectsOf } from '../../../tools/table.ts'

export const sessionUpdateDefects = defectsOf('control-channel.session-update', {
  'persists~connections: Each connection goes on from what it set itself.': remembering(() => {
    const own = memory(() => ({ state: undefined as Session['state'] | undefined }))
    const senders = memory(() => ({ last: {} as object }))
    return [
      set('update.begunFrom', (session, sender) => {
        senders(session).last = sender
        return own(sender).state ?? session.state
      }),
      around('update.stored', (stored) => (current, next, session) => {
        const state = stored(current, next, session)
        own(senders(session).last).state = state
        return state
      }),
    ]
  }),
  'persists~race: An update that comes over another connection before the last one is done goes on from the state before it.':
    remembering(() => {
      const last = memory(() => ({ by: {} as object, before: undefined as Session['state'] | undefined }))
      return [
        set('update.supersedes', false),
        set('update.begunFrom', (session, sender) => {
          const { by, before } = last(session)
          Object.assign(last(session), { by: sender, before: session.state })
          return session.updates.size > 0 && by !== sender && before !== undefined ? before : session.state
        }),
      ]
    }),
  'persists~race-mode: The mode of an update that comes over another connection before the last one is done is not kept.':
    remembering(() => {
      const last = memory(() => ({ by: {} as object, overtakes: false }))
      return [
        set('update.supersedes', false),
        set('update.begunFrom', (session, sender) => {
          const { by } = last(session)
          Object.assign(last(session), { by: sender, overtakes: session.updates.size > 0 && by !== sender })
          return session.state
        }),
        around('update.stored', (stored) => (current, next, session) => {
          const { mode, sourceImageId } = current
          return stored(current, last(session).overtakes ? { ...next, mode, sourceImageId } : next, session)
        }),
      ]
    }),
  'persists: An update is announced and not kept.': set('update.stored', (current) => current),
  'persists~pending: What is set while a response waits is announced and not kept.': around(
    'update.stored',
    (stored) => (current, next, session) => (session.pending.length > 0 ? current : stored(current, next, session)),
  ),
})
