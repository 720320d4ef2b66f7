import { pickKey } from '#scenario/author/pick-key'
import { textChat } from '../bodies.ts'
import { timeSession } from '../responses/busy.ts'
import { asking } from '../responses/responses.ts'
import { ofOneSession } from '../step.ts'
import { rejectBeside } from './beside.ts'
import { interruptActive, interruptAtOnce, interruptByDefault, interruptTwice } from './interrupt.ts'
import { refuseBeside, rejectInvalid, rejectVolley, rejectWhileActive, rejectBesideOthers } from './reject.ts'

/** What becomes of a `response.create` that shall start at once while another response is active, in `text_chat`. */
export const scheduling = ofOneSession({
  id: 'control-channel.scheduling',
  steps: [
    rejectWhileActive,
    rejectInvalid,
    refuseBeside,
    rejectVolley,
    interruptActive,
    interruptByDefault,
    interruptTwice,
    interruptAtOnce,
    rejectBesideOthers,
    rejectBeside,
    asking,
  ],
  observes: ['response.id-unique', 'response-done.always'],
  price: { requests: { same_workspace: 2 }, sessions: { same_workspace: 1 }, waits: 5 },
  make: (context) => context.create(textChat(), { key: pickKey(context, 'same_workspace') }),
  async speak(scene, session) {
    const talk = await scene.connect(session)
    const busy = await timeSession(talk)
    await rejectWhileActive(talk, busy)
    await rejectInvalid(talk, busy)
    await refuseBeside(talk, busy)
    await rejectVolley(talk, busy)
    await interruptActive(talk, busy)
    await interruptByDefault(talk, busy)
    await interruptTwice(talk, busy)
    await interruptAtOnce(talk)
    await rejectBesideOthers(talk, busy)
    const beside = await scene.expectAdmitted(session)
    if (talk.channel.state === 'open' && beside.channel.state === 'open') await rejectBeside(talk, busy, beside)
    await talk.leave()
  },
})
