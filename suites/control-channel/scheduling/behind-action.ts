import type { Condition } from '#trace/claim'
import { speech } from '../bodies.ts'
import { lastingBeyond, type BusySession, story } from '../responses/busy.ts'
import { cutGraceMs } from '../model/cut.ts'
import { quiet, respond, startsAfter } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import { startAction } from './act.ts'
import { isCleared, neverStarts } from './interrupt.ts'
import { meet } from './meeting.ts'
import { queue } from './wait.ts'

/** An interruption that names its policy clears what waits for something that renders. */
export const clearWhileRendering = claiming({ scheduling: 'interrupt-clears-pending' }).step(
  async (talk, busy: BusySession, runs: Condition) => {
    const old = await startAction(talk, lastingBeyond(busy, cutGraceMs))
    const waiting = await queue(talk, busy, old, story(talk, 40))
    const met = await meet(talk, busy, old, speech(story(talk, 40), { scheduling_policy: 'interrupt' }), (it) => ({
      'scheduling.interrupt-clears-pending': [isCleared(talk, it, waiting, runs), neverStarts(talk, it, waiting, old)],
    }))
    await talk.hear(met.created.match, met.frame)
    await quiet(talk)
  },
)

/** What is to wait starts immediately in a session that is idle, whatever was rendered before. */
export const waitForNothing = claiming({ scheduling: 'after-current-idle-starts' }).step(async (talk) => {
  const ended = await respond(talk, speech(story(talk, 40)))
  await quiet(talk)
  await respond(talk, speech(story(talk, 40), { scheduling_policy: 'after_current_response' }), (it) => ({
    'scheduling.after-current-idle-starts': startsAfter(ended, it),
  }))
  await quiet(talk)
})
