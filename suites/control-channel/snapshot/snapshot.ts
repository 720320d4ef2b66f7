import type { Condition, Pattern, Point } from '#trace/claim'
import { sourceImage } from '#scenario/author/bodies'
import { all, any, before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { add, type Addition, speechAsset, speechTexts } from '../assets/additions.ts'
import { speech } from '../bodies.ts'
import { errorsNaming } from '../error-about.ts'
import { type Counted, forRows, onlyIf } from '../expectation.ts'
import { takesMore } from '../full.ts'
import { retrieve, seek } from '../items/items.ts'
import { besideSpeech, endOf, listen, type Speaking, type BusySession, story } from '../responses/busy.ts'
import { finish, outlast, whole } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { hearOutcome, meet, onceOver, whileBusy } from '../scheduling/meeting.ts'
import { hearBoth, type Queued, queue } from '../scheduling/wait.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { look, takeTurns } from '../updates/updates.ts'

const assetAdded = event('asset.added')

/** What counts where what waits was taken, and the other response came to its end by itself, after this. */
function onceTaken(old: Speaking, waiting: Queued, condition: Condition, ...more: readonly Condition[]): Counted {
  return onceOver(old, waiting, condition, waiting.notRejected, ...more)
}

/** The response goes on, as far as we heard; for steering only. */
function isActive(talk: Talk, old: Speaking): boolean {
  return old.start !== undefined && endOf(talk, old) === undefined
}

/** An asset that a pending response names is added again with another text. */
export const keepAssetContents = claiming({
  snapshot: 'asset-contents',
  scheduling: 'after-current-queued',
}).step(async (talk, busy: BusySession) => {
  const [id, words, other] = [talk.context.id('asset'), story(talk, 40), story(talk, 40)]
  const added = await add(talk, 'asset.add', speechTexts({ [id]: words }))
  await besideSpeech(talk, busy, async (old) => {
    const waiting = await queue(talk, busy, old, words, {
      response: speechAsset(id),
      expect: (it) => ({ 'scheduling.after-current-queued': whileBusy(it, it.notRejected, added) }),
    })
    const answer = { where: { '/type': { $in: ['asset.added', 'error'] } } }
    const answered = before({ event: talk.event(answer, talk.coming) }, { event: old.done })
    const spoken = talk.eventually(whole(words), waiting.at)
    const kept = all(spoken, talk.never(whole(other), waiting.at))
    talk.expect({ 'snapshot.asset-contents': onceTaken(old, waiting, kept, added, answered) })
    const again = { type: 'asset.add', event_id: talk.context.id('asset-again'), ...speechTexts({ [id]: other }) }
    const frame = talk.send(again)
    await talk.hearRefusal(again.event_id, frame, [assetAdded], 'asset-again')
    const active = isActive(talk, old)
    await hearBoth(talk, old, waiting)
    return waiting.wasBusy() && active
  })
})

/** A request that would wait names an asset that is added only after it. */
export const ignoreLaterAsset = claiming({ snapshot: 'later-asset-not-seen' }).step(async (talk, busy: BusySession) => {
  await besideSpeech(talk, busy, async (old) => {
    const [id, words] = [talk.context.id('asset'), story(talk, 40)]
    const early = await queue(talk, busy, old, words, { response: speechAsset(id) })
    const added = talk.event(assetAdded, talk.coming)
    const inTime = before({ event: added }, { event: old.done })
    talk.expect({
      'snapshot.later-asset-not-seen': onlyIf([early.active, inTime], talk.never(whole(words), early.at)),
    })
    await add(talk, 'asset.add', speechTexts({ [id]: words }))
    const active = isActive(talk, old)
    await outlast(talk, old.done.match, old.start?.frame ?? 0)
    await retrieve(talk, busy.known)
    return early.wasBusy() && active
  })
})

interface Later {
  readonly row: (typeof harmless)[number]
  /** That it is taken at all: a busy session rejects responses, and nothing else. */
  readonly accepted: (typeof taken)[number]
  /** Sent while a response waits, and confirmed by an event of the type. */
  readonly message: (talk: Talk, turn: () => string) => JsonObject
  readonly confirmation: string
  /** What is sent of its kind once nothing is active: a session that does not take that either is full. */
  readonly more?: (talk: Talk) => { readonly type: Addition; readonly what: JsonObject }
}

const harmless = rows({
  snapshot: 'later-session-update-harmless later-avatar-add-harmless later-asset-add-harmless',
})

const taken = rows({
  'session-update': 'active-avatar-applied',
  'avatar-add': 'id-alone-accepted',
  'asset-add': 'speech-text-accepted',
})

/** Events that leave what waits alone. */
const later: readonly Later[] = [
  {
    row: 'snapshot.later-session-update-harmless',
    accepted: 'session-update.active-avatar-applied',
    message: (_talk, turn) => ({ type: 'session.update', session: { active_avatar_id: turn() } }),
    confirmation: 'session.updated',
  },
  {
    row: 'snapshot.later-avatar-add-harmless',
    accepted: 'avatar-add.id-alone-accepted',
    message: ({ context }) => ({ type: 'avatar.add', avatars: [{ avatar_id: context.id('avatar') }] }),
    confirmation: 'avatar.added',
    more: ({ context }) => ({
      type: 'avatar.add',
      what: {
        avatars: [
          { avatar_id: context.id('more'), visual: { source_images: [sourceImage(context.profile, 'front')] } },
        ],
      },
    }),
  },
  {
    row: 'snapshot.later-asset-add-harmless',
    accepted: 'asset-add.speech-text-accepted',
    message: ({ context }) => ({ type: 'asset.add', ...speechTexts({ [context.id('asset')]: 'Nobody speaks this.' }) }),
    confirmation: 'asset.added',
    more: ({ context }) => ({
      type: 'asset.add',
      what: { assets: { visual_prompts: [{ asset_id: context.id('more'), text: 'Nobody is shown this.' }] } },
    }),
  },
]

/** An update that was applied beside responses has its terminal result at the latest when they are over. */
const settleLater = claiming({ 'session-update': 'accepted-yields-done' }).step(
  async (talk, id: string, waiting: Queued): Promise<Pattern> => {
    const done = event('session.update.done', { '/request_event_id': id })
    const updated = talk.eventually(event('session.updated', { '/event_id': id }), talk.coming)
    const over = { event: waiting.done }
    const settled = any(before({ event: talk.event(done, talk.coming) }, over), talk.eventually(done, over))
    const ended = before({ event: waiting.done }, talk.closed)
    talk.expect({ 'session-update.accepted-yields-done': onlyIf([updated, ended], settled) })
    return done
  },
)

/** An addition beside responses was confirmed, where one is after them. */
const takeMore = claiming({}, taken).step(
  async (talk, { accepted, confirmation, more }: Later, from: Point, id: string) => {
    if (more === undefined) return
    const match = event(confirmation)
    const confirmed = talk.inTime(match, from, talk.coming, { instead: errorsNaming(id) })
    talk.expect(forRows(accepted, onlyIf(takesMore(talk, match, confirmed, talk.coming), confirmed)))
    const { type, what } = more(talk)
    await add(talk, type, what)
  },
)

export const bearLaterEvents = claiming({}, harmless, taken, settleLater, takeMore).step(
  async (talk, busy: BusySession) => {
    const turn = takeTurns()
    for (const one of later) {
      const { row, accepted, message, confirmation, more } = one
      await besideSpeech(talk, busy, async (old) => {
        const waiting = await queue(talk, busy, old, story(talk, 40))
        const confirmed = before({ event: talk.event(event(confirmation), talk.coming) }, { event: old.done })
        const brought = talk.eventually(whole(waiting.words), waiting.at)
        talk.expect(forRows(row, onceTaken(old, waiting, brought, confirmed)))
        const id = talk.context.id('later')
        // It may be looked at when nothing is active any more.
        const own = confirmation === 'session.updated' ? { '/event_id': id } : {}
        const from = talk.coming
        if (more === undefined) talk.expect(forRows(accepted, talk.eventually(event(confirmation, own), from)))
        const settled = confirmation === 'session.updated' ? await settleLater(talk, id, waiting) : undefined
        await talk.say({ ...message(talk, turn), event_id: id }, event(confirmation))
        const active = isActive(talk, old)
        await hearBoth(talk, old, waiting)
        await takeMore(talk, one, from, id)
        if (settled !== undefined) {
          await talk.hear(settled, 0)
          // What was set meanwhile is kept: the rules judge what is shown now.
          await look(talk, () => undefined)
        }
        return waiting.wasBusy() && active
      })
    }
  },
)

/** What waits is out of band; a later request that is refused would be written. */
export const keepResponseFields = claiming({ snapshot: 'response-fields' }).step(async (talk, busy: BusySession) => {
  await besideSpeech(talk, busy, async (old) => {
    const [words, other] = [story(talk, 40), story(talk, 40)]
    const waiting = await queue(talk, busy, old, words, { response: speech(words, { conversation: 'none' }) })
    const second = speech(other, { conversation: 'auto', scheduling_policy: 'after_current_response' })
    const met = await meet(talk, busy, old, second, (it) => {
      const own = all(talk.eventually(whole(words), waiting.at), talk.never(whole(other), it.at))
      return { 'snapshot.response-fields': onceTaken(old, waiting, own, it.rejected) }
    })
    await hearOutcome(talk, met)
    const begun = await outlast(talk, waiting.created.match, waiting.frame)
    const speaking = await listen(talk, { ...waiting, start: begun }, words)
    const { itemId = '' } = await finish(talk, speaking)
    await seek(talk, speaking.itemId ?? itemId, busy.known, ({ nothing }) => ({
      'snapshot.response-fields': onceTaken(old, waiting, nothing, met.rejected, waiting.runs),
    }))
    await retrieve(talk, busy.known)
    return met.wasBusy()
  })
})
