import { keyOf } from '#scenario/author/key-of'
import { textChat } from '../bodies.ts'
import { setStage } from '../responses/busy.ts'
import { asking } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { channelScenario } from '../step.ts'
import { clearByDefault, interruptPending } from './interrupt.ts'
import { queueOne, refuseInvalidBeside, refuseSecond, rejectWhilePending } from './wait.ts'

/** What becomes of a response that waits for the active one, in `text_chat`. */
export const pending = channelScenario({
  id: 'control-channel.pending',
  steps: [queueOne, refuseSecond, rejectWhilePending, refuseInvalidBeside, interruptPending, clearByDefault, asking],
  observes: rows({ error: 'event-id-names-cause' }),
  price: { requests: { same_workspace: 2 }, sessions: { same_workspace: 1 }, waits: 5 },
  async drive(scene, context) {
    const session = await context.create(textChat(), { key: keyOf(context, 'same_workspace') })
    const talk = await scene.connect(session)
    const stage = await setStage(talk)
    const runs = await queueOne(talk, stage)
    await refuseSecond(talk, stage, runs)
    await rejectWhilePending(talk, stage, runs)
    await refuseInvalidBeside(talk, stage, runs)
    await interruptPending(talk, stage, runs)
    await clearByDefault(talk, stage, runs)
    await talk.leave()
  },
})
