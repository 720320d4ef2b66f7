import { keyOf } from '#scenario/author/key-of'
import { textChat } from '../bodies.ts'
import { setStage } from '../responses/busy.ts'
import { asking } from '../responses/responses.ts'
import { channelScenario } from '../step.ts'
import { rejectBeside } from './beside.ts'
import { interruptActive, interruptByDefault, interruptTwice } from './interrupt.ts'
import { refuseBeside, rejectInvalid, rejectVolley, rejectWhileActive } from './reject.ts'

/** What becomes of a `response.create` that shall start at once while another response is active, in `text_chat`. */
export const scheduling = channelScenario({
  id: 'control-channel.scheduling',
  steps: [
    rejectWhileActive,
    rejectInvalid,
    refuseBeside,
    rejectVolley,
    interruptActive,
    interruptByDefault,
    interruptTwice,
    rejectBeside,
    asking,
  ],
  observes: [],
  price: { requests: { same_workspace: 2 }, sessions: { same_workspace: 1 }, waits: 5 },
  async drive(scene, context) {
    const session = await context.create(textChat(), { key: keyOf(context, 'same_workspace') })
    const talk = await scene.connect(session)
    const stage = await setStage(talk)
    await rejectWhileActive(talk, stage)
    await rejectInvalid(talk, stage)
    await refuseBeside(talk, stage)
    await rejectVolley(talk, stage)
    await interruptActive(talk, stage)
    await interruptByDefault(talk, stage)
    await interruptTwice(talk, stage)
    const beside = await scene.expectAdmitted(session)
    if (talk.channel.state === 'open' && beside.channel.state === 'open') await rejectBeside(talk, stage, beside)
    await talk.leave()
  },
})
