import { equals, inEvent, value } from '#trace/conditions'
import { speech, userMessage } from '../bodies.ts'
import { makeItem } from '../items/items.ts'
import { listen, story, timeSession } from '../responses/busy.ts'
import { quiet, start } from '../responses/responses.ts'
import { waitBehind } from '../scheduling/leave.ts'
import { hearOutcome, meet, whileBusy } from '../scheduling/meeting.ts'
import { claiming } from '../step.ts'

/** A call is soon over: so often another one is asked for. */
const mostRounds = 2

/**
 * A function call keeps its session busy like any other response: beside it nothing else starts, and what waits for it
 * runs once it is done. That it was cancelled shows that it was active.
 */
export const meetCalls = claiming({ scheduling: 'reject-if-busy-active-rejected' }, waitBehind).step(
  async (talk, words: string) => {
    const busy = await timeSession(talk)
    for (let round = 0; round < mostRounds; round += 1) {
      await makeItem(talk, userMessage(words))
      const begun = await start(talk, {})
      if (begun.start === undefined) return
      const calling = await listen(talk, begun, '', begun.start)
      const short = equals(inEvent(calling.done, '/response/status'), value('cancelled'))
      const response = speech(story(talk, 40), { scheduling_policy: 'reject_if_busy' })
      const met = await meet(talk, busy, { ...calling, short }, response, (it) => ({
        'scheduling.reject-if-busy-active-rejected': whileBusy(it, it.rejected),
      }))
      await hearOutcome(talk, met)
      await quiet(talk)
      if (met.wasBusy()) break
    }
    await makeItem(talk, userMessage(words))
    await waitBehind(talk, {})
  },
)
