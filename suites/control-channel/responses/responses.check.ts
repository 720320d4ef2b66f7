import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { guide, host, textChat, userMessage } from '../bodies.ts'
import { created as itemCreated, makeItem, retrieve, retrieved } from '../items/items.ts'
import { enter } from '../connection/knock.ts'
import { cancelSpeech } from './cancel.ts'
import { seenInSeveral, seenInSpeech } from './rows.ts'
import { type Asked, type Finished, quiet, respond } from './responses.ts'
import { type Row, rows } from '../rows.ts'
import { hearAnnounced, warmUp } from '../speech/speeches.ts'
import { type ClaimOptions, Talk } from '../talk.ts'
import { update } from '../updates/updates.ts'

/** Generated responses, and speeches that are cancelled, in `text_chat`. */
export const responses: Scenario = {
  id: 'control-channel.responses',
  proves: [
    ...rows(
      'item-retrieve.generated-item',
      'item-created.for-generated-output',
      'response-create.bare-accepted',
      'response-create.empty-response-accepted',
      'response-create.yields-created',
      'response-create.created-only-when-asked',
      'response-create.default-output-written',
      'response-cancel.active-ends',
      'response-cancel.active-cut-short',
      'response-cancel.status',
      'response-cancel.frees-session',
      'response-cancel.known-type',
      'response-done.final-statuses-told',
      'response-done.completed-text-whole',
      'output-item-done.on-cancelled',
      'output-item-done.cut-not-completed',
      'text-delta.for-model-output',
      'secret.valid-while-open',
    ),
    ...seenInSpeech,
    ...seenInSeveral,
  ],
  price: { requests: { primary: 2 }, sessions: { primary: 1 } },
  async drive(context) {
    const session = await context.create(textChat())
    const talk = new Talk(context, await context.connect(session))
    const known = await askNothing(talk, await warmUp(talk))
    await generate(talk, undefined, 'response-create.bare-accepted')
    await makeItem(talk, userMessage('Thank you. And how do you do?'))
    await generate(talk, {}, 'response-create.empty-response-accepted')
    await cancelSpeech(talk, known)
    await talk.leave()
    await update(await enter(context, session, ['secret.valid-while-open']), { active_avatar_id: host })
  },
}

/** A message of the user alone starts no response: with `manual` the client does. */
async function askNothing(talk: Talk, spoke: Condition): Promise<string> {
  await update(talk, { active_avatar_id: host })
  const { id = '' } = await makeItem(talk, userMessage('Hello! Please say hello in one short sentence.'), (it) => {
    const silent = talk.never(event('response.created'), it.at, talk.after(1))
    talk.claim('response-create.created-only-when-asked', silent, { given: [spoke, it.confirmed] })
  })
  await talk.channel.watch(Math.min(400, talk.patience))
  await update(talk, { active_avatar_id: guide })
  return id
}

/** A response of the model. What it says is its own affair; that it is streamed and written is not. */
async function generate(talk: Talk, response: JsonObject | undefined, row: Row): Promise<void> {
  const finished = await respond(talk, response, (asked) => {
    talk.claim([row, 'response-create.yields-created'], asked.started)
    const streamed = talk.leads(['response.output_text.delta', 'response.done'], { event: asked.created })
    talk.claim('text-delta.for-model-output', streamed, wrote(talk, asked))
    const ends = talk.inTime(event('response.done'), { event: asked.created }, undefined, {
      within: talk.modelPatience,
    })
    talk.claim('response-done.always', ends, { given: [asked.started] })
  })
  await quiet(talk)
  await findWritten(talk, finished)
}

/** A message with a text came of it; a model may choose otherwise. */
function wrote(talk: Talk, { created, done }: Asked): ClaimOptions {
  const message = event('response.output_item.done', {
    '/item/type': 'message',
    '/item/content/0/text': { $present: true, $not: '' },
  })
  return { given: [before({ event: talk.event(message, { event: created }) }, { event: done })], choice: true }
}

async function findWritten(talk: Talk, finished: Finished): Promise<void> {
  const { itemId = '' } = finished
  const options = wrote(talk, finished)
  if (finished.itemId !== undefined) await hearAnnounced(talk, itemId)
  await retrieve(talk, itemId, ({ confirmed }) => {
    talk.claim(['response-create.default-output-written', 'item-retrieve.generated-item'], confirmed, options)
    const announced = talk.leads([itemCreated, retrieved], finished.at, { '/item/id': itemId })
    const given = [...(options.given ?? []), confirmed]
    talk.claim('item-created.for-generated-output', announced, { given, choice: true })
  })
}
