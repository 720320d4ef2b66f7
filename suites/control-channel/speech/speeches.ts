import type { Frame } from '#client/types'
import type { Condition } from '#trace/claim'
import { absent, all, equals, event, inEvent, value } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { speech } from '../bodies.ts'
import { created as itemCreated, holdsText, retrieve, retrieved } from '../items/items.ts'
import { type Asked, type Finished, finish, quiet, respond, start } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import type { Talk } from '../talk.ts'

const createdEvent = event('response.created')

/** Time in which an opening may begin on a fresh connection, in milliseconds. */
const openingMs = 300

/** A first speech, so that an opening that the service may play is over; then the session is idle. Returns that it started. */
export async function warmUp(talk: Talk): Promise<Condition> {
  await talk.channel.watch(openingMs)
  await quiet(talk)
  const { started } = await respond(talk, speech('Good morning.'))
  await quiet(talk)
  return started
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
export function spokenExactly(talk: Talk, { created, text }: Asked, wanted: string): Condition {
  const came = talk.leads(['response.output_text.done', 'response.done'], { event: created })
  return all(came, equals(inEvent(text, '/text'), value(wanted)))
}

function claimSpeech(talk: Talk, asked: Asked, text: string): void {
  const { created, done, started } = asked
  const exact = spokenExactly(talk, asked, text)
  const given = { given: [started] }
  talk.claim(['response-create.yields-created', 'script-speech.accepted'], started)
  talk.claim('script-speech.text-done-exact', exact, given)
  const streamed = talk.leads(['response.output_text.delta', 'response.done'], { event: created })
  talk.claim('script-speech.text-streamed', streamed, given)
  const completed = equals(inEvent(done, '/response/status'), value('completed'))
  talk.claim('response-done.completed-text-whole', exact, { given: [completed], choice: true })
  talk.claim(
    'response-done.always',
    talk.inTime(event('response.done'), { event: created }, undefined, { within: talk.modelPatience }),
    given,
  )
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
  await hearAnnounced(talk, itemId)
  const { confirmed } = await retrieve(talk, itemId, (it) => {
    const given = { given: [spoken.started] }
    talk.claim([...rows, 'item-retrieve.generated-item'], it.confirmed, given)
    const assistant = equals(inEvent(it.answer, '/item/role'), value('assistant'))
    talk.claim(rows, assistant, { given: [it.confirmed] })
    talk.claim('script.written-text-exact', holdsText(it.answer, text, spoken.item), { given: [it.confirmed] })
    const announced = talk.leads([itemCreated, retrieved], spoken.at, { '/item/id': itemId })
    talk.claim('item-created.for-generated-output', announced, { given: [it.confirmed] })
  })
  return confirmed
}

/** Output that is written to the conversation is announced, before its response is done or after. */
export async function hearAnnounced(talk: Talk, itemId: string): Promise<void> {
  await talk.hear(event(itemCreated, { '/item/id': itemId }), 0, 'announced')
}
