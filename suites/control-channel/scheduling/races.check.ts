import { pickKey } from '#scenario/author/pick-key'
import { textChat } from '../bodies.ts'
import { timeSession } from '../responses/busy.ts'
import { asking } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { ofOneSession } from '../step.ts'
import { queueAcross, rejectAcross } from './across.ts'

/** Two connections of one session that ask for responses at the same moment. Rules judge all of it. */
export const races = ofOneSession({
  id: 'control-channel.races',
  steps: [queueAcross, rejectAcross, asking],
  observes: rows({
    scheduling: 'reject-if-busy-one-of-a-volley pending-second-rejected pending-one-accepted after-current-runs',
  }),
  price: { requests: { same_workspace: 2 }, sessions: { same_workspace: 1 }, waits: 3 },
  make: (context) => context.create(textChat(), { key: pickKey(context, 'same_workspace') }),
  async speak(scene, session) {
    const talk = await scene.connect(session)
    const busy = await timeSession(talk)
    const beside = await scene.connect(session)
    // An older connection may be closed by the service.
    const both = (): boolean => talk.channel.state === 'open' && beside.channel.state === 'open'
    if (both()) await queueAcross(talk, busy, beside)
    if (both()) await rejectAcross(talk, busy, beside)
    await talk.leave()
  },
})
