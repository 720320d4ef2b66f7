import { any, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { speechAsset } from '../assets/additions.ts'
import { speech, userMessage } from '../bodies.ts'
import { finishOff, type Speaking, speakLong, type Stage, story, tryAgain } from '../responses/busy.ts'
import { errorAbout } from '../error-about.ts'
import { created, makeItem } from '../items/items.ts'
import { meet } from './meeting.ts'
import { hearOutcome } from './reject.ts'
import type { Talk } from '../talk.ts'

/** Requests that are invalid each in a way of its own: what they name, what stands beside it, what they lack. */
function invalid(talk: Talk): readonly JsonObject[] {
  const { context } = talk
  const words = story(talk, 40)
  return [
    speechAsset(context.id('no-asset')),
    speech(words, { input: [userMessage('Hello.')] }),
    speech(words, { instructions: 'Be brief.' }),
    { script: { vocal: { type: 'speech' } } },
    { script: {} },
  ]
}

/** Several invalid requests at once, and an item, beside an active response. */
export function refuseBeside(stage: Stage): Promise<void> {
  const { talk } = stage
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    await writeBeside(talk, old)
    return refuseAll(stage, old)
  })
}

/** Nothing says that an item has to wait for an active response; one that does may come once that is done. */
async function writeBeside(talk: Talk, old: Speaking): Promise<void> {
  const match = event(created, { '/item/role': 'user' })
  await makeItem(talk, userMessage('And this I say meanwhile.'), ({ confirmed }) => {
    talk.claim('item-create.confirmed', any(confirmed, talk.eventually(match, { event: old.done })))
  })
}

/** @returns that they met an active response */
async function refuseAll(stage: Stage, old: Speaking): Promise<boolean> {
  const { talk } = stage
  const [last = {}, ...others] = invalid(talk)
  const at = talk.coming
  const faults = others.map((response, place) => {
    const id = talk.context.id('faulty')
    return { id, response, rejected: talk.eventually(errorAbout(id), talk.after(place)) }
  })
  for (const { id, response } of faults) talk.send({ type: 'response.create', event_id: id, response })
  const met = await meet(stage, old, last, (it) => {
    const named = { $in: [it.id, ...faults.map(({ id }) => id)], $absent: true }
    const nothing = talk.never(event('response.created', { '/request_event_id': named }), at, { event: old.done })
    const given = [...(it.busy.given ?? []), it.rejected, ...faults.map(({ rejected }) => rejected), nothing]
    talk.claim('response-create.rejected-leaves-active-alone', old.unharmed, { given, choice: true })
  })
  await hearOutcome(talk, met)
  await finishOff(talk, old)
  return met.wasBusy()
}
