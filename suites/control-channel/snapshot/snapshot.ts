import type { Condition, Pattern } from '#trace/claim'
import { all, any, before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { add, speechAsset, speechTexts } from '../assets/additions.ts'
import { speech } from '../bodies.ts'
import { endOf, listen, type Speaking, speakLong, type Stage, story, tryAgain } from '../responses/busy.ts'
import { retrieve, seek } from '../items/items.ts'
import { meet } from '../scheduling/meeting.ts'
import { finish, outlast, whole } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import { hearOutcome } from '../scheduling/reject.ts'
import { hearBoth, once, type Queued, queue } from '../scheduling/wait.ts'
import type { ClaimOptions, Talk } from '../talk.ts'
import { takeTurns } from '../updates/updates.ts'

const assetAdded = event('asset.added')

/** What waits was taken, and the other response came to its end by itself, after this. */
function waited(old: Speaking, waiting: Queued, ...more: readonly Condition[]): ClaimOptions {
  return once(old, waiting, waiting.notRejected, ...more)
}

/** The response goes on, as far as we heard; for steering only. */
function isActive(talk: Talk, old: Speaking): boolean {
  return old.start !== undefined && endOf(talk, old) === undefined
}

/** An asset that a pending response names is added again with another text. */
export async function keepAssetContents(stage: Stage): Promise<void> {
  const { talk } = stage
  const [id, words, other] = [talk.context.id('asset'), story(talk, 40), story(talk, 40)]
  const added = await add(talk, 'asset.add', speechTexts({ [id]: words }))
  await tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const waiting = await queue(stage, old, words, { response: speechAsset(id) })
    const answer = { where: { '/type': { $in: ['asset.added', 'error'] } } }
    const answered = before({ event: talk.event(answer, talk.coming) }, { event: old.done })
    const spoken = talk.eventually(whole(words), waiting.at)
    const kept = all(spoken, talk.never(whole(other), waiting.at))
    talk.claim('snapshot.asset-contents', kept, waited(old, waiting, added, answered))
    const again = { type: 'asset.add', event_id: talk.context.id('asset-again'), ...speechTexts({ [id]: other }) }
    const frame = talk.send(again)
    await talk.hearRefusal(again.event_id, frame, [assetAdded], 'asset-again')
    const active = isActive(talk, old)
    await hearBoth(talk, old, waiting)
    return waiting.wasBusy() && active
  })
}

/** A request that would wait names an asset that is added only after it. */
export async function ignoreLaterAsset(stage: Stage): Promise<void> {
  const { talk, known } = stage
  await tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const [id, words] = [talk.context.id('asset'), story(talk, 40)]
    const early = await queue(stage, old, words, { response: speechAsset(id) })
    const added = talk.event(assetAdded, talk.coming)
    const inTime = before({ event: added }, { event: old.done })
    const unseen = talk.never(whole(words), early.at)
    talk.claim('snapshot.later-asset-not-seen', unseen, { given: [early.active, inTime], choice: true })
    await add(talk, 'asset.add', speechTexts({ [id]: words }))
    const active = isActive(talk, old)
    await outlast(talk, old.done.match, old.start?.frame ?? 0)
    await retrieve(talk, known)
    return early.wasBusy() && active
  })
}

interface Later {
  readonly row: Row
  /** Sent while a response waits, and confirmed by an event of the type. */
  readonly message: (stage: Stage, turn: () => string) => JsonObject
  readonly confirmation: string
}

/** Events that leave what waits alone. */
const later: readonly Later[] = [
  {
    row: 'snapshot.later-session-update-harmless',
    message: (_stage, turn) => ({ type: 'session.update', session: { active_avatar_id: turn() } }),
    confirmation: 'session.updated',
  },
  {
    row: 'snapshot.later-avatar-add-harmless',
    message: ({ talk }) => ({ type: 'avatar.add', avatars: [{ avatar_id: talk.context.id('avatar') }] }),
    confirmation: 'avatar.added',
  },
  {
    row: 'snapshot.later-asset-add-harmless',
    message: ({ talk }) => ({
      type: 'asset.add',
      ...speechTexts({ [talk.context.id('asset')]: 'Nobody speaks this.' }),
    }),
    confirmation: 'asset.added',
  },
]

export async function bearLaterEvents(stage: Stage): Promise<void> {
  const turn = takeTurns()
  for (const one of later) await bear(stage, one, turn)
}

function bear(stage: Stage, { row, message, confirmation }: Later, turn: () => string): Promise<void> {
  const { talk } = stage
  return tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const waiting = await queue(stage, old, story(talk, 40))
    const confirmed = before({ event: talk.event(event(confirmation), talk.coming) }, { event: old.done })
    const brought = talk.eventually(whole(waiting.words), waiting.at)
    talk.claim(row, brought, waited(old, waiting, confirmed))
    const id = talk.context.id('later')
    const settled = confirmation === 'session.updated' ? settledLater(talk, id, waiting) : undefined
    await talk.say({ ...message(stage, turn), event_id: id }, event(confirmation))
    const active = isActive(talk, old)
    await hearBoth(talk, old, waiting)
    if (settled !== undefined) await talk.hear(settled, 0)
    return waiting.wasBusy() && active
  })
}

/** An update that was applied beside responses has its terminal result at the latest when they are over. */
function settledLater(talk: Talk, id: string, waiting: Queued): Pattern {
  const done = event('session.update.done', { '/request_event_id': id })
  const updated = talk.eventually(event('session.updated', { '/event_id': id }), talk.coming)
  const over = { event: waiting.done }
  const settled = any(before({ event: talk.event(done, talk.coming) }, over), talk.eventually(done, over))
  const ended = before({ event: waiting.done }, talk.closed)
  talk.claim('session-update.accepted-yields-done', settled, { given: [updated, ended], choice: true })
  return done
}

/** What waits is out of band; a later request that is refused would be written. */
export async function keepResponseFields(stage: Stage): Promise<void> {
  const { talk, known } = stage
  await tryAgain(stage, async (length) => {
    const old = await speakLong(stage, length)
    const [words, other] = [story(talk, 40), story(talk, 40)]
    const waiting = await queue(stage, old, words, { response: speech(words, { conversation: 'none' }) })
    const second = speech(other, { conversation: 'auto', scheduling_policy: 'after_current_response' })
    const met = await meet(stage, old, second, (it) => {
      const own = all(talk.eventually(whole(words), waiting.at), talk.never(whole(other), it.at))
      talk.claim('snapshot.response-fields', own, waited(old, waiting, it.rejected))
    })
    await hearOutcome(talk, met)
    const begun = await outlast(talk, waiting.created.match, waiting.frame)
    const speaking = await listen(talk, { ...waiting, start: begun }, words)
    const { itemId = '' } = await finish(talk, speaking)
    await seek(talk, speaking.itemId ?? itemId, known, ({ nothing }) => {
      talk.claim('snapshot.response-fields', nothing, waited(old, waiting, met.rejected, waiting.runs))
    })
    await retrieve(talk, known)
    return met.wasBusy()
  })
}
