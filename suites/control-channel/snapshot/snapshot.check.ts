import { timeSession } from '../responses/busy.ts'
import { asking } from '../responses/responses.ts'
import { cancelBesidePending, waitForIncomplete } from '../scheduling/leave.ts'
import { channelScenario } from '../step.ts'
import { bearLaterEvents, ignoreLaterAsset, keepAssetContents, keepResponseFields } from './snapshot.ts'
import { speakInVideoLater, textAtFirst } from './video-later.ts'

/** What waits for an active response keeps its inputs, and runs whatever becomes of that one, in `text_chat`; and video, later. */
export const snapshots = channelScenario({
  id: 'control-channel.snapshot',
  steps: [
    keepAssetContents,
    ignoreLaterAsset,
    bearLaterEvents,
    keepResponseFields,
    cancelBesidePending,
    waitForIncomplete,
    asking,
  ],
  observes: ['response.status-details-object-or-null', 'script.none-speech-not-written'],
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 6 },
  async drive(scene, context) {
    const talk = await scene.connect(await context.create(textAtFirst(context)))
    const busy = await timeSession(talk)
    await keepAssetContents(talk, busy)
    await ignoreLaterAsset(talk, busy)
    await bearLaterEvents(talk, busy)
    await keepResponseFields(talk, busy)
    await cancelBesidePending(talk, busy)
    await waitForIncomplete(talk)
    await speakInVideoLater(talk)
    await talk.leave()
  },
})
