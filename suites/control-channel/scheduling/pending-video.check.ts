import { keyOf } from '#scenario/author/key-of'
import type { Scenario } from '#scenario/author/scenario'
import { videoAvatar } from '../bodies.ts'
import { setStage } from '../responses/busy.ts'
import { rows } from '../rows.ts'
import { waitForDone } from './act.ts'
import { keepMode } from '../snapshot/mode.ts'
import { Talk } from '../talk.ts'

/** What becomes of a response that waits for one which renders, and of its mode when that of the session changes. */
export const pendingInVideo: Scenario = {
  id: 'control-channel.pending-in-video',
  proves: rows(
    'response-created.request-event-id-names-request',
    'scheduling.after-current-not-before-done-in-video',
    'scheduling.after-current-runs',
    'snapshot.mode',
    'response-done.final-statuses-told',
    'session-updated.media-transport-string',
    'session-updated.media-object',
  ),
  needs: { abilities: ['video'], media: ['image_url'] },
  price: { requests: { same_workspace: 2 }, sessions: { same_workspace: 1 }, waits: 5 },
  async drive(context) {
    const session = await context.create(videoAvatar(context), { key: keyOf(context, 'same_workspace') })
    const talk = new Talk(context, await context.connect(session))
    const stage = await setStage(talk, 60)
    await waitForDone(stage)
    await keepMode(stage)
    await talk.leave()
  },
}
