import { pickKey } from '#scenario/author/pick-key'
import { videoAvatar } from '../bodies.ts'
import { timeSession } from '../responses/busy.ts'
import { asking } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { ofOneSession } from '../step.ts'
import { waitForDone } from './act.ts'
import { clearWhileRendering, waitForNothing } from './behind-action.ts'
import { refuseSecond } from './wait.ts'

/** What becomes of a response that waits for one which renders. */
export const pendingInVideo = ofOneSession({
  id: 'control-channel.pending-in-video',
  steps: [waitForDone, refuseSecond, clearWhileRendering, waitForNothing, asking],
  observes: rows({ 'response-done': 'final-statuses-told' }),
  needs: { abilities: ['video'], media: ['image_url'] },
  price: { requests: { same_workspace: 2 }, sessions: { same_workspace: 1 }, waits: 5 },
  make: (context) => context.create(videoAvatar(context), { key: pickKey(context, 'same_workspace') }),
  async speak(scene, session) {
    const talk = await scene.connect(session)
    const busy = await timeSession(talk, 60)
    const runs = await waitForDone(talk, busy)
    await refuseSecond(talk, busy, runs)
    await clearWhileRendering(talk, busy, runs)
    await waitForNothing(talk)
    await talk.leave()
  },
})
