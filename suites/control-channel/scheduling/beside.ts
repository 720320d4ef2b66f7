import type { Condition } from '#trace/claim'
import { all, any, before } from '#trace/conditions'
import { speech } from '../bodies.ts'
import { errorAbout } from '../error-about.ts'
import { ownItem } from '../items/items.ts'
import { besideSpeech, type BusySession, outOfBand, type Speaking, story } from '../responses/busy.ts'
import { quiet, wasCut } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { ping, pongAfter } from './ping.ts'
import { hearBoth, queue } from './wait.ts'

const refused = {
  reject_if_busy: 'scheduling.reject-if-busy-active-rejected',
  after_current_response: 'scheduling.pending-second-rejected',
} as const

type RefusedRow = (typeof refused)[keyof typeof refused]

/**
 * What is refused on one connection is refused on another one of the session, too, and also beside what is out of band.
 *
 * @param beside another connection, which the service may have taken for the first one
 */
export const rejectBeside = claiming({ scheduling: 'reject-if-busy-active-rejected pending-second-rejected' }).step(
  async (talk, busy: BusySession, beside: Talk<RefusedRow>) => {
    const known = await ownItem(beside)
    const attempt = async (old: Speaking): Promise<boolean> => {
      const first = await ask(talk, { ...busy, known }, old, beside, 'reject_if_busy')
      const waiting = await queue(talk, busy, old, story(talk, 40))
      const second = await ask(talk, { ...busy, known }, old, beside, 'after_current_response', [waiting.notRejected])
      await hearBoth(talk, old, waiting)
      await quiet(beside)
      return waiting.wasBusy() && first && second
    }
    await besideSpeech(talk, busy, attempt, outOfBand)
  },
)

/** @returns that the request was refused */
async function ask(
  talk: Talk,
  { known, graceMs }: BusySession,
  old: Speaking,
  beside: Talk<RefusedRow>,
  scheduling_policy: keyof typeof refused,
  more: readonly Condition[] = [],
): Promise<boolean> {
  const id = beside.context.id('response')
  // Connections may lag behind each other: only what the one that hears the old response is told behind this answer, which
  // was asked for once the other one had been answered, is certain to have happened after the request was handled.
  const pong = { event: pongAfter(talk, known, talk.coming), plus_ms: graceMs }
  // What one connection was told says nothing of what another one had sent before: its start must have been heard by then.
  const begun = before({ event: old.created }, beside.coming)
  const active = talk.never(old.done.match, { event: old.created }, beside.coming)
  const busy = any(all(old.short, wasCut(old)), before(pong, { event: old.done }))
  const rejected = beside.eventually(errorAbout(id), beside.coming)
  beside.claim(refused[scheduling_policy], rejected, { given: [...more, begun, active, busy], choice: true })
  const response = speech(story(beside, 40), { scheduling_policy })
  const frame = beside.send({ type: 'response.create', event_id: id, response })
  await ping(beside, known)
  await ping(talk, known)
  return (await beside.hear(errorAbout(id), frame, 'beside')) !== undefined
}
