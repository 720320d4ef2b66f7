import type { OpenSession } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { speech } from '../bodies.ts'
import { besideSpeech, type BusySession, lastingBeyond, story } from '../responses/busy.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { hearOutcome, meet, onceOver, whileBusy } from './meeting.ts'
import { hearBoth, queue } from './wait.ts'

/** Time for another connection to open while a response goes on, in milliseconds. */
const openingMs = 800

interface Here<Own extends Talk> {
  readonly session: OpenSession
  readonly talk: Own
  readonly busy: BusySession
}

const joined = claiming({ scheduling: 'reject-if-busy-active-rejected after-current-runs' })

/**
 * A connection that opens changes nothing of what is active and of what waits.
 *
 * @param runs what waits comes to run otherwise
 */
export const joinBeside = joined.sceneStep(
  async (scene, { session, talk, busy }: Here<Talk<(typeof joined.rows)[number]>>, runs: Condition) => {
    const longer = lastingBeyond(busy, openingMs)
    await besideSpeech(talk, longer, async (old) => {
      const waiting = await queue(talk, busy, old, story(talk, 40))
      const other = await scene.connect(session)
      // A service may close an older connection for a newer one.
      if (talk.channel.state !== 'open') return true
      const met = await meet(
        talk,
        busy,
        old,
        speech(story(talk, 40), { scheduling_policy: 'reject_if_busy' }),
        (it) => ({
          'scheduling.reject-if-busy-active-rejected': whileBusy(it, it.rejected),
          'scheduling.after-current-runs': onceOver(old, it, waiting.runs, waiting.notRejected, it.rejected, runs),
        }),
      )
      await hearOutcome(talk, met)
      await hearBoth(talk, old, waiting)
      await other.leave()
      return met.wasBusy()
    })
  },
)
