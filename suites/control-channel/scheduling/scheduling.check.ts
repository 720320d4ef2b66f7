import { keyOf } from '#scenario/author/key-of'
import type { Scenario } from '#scenario/author/scenario'
import { textChat } from '../bodies.ts'
import { setStage } from '../responses/busy.ts'
import { rows } from '../rows.ts'
import { rejectBeside } from './beside.ts'
import { interruptActive, interruptByDefault, interruptTwice } from './interrupt.ts'
import { refuseBeside } from './refuse.ts'
import { rejectInvalid, rejectVolley, rejectWhileActive } from './reject.ts'
import { Talk } from '../talk.ts'

/** What becomes of a `response.create` that shall start at once while another response is active, in `text_chat`. */
export const scheduling: Scenario = {
  id: 'control-channel.scheduling',
  proves: rows(
    'response-created.request-event-id-names-request',
    'scheduling.pending-second-rejected',
    'scheduling.interrupt-starts-new',
    'scheduling.interrupt-cancels-active',
    'scheduling.interrupt-is-default',
    'scheduling.interrupted-status',
    'scheduling.interrupted-gets-done',
    'scheduling.interrupted-gets-item-done',
    'scheduling.interrupt-new-completes',
    'scheduling.reject-if-busy-active-rejected',
    'scheduling.reject-if-busy-never-starts',
    'scheduling.reject-if-busy-leaves-active',
    'scheduling.reject-if-busy-one-of-a-volley',
    'response-create.rejected-leaves-active-alone',
    'item-create.confirmed',
    'error.event-id-names-cause',
  ),
  price: { requests: { same_workspace: 2 }, sessions: { same_workspace: 1 }, waits: 5 },
  async drive(context) {
    const session = await context.create(textChat(), { key: keyOf(context, 'same_workspace') })
    const talk = new Talk(context, await context.connect(session))
    const stage = await setStage(talk)
    await rejectWhileActive(stage)
    await rejectInvalid(stage)
    await refuseBeside(stage)
    await rejectVolley(stage)
    await interruptActive(stage)
    await interruptByDefault(stage)
    await interruptTwice(stage)
    const beside = new Talk(context, await context.open(session))
    if (talk.channel.state === 'open' && beside.channel.state === 'open') await rejectBeside(stage, beside)
    await talk.leave()
  },
}
