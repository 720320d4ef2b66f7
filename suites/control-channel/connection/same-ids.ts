import { all, equals, event, inEvent, value } from '#trace/conditions'
import { add, speakAsset, speechTexts } from '../assets/additions.ts'
import { prose, speech, userMessage } from '../bodies.ts'
import { retrieve, retrieved } from '../items/items.ts'
import { writeItem } from '../items/write.ts'
import { refuse } from '../refusals.ts'
import { finish, start, whole } from '../responses/responses.ts'
import type { Talk } from '../talk.ts'
import { warmUp } from '../speech/speeches.ts'

/** Two sessions give an item the same id, and each finds its own. */
export async function keepItemsApart(one: Talk, other: Talk): Promise<void> {
  const id = one.context.id('namesake')
  const texts = [`The ${id} of the first session.`, `The ${id} of the second session.`] as const
  const first = await writeItem(one, userMessage(texts[0], { id }))
  const second = await writeItem(other, userMessage(texts[1], { id }))
  const made = [first, second].filter((written) => written.id === id)
  if (made.length < 2) return
  const options = { given: [first.confirmed, second.confirmed], choice: true }
  for (const [talk, own, foreign] of [
    [one, texts[0], texts[1]],
    [other, texts[1], texts[0]],
  ] as const) {
    const shown = event(retrieved, { '/item/content/0/text': foreign })
    talk.claim('isolation.items-not-shared', talk.never(shown, talk.coming), options)
    await retrieve(talk, id, (it) => {
      const content = equals(inEvent(it.answer, '/item/content/0/text'), value(own))
      talk.claim('item-retrieve.content', all(it.confirmed, content), options)
    })
  }
}

/** Two sessions give a speech text the same id, and each speaks its own. */
export async function keepTextsApart(one: Talk, other: Talk): Promise<void> {
  const id = one.context.id('namesake')
  const texts = ['This is the text of the first session.', 'And this is that of the second one.'] as const
  const first = await add(one, 'asset.add', speechTexts({ [id]: texts[0] }))
  const second = await add(other, 'asset.add', speechTexts({ [id]: texts[1] }))
  const options = { given: [first, second], choice: true }
  for (const [talk, own, foreign] of [
    [one, texts[0], texts[1]],
    [other, texts[1], texts[0]],
  ] as const) {
    talk.claim('isolation.assets-not-shared', talk.never(whole(foreign), talk.coming), options)
    await speakAsset(talk, id, own, { rows: ['script-speech-asset.added-asset-spoken'], options })
  }
}

/** An avatar that one session added is unknown to the other. */
export async function keepAvatarsApart(owner: Talk, stranger: Talk): Promise<void> {
  const [avatar, own] = [owner.context.id('avatar'), owner.context.id('avatar')]
  const added = await add(owner, 'avatar.add', { avatars: [{ avatar_id: avatar }] })
  const twin = await add(stranger, 'avatar.add', { avatars: [{ avatar_id: own }] })
  await refuse(stranger, {
    rows: ['session-update.unknown-avatar-rejected'],
    message: { type: 'session.update', session: { active_avatar_id: avatar } },
    confirmation: 'session.updated',
    given: [added, twin],
    choice: true,
  })
}

/** A session is idle, whoever else speaks. */
export async function speakBeside(speaker: Talk, idle: Talk): Promise<void> {
  await warmUp(idle)
  const long = await start(speaker, speech(prose(2_400)))
  const response = speech('This is another session.', { scheduling_policy: 'reject_if_busy' })
  const beside = await start(idle, response, ({ started }) => {
    idle.claim('scheduling.reject-if-busy-idle-starts', started)
  })
  await finish(idle, beside)
  await finish(speaker, long)
}
