import { pickKey } from '#scenario/author/pick-key'
import { textChat, userMessage } from '../bodies.ts'
import { makeItem } from '../items/items.ts'
import { timeSession } from '../responses/busy.ts'
import { asking } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { ofOneSession } from '../step.ts'
import { clearByDefault, interruptPending, interruptWaited } from './interrupt.ts'
import { joinBeside } from './joined.ts'
import { queueOne, queueOther, refuseInvalidBeside, refuseSecond, rejectWhilePending } from './wait.ts'

/** What becomes of a response that waits for the active one, in `text_chat`. */
export const pending = ofOneSession({
  id: 'control-channel.pending',
  steps: [
    queueOne,
    queueOther,
    refuseSecond,
    rejectWhilePending,
    refuseInvalidBeside,
    interruptPending,
    clearByDefault,
    interruptWaited,
    joinBeside,
    asking,
  ],
  observes: rows({
    error: 'event-id-names-cause',
    'item-created': 'previous-item-known',
    'script-speech': 'completes',
  }),
  price: { requests: { same_workspace: 2 }, sessions: { same_workspace: 1 }, waits: 5 },
  make: (context) => context.create(textChat(), { key: pickKey(context, 'same_workspace') }),
  async speak(scene, session) {
    const talk = await scene.connect(session)
    const busy = await timeSession(talk)
    const runs = await queueOne(talk, busy)
    await queueOther(talk, busy, runs, {})
    await refuseSecond(talk, busy, runs)
    await rejectWhilePending(talk, busy, runs)
    await refuseInvalidBeside(talk, busy, runs)
    await interruptPending(talk, busy, runs)
    await makeItem(talk, userMessage('Please listen.'))
    await clearByDefault(talk, busy, runs)
    // What was cleared is nowhere in the conversation.
    await makeItem(talk, userMessage('Please go on.'))
    await interruptWaited(talk, busy)
    await joinBeside(scene, { session, talk, busy }, runs)
    await talk.leave()
  },
})
