import type { Condition } from '#trace/claim'
import { event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { guide, host, textChat, userMessage } from '../bodies.ts'
import { given, onlyIf } from '../expectation.ts'
import { created as itemCreated, makeItem, retrieve, retrieved } from '../items/items.ts'
import { rows } from '../rows.ts'
import { hearAnnounced, warmUp } from '../speech/speeches.ts'
import { claiming, ofOneSession } from '../step.ts'
import { activate } from '../updates/updates.ts'
import { cancelOthers, cancelReply, cancelSpeech } from './cancel.ts'
import { asking, type Finished, quiet, respond, wrote } from './responses.ts'
import { seenInSeveral, seenInSpeech } from './rows.ts'

/** A message of the user alone starts no response: with `manual` the client does. */
const askNothing = claiming({ 'response-create': 'created-only-when-asked' }).step(
  async (talk, spoke: Condition): Promise<string> => {
    await activate(talk, host)
    const { id = '' } = await makeItem(talk, userMessage('Hello! Please say hello in one short sentence.'), (it) => {
      const silent = talk.never(event('response.created'), it.at, talk.after(1))
      return { 'response-create.created-only-when-asked': given([spoke, it.confirmed], silent) }
    })
    await talk.channel.watch(Math.min(400, talk.patience))
    await activate(talk, guide)
    return id
  },
)

const findWritten = claiming({
  'response-create': 'default-output-written',
  'item-retrieve': 'generated-item',
  'item-created': 'for-generated-output',
}).step(async (talk, finished: Finished) => {
  const { itemId = '' } = finished
  const written = wrote(talk, finished)
  if (finished.itemId !== undefined) await hearAnnounced(talk, itemId)
  await retrieve(talk, itemId, ({ confirmed }) => {
    const announced = talk.leads([itemCreated, retrieved], finished.at, { '/item/id': itemId })
    return {
      'response-create.default-output-written': onlyIf(written, confirmed),
      'item-retrieve.generated-item': onlyIf(written, confirmed),
      'item-created.for-generated-output': onlyIf([written, confirmed], announced),
    }
  })
})

/** A response of the model. What it says is its own affair; that it is streamed and written is not. */
const generate = claiming(
  {
    'response-create': 'bare-accepted empty-response-accepted yields-created',
    'text-delta': 'for-model-output',
    'response-done': 'always',
  },
  findWritten,
).step(async (talk, response: JsonObject | undefined) => {
  const finished = await respond(talk, response, (asked) => {
    const [from, { started }] = [{ event: asked.created }, asked]
    const streamed = talk.leads(['response.output_text.delta', 'response.done'], from)
    const ends = talk.inTime(event('response.done'), from, undefined, { within: talk.modelPatience })
    return {
      'response-create.bare-accepted': response === undefined ? started : undefined,
      'response-create.empty-response-accepted': response === undefined ? undefined : started,
      'response-create.yields-created': started,
      'text-delta.for-model-output': onlyIf(wrote(talk, asked), streamed),
      'response-done.always': given(started, ends),
    }
  })
  await quiet(talk)
  await findWritten(talk, finished)
})

/** Generated responses, and some that are cancelled, in `text_chat`. */
export const responses = ofOneSession({
  id: 'control-channel.responses',
  claims: rows({ secret: 'valid-while-open' }),
  steps: [askNothing, generate, cancelSpeech, cancelReply, cancelOthers, asking],
  observes: [...seenInSpeech, ...seenInSeveral],
  price: { requests: { primary: 2 }, sessions: { primary: 1 }, waits: 1 },
  make: (context) => context.create(textChat()),
  async speak(scene, session) {
    const talk = await scene.connect(session)
    const known = await askNothing(talk, await warmUp(talk))
    await generate(talk, undefined)
    await makeItem(talk, userMessage('Thank you. And how do you do?'))
    await generate(talk, {})
    const cut = await cancelSpeech(talk, known)
    await cancelReply(talk, known)
    await cancelOthers(talk, known, cut)
    await talk.leave()
    await activate(await scene.expectAdmitted(session, ['secret.valid-while-open']), host)
  },
})
