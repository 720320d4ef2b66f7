import type { Point } from '#trace/claim'
import { any, before, equals, event, inEvent, oneOf, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { speech, userMessage } from '../bodies.ts'
import { onlyIf } from '../expectation.ts'
import { cutGraceMs } from '../model/cut.ts'
import { created as itemCreated, deleted, makeItem, remove, retrieved as itemRetrieved } from '../items/items.ts'
import {
  besideSpeech,
  finishOff,
  lastingBeyond,
  listen,
  runOf,
  type BusySession,
  type Speaking,
  story,
} from '../responses/busy.ts'
import { fromClient } from '../items/write.ts'
import { takesMore } from '../full.ts'
import { quiet, respond, start } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { claiming } from '../step.ts'
import { errorAbout, startedFor } from '../error-about.ts'
import { add, speechAsset, speechTexts } from '../assets/additions.ts'
import type { Talk } from '../talk.ts'
import { longReply } from '../walk/requests.ts'
import { hearOutcome, meet, meetSpeech, whileBusy } from './meeting.ts'

/**
 * A reply of the model makes a session busy as well, and so does a registered text; that it was cancelled shows that it was
 * active. What is rejected beside it is a reply itself the second time. Then something interrupts it, which is a reply the
 * second time, too: the rules judge whether both run.
 */
export const rejectBesideOthers = claiming({ scheduling: 'reject-if-busy-active-rejected' }).step(
  async (talk, busy: BusySession) => {
    const tale = talk.context.id('tale')
    await add(talk, 'asset.add', speechTexts({ [tale]: story(talk, lastingBeyond(busy, cutGraceMs).length) }))
    for (const [other, rejected, next] of [
      [longReply, speech(story(talk, 40)), speech('Thank you.')],
      [speechAsset(tale), {}, {}],
    ] as const) {
      const active = await listen(talk, await start(talk, other), '')
      const cancelled = equals(inEvent(active.done, '/response/status'), value('cancelled'))
      const response = { ...rejected, scheduling_policy: 'reject_if_busy' }
      const met = await meet(talk, busy, { ...active, short: cancelled }, response, (it) => ({
        'scheduling.reject-if-busy-active-rejected': whileBusy(it, it.rejected),
      }))
      await hearOutcome(talk, met)
      await talk.channel.watch(busy.graceMs + 50)
      await respond(talk, next)
      await quiet(talk)
    }
  },
)

/** How many requests are sent at once. */
const volley = 4

/** `reject_if_busy` beside an active response. */
export const rejectWhileActive = claiming({
  scheduling: 'reject-if-busy-active-rejected reject-if-busy-never-starts reject-if-busy-leaves-active',
  error: 'event-id-names-cause usable-after-invalid-response',
}).step(async (talk, busy: BusySession) => {
  const words = story(talk, 40)
  await meetSpeech(talk, busy, speech(words, { scheduling_policy: 'reject_if_busy' }), (it, old) => {
    // The `error` that comes before what was sent behind the request is about the request, not about the active response.
    const cause = talk.event(event('error', { '/error/event_id': { $present: true, $not: null } }), it.at)
    const named = talk.eventually(event('error', { '/error/event_id': it.id }), it.at)
    const own = any(named, equals(inEvent(cause, '/error/event_id'), oneOf(it.id, '')))
    const works = talk.eventually(event(itemRetrieved, { '/item/id': busy.known }), it.at)
    return {
      'error.usable-after-invalid-response': onlyIf([it.active, it.rejected], works),
      'scheduling.reject-if-busy-active-rejected': whileBusy(it, it.rejected),
      'scheduling.reject-if-busy-never-starts': whileBusy(it, talk.never(runOf(it, words), it.at), it.rejected),
      'scheduling.reject-if-busy-leaves-active': whileBusy(it, old.unharmed, it.rejected),
      'error.event-id-names-cause': whileBusy(it, own, before({ event: cause }, { event: it.pong })),
    }
  })
})

const leavesActive = rows({ 'response-create': 'rejected-leaves-active-alone' })

/** A request that is refused for a fault of its own, with the policy `interrupt`. */
export const rejectInvalid = claiming({}, leavesActive).step(async (talk, busy: BusySession) => {
  const input = [{ type: 'item_reference', id: talk.context.id('unknown-item') }]
  await meetSpeech(talk, busy, { input, scheduling_policy: 'interrupt' }, (it, old) => ({
    'response-create.rejected-leaves-active-alone': whileBusy(it, old.unharmed, it.rejected),
  }))
})

/** Requests that are invalid each in a way of its own: what they name, what stands beside it, what they lack. */
function invalid(talk: Talk) {
  const { context } = talk
  const words = story(talk, 40)
  return [
    speechAsset(context.id('no-asset')),
    speech(words, { input: [userMessage('Hello.')] }),
    speech(words, { instructions: 'Be brief.' }),
    { script: { vocal: { type: 'speech' } } },
    { script: {} },
  ] as const
}

/** Events of other types that are invalid. */
const otherFaults: readonly JsonObject[] = [
  { type: 'avatar.add', avatars: [{ instructions: 'You have no name.' }] },
  { type: 'asset.add', assets: {} },
  { type: 'conversation.item.create', item: { type: 'greenroom_note' } },
]

/** Sends them at once; the active response does not end as one that was cut until an event behind them was handled. */
const refuseOthers = claiming({ error: 'leaves-active-response' }).step(async (talk, old: Speaking, behind: Point) => {
  const faults = otherFaults.map((fault, place) => {
    const id = talk.context.id('faulty')
    return { fault, id, rejected: talk.eventually(errorAbout(id), talk.after(place)) }
  })
  const where = { ...old.done.match.where, '/response/status': { $in: ['cancelled', 'incomplete'] } }
  const goesOn = talk.never(event('response.done', where), { event: old.created }, behind)
  talk.expect({
    'error.leaves-active-response': onlyIf(
      faults.map(({ rejected }) => rejected),
      goesOn,
    ),
  })
  for (const { fault, id } of faults) talk.send({ ...fault, event_id: id })
  return Promise.resolve()
})

/** Several invalid requests at once, and an item that comes and goes, beside an active response. */
export const refuseBeside = claiming(
  { 'item-create': 'confirmed', 'item-delete': 'answered' },
  leavesActive,
  refuseOthers,
).step(async (talk, busy: BusySession) => {
  await besideSpeech(talk, busy, async (old) => {
    // Behind them come the item below, its end, and then one of the invalid requests.
    await refuseOthers(talk, old, talk.after(otherFaults.length + 2))
    // Nothing says that an item has to wait for an active response; one that does may come once that is done.
    const text = 'And this I say meanwhile.'
    const match = event(itemCreated, { '/item/role': 'user', '/item/content/0/text': text })
    const { id: item } = await makeItem(talk, userMessage(text), ({ confirmed }) => ({
      'item-create.confirmed': onlyIf(
        takesMore(talk, fromClient, confirmed),
        any(confirmed, talk.eventually(match, { event: old.done })),
      ),
    }))
    if (item !== undefined) {
      const gone = event(deleted, { '/item_id': item })
      await remove(talk, item, gone, ({ confirmed }) => ({
        'item-delete.answered': any(confirmed, talk.eventually(gone, { event: old.done })),
      }))
    }
    const [last, ...others] = invalid(talk)
    const at = talk.coming
    const faults = others.map((response, place) => {
      const id = talk.context.id('faulty')
      return { id, response, rejected: talk.eventually(errorAbout(id), talk.after(place)) }
    })
    for (const { id, response } of faults) talk.send({ type: 'response.create', event_id: id, response })
    const met = await meet(talk, busy, old, last, (it) => {
      const begun = startedFor(it.id, ...faults.map(({ id }) => id))
      const nothing = talk.never(begun, at, { event: old.done })
      const all = [it.rejected, ...faults.map(({ rejected }) => rejected), nothing]
      return { 'response-create.rejected-leaves-active-alone': whileBusy(it, old.unharmed, ...all) }
    })
    await hearOutcome(talk, met)
    await finishOff(talk, old)
    return met.wasBusy()
  })
})

/** Several at once in an idle session: while one of them is active, no other starts. */
export const rejectVolley = claiming({ scheduling: 'reject-if-busy-one-of-a-volley' }).step(
  async (talk, { length }: BusySession) => {
    const created = event('response.created')
    const first = { channel: talk.number, match: created, after: talk.coming }
    for (let nth = 1; nth < volley; nth += 1) {
      const one = { ...first, nth }
      const done = talk.event(event('response.done'), { event: one })
      const alone = talk.never(created, { event: one }, { event: done })
      // Where one was done before the next was looked at, none had to be refused.
      const others = [talk.event(event('error'), talk.coming), { ...one, nth: nth + 1 }]
      const met = any(...others.map((other) => before({ event: other }, { event: done })))
      const inTime = nth === 1 ? [] : [before({ event: one }, talk.after(volley))]
      talk.expect({ 'scheduling.reject-if-busy-one-of-a-volley': onlyIf([met, ...inTime], alone) })
    }
    const frames = Array.from({ length: volley }, () => {
      const response = speech(story(talk, length), { scheduling_policy: 'reject_if_busy' })
      return talk.send({ type: 'response.create', event_id: talk.context.id('volley'), response })
    })
    await talk.hear(created, frames[0] ?? 0)
    await quiet(talk)
  },
)
