import type { Scenario } from '#scenario/author/scenario'
import { setStage } from '../responses/busy.ts'
import { rows } from '../rows.ts'
import { cancelBesidePending, waitForIncomplete } from '../scheduling/leave.ts'
import { bearLaterEvents, ignoreLaterAsset, keepAssetContents, keepResponseFields } from './snapshot.ts'
import { Talk } from '../talk.ts'
import { speakInVideoLater, textAtFirst } from './video-later.ts'

/** What waits for an active response keeps its inputs, and runs whatever becomes of that one, in `text_chat`; and video, later. */
export const snapshots: Scenario = {
  id: 'control-channel.snapshot',
  proves: rows(
    'response-created.request-event-id-names-request',
    'session-update.accepted-yields-done',
    'snapshot.response-fields',
    'snapshot.asset-contents',
    'snapshot.later-asset-not-seen',
    'snapshot.later-session-update-harmless',
    'snapshot.later-avatar-add-harmless',
    'snapshot.later-asset-add-harmless',
    'scheduling.after-current-runs',
    'scheduling.idle-after-done',
    'scheduling.after-current-idle-starts',
    'response-cancel.active-cut-short',
    'response-cancel.frees-session',
  ),
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 6 },
  async drive(context) {
    const session = await context.create(textAtFirst(context))
    const talk = new Talk(context, await context.connect(session))
    const stage = await setStage(talk)
    await keepAssetContents(stage)
    await ignoreLaterAsset(stage)
    await bearLaterEvents(stage)
    await keepResponseFields(stage)
    await cancelBesidePending(stage)
    await waitForIncomplete(stage)
    await speakInVideoLater(talk)
    await talk.leave()
  },
}
