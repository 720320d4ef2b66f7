import type { Frame } from '../../src/client/types.ts'
import type { Condition } from '../../src/trace/claim.ts'
import { absent, all, before, equals, event, inEvent, value } from '../../src/trace/conditions.ts'
import { at, type JsonObject } from '../../src/trace/json.ts'
import { speech } from './bodies.ts'
import { created as itemCreated, holdsText, retrieve } from './items.ts'
import { type Asked, type Finished, finish, quiet, respond, start } from './responses.ts'
import type { Row } from './rows.ts'
import type { Talk } from './talk.ts'

const createdEvent = event('response.created')
const textDone = event('response.output_text.done')
const delta = event('response.output_text.delta')

/** A first speech, so that an opening that the service may play is over; then the session is idle. */
export async function warmUp(talk: Talk): Promise<void> {
  await respond(talk, speech('Good morning.'))
  await quiet(talk)
}

/** A speech that nothing disturbs, with all that may be said of it in `text_chat`. */
export async function speak(
  talk: Talk,
  text: string,
  extra: JsonObject = {},
  write?: (asked: Asked) => void,
): Promise<Finished> {
  const started = await start(talk, speech(text, extra), (asked) => {
    claimSpeech(talk, asked, text)
    write?.(asked)
  })
  claimOnce(talk, started, started.start?.data)
  return finish(talk, started)
}

/** The whole text came, as it was asked for. */
export function spokenExactly(talk: Talk, asked: Asked, text: string): Condition {
  const came = talk.eventually(textDone, { event: asked.created }, 4 * talk.patience)
  return all(came, equals(inEvent(asked.text, '/text'), value(text)))
}

function claimSpeech(talk: Talk, asked: Asked, text: string): void {
  const { created, done } = asked
  const exact = spokenExactly(talk, asked, text)
  talk.claim(['response-create.yields-created', 'script-speech.accepted'], asked.started)
  talk.claim('script-speech.text-done-exact', exact, { given: [asked.started] })
  const streamed = talk.eventually(delta, { event: created }, 4 * talk.patience)
  const inTime = before({ event: talk.event(delta, { event: created }) }, { event: done })
  talk.claim('script-speech.text-streamed', all(streamed, inTime), { given: [asked.started] })
  const completed = equals(inEvent(done, '/response/status'), value('completed'))
  talk.claim('script-speech.completes', completed, { given: [exact] })
  talk.claim('response-done.completed-text-whole', exact, { given: [completed], choice: true })
  claimOnlyScript(talk, asked, text)
}

/** Nothing comes of a script but its text. */
function claimOnlyScript(talk: Talk, { created, done }: Asked, text: string): void {
  const call = event('response.output_item.done', { '/item/type': 'function_call' })
  talk.claim('script.no-tool-calls', talk.never(call, { event: created }, { event: done }))
  const other = event('response.output_text.done', { '/text': { $not: text } })
  talk.claim('script.no-generated-text', talk.never(other, { event: created }, { event: done }))
  const assistant = equals(inEvent(done, '/response/output/0/role'), value('assistant'))
  talk.claim('script.one-item-for-text', all(assistant, equals(inEvent(done, '/response/output/1'), absent)))
  talk.claim('response-create.created-only-when-asked', talk.never(createdEvent, { event: done }, talk.after(1)))
}

/** One `response.create` starts one response, and tells so once. */
function claimOnce(talk: Talk, asked: Asked, data: Frame['data']): void {
  const id = at(data, '/response/id')
  const where = typeof id === 'string' ? { '/response/id': id } : { '/request_event_id': asked.id }
  const again = event('response.created', where)
  talk.claim('response-create.created-once', talk.never(again, { event: asked.created }))
  talk.claim('response-create.created-once', talk.never(createdEvent, { event: asked.created }, { event: asked.done }))
}

/** What was said is in the conversation, announced and word for word. */
export async function findSpoken(talk: Talk, spoken: Finished, text: string, rows: readonly Row[]): Promise<Condition> {
  const { itemId = '' } = spoken
  const { confirmed } = await retrieve(talk, itemId, (it) => {
    const given = { given: [spoken.started] }
    talk.claim([...rows, 'item-retrieve.generated-item'], it.confirmed, given)
    const assistant = equals(inEvent(it.answer, '/item/role'), value('assistant'))
    talk.claim(rows, assistant, { given: [it.confirmed] })
    talk.claim('script.written-text-exact', holdsText(it.answer, text, spoken.item), { given: [it.confirmed] })
    const announced = talk.eventually(event(itemCreated, { '/item/id': itemId }), spoken.at)
    talk.claim('item-created.for-generated-output', announced, { given: [it.confirmed] })
  })
  return confirmed
}
