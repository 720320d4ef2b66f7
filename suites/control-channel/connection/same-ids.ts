import { all, equals, event, inEvent, value } from '#trace/conditions'
import { add, speakAsset, speechTexts } from '../assets/additions.ts'
import { prose, speech, userMessage } from '../bodies.ts'
import { onlyIf } from '../expectation.ts'
import { remove, retrieve, retrieved } from '../items/items.ts'
import { writeItem } from '../items/write.ts'
import { refuse } from '../refusals.ts'
import { finish, start, whole } from '../responses/responses.ts'
import { rows } from '../rows.ts'
import { warmUp } from '../speech/speeches.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'

const itemRows = rows({
  isolation: 'items-not-shared',
  'item-retrieve': 'content',
  'item-create': 'user-text-accepted',
  'item-delete': 'others-kept',
})

/** Two sessions give an item the same id, and each finds its own. */
export const keepItemsApart = claiming({}, itemRows).step(async (one, other: Talk<(typeof itemRows)[number]>) => {
  const id = one.context.id('namesake')
  const texts = [`The ${id} of the first session.`, `The ${id} of the second session.`] as const
  const first = await writeItem(one, userMessage(texts[0], { id }))
  // Whoever takes an id of ours in one session takes it in another one.
  const accepted = first.id === id ? 'item-create.user-text-accepted' : []
  const second = await writeItem(other, userMessage(texts[1], { id }), { accepted, given: [first.confirmed] })
  if (first.id !== id || second.id !== id) return
  const both = [first.confirmed, second.confirmed]
  for (const [talk, own, foreign] of [
    [one, texts[0], texts[1]],
    [other, texts[1], texts[0]],
  ] as const) {
    const shown = event(retrieved, { '/item/content/0/text': foreign })
    talk.expect({ 'isolation.items-not-shared': onlyIf(both, talk.never(shown, talk.coming)) })
    await retrieve(talk, id, (it) => {
      const content = equals(inEvent(it.answer, '/item/content/0/text'), value(own))
      return { 'item-retrieve.content': onlyIf(both, all(it.confirmed, content)) }
    })
  }
  // What one session deletes is an item of its own.
  const { confirmed: deleted } = await remove(one, id)
  await retrieve(other, id, (it) => ({ 'item-delete.others-kept': onlyIf([...both, deleted], it.confirmed) }))
})

const textRows = rows({
  isolation: 'assets-not-shared',
  'script-speech-asset': 'added-asset-spoken',
  'asset-add': 'speech-text-accepted',
})

/** Two sessions give a speech text the same id, and each speaks its own. */
export const keepTextsApart = claiming({}, textRows).step(async (one, other: Talk<(typeof textRows)[number]>) => {
  const id = one.context.id('namesake')
  const texts = ['This is the text of the first session.', 'And this is that of the second one.'] as const
  const first = await add(one, 'asset.add', speechTexts({ [id]: texts[0] }))
  const offer = { accepted: 'asset-add.speech-text-accepted', given: [first] } as const
  const second = await add(other, 'asset.add', speechTexts({ [id]: texts[1] }), offer)
  await add(other, 'asset.add', speechTexts({ [one.context.id('text')]: 'This is a text of another name.' }))
  const both = [first, second]
  for (const [talk, own, foreign] of [
    [one, texts[0], texts[1]],
    [other, texts[1], texts[0]],
  ] as const) {
    talk.expect({ 'isolation.assets-not-shared': onlyIf(both, talk.never(whole(foreign), talk.coming)) })
    await speakAsset(talk, id, own, { spoken: 'script-speech-asset.added-asset-spoken', given: both, choice: true })
  }
})

const avatarRows = rows({ 'session-update': 'unknown-avatar-rejected', 'avatar-add': 'id-alone-accepted' })

/** An avatar that one session added is unknown to the other, which may add one of the same id. */
export const keepAvatarsApart = claiming({}, avatarRows).step(
  async (owner, other: Talk<(typeof avatarRows)[number]>) => {
    const [avatar, own] = [owner.context.id('avatar'), owner.context.id('avatar')]
    const added = await add(owner, 'avatar.add', { avatars: [{ avatar_id: avatar }] })
    const control = await add(other, 'avatar.add', { avatars: [{ avatar_id: own }] })
    await refuse(
      other,
      'session.update',
      { session: { active_avatar_id: avatar } },
      {
        rejected: 'session-update.unknown-avatar-rejected',
        given: [added, control],
        choice: true,
      },
    )
    await add(
      other,
      'avatar.add',
      { avatars: [{ avatar_id: avatar }] },
      {
        accepted: 'avatar-add.id-alone-accepted',
        given: [added, control],
      },
    )
    await add(other, 'avatar.add', { avatars: [{ avatar_id: owner.context.id('avatar') }] })
  },
)

const idleRows = rows({ scheduling: 'reject-if-busy-idle-starts' })

/** A session is idle, whoever else speaks; what it cancels is its own, which rules judge. */
export const speakBeside = claiming({}, idleRows).step(async (speaker, idle: Talk<(typeof idleRows)[number]>) => {
  await warmUp(idle)
  const long = await start(speaker, speech(prose(2_400)))
  const response = speech('This is another session.', { scheduling_policy: 'reject_if_busy' })
  const beside = await start(idle, response, ({ started }) => ({ 'scheduling.reject-if-busy-idle-starts': started }))
  await finish(idle, beside)
  const cut = await start(idle, speech(prose(600)))
  idle.send({ type: 'response.cancel', event_id: idle.context.id('cancel') })
  await finish(idle, cut)
  await finish(speaker, long)
})

const eventRows = rows({ 'session-update': 'accepted-yields-updated', 'session-updated': 'event-id-echoed' })

/** "Optional `event_id`" is the client's own (4.4): two sessions may number their events alike. */
export const numberAlike = claiming({}, eventRows).step(async (one, other: Talk<(typeof eventRows)[number]>) => {
  const event_id = one.context.id('alike')
  const message = { type: 'session.update', event_id, session: { mode: 'text_chat' } }
  const updated = event('session.updated', { '/event_id': event_id })
  const { confirmed } = await one.say(message, updated)
  await other.say(message, updated, (it) => {
    const any = other.inTime(event('session.updated'), it.at)
    return {
      'session-update.accepted-yields-updated': onlyIf([confirmed], any),
      'session-updated.event-id-echoed': onlyIf([confirmed, any], it.confirmed),
    }
  })
})
