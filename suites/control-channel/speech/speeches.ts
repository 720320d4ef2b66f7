import type { Condition } from '#trace/claim'
import { absent, all, equals, event, inEvent, value } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { speech } from '../bodies.ts'
import { type Expect, given, onlyIf } from '../expectation.ts'
import { created as itemCreated, holdsText, retrieve, retrieved } from '../items/items.ts'
import {
  type Asked,
  completed,
  type Finished,
  finish,
  outlast,
  quiet,
  respond,
  start,
  type Started,
} from '../responses/responses.ts'
import { type Row, rows } from '../rows.ts'
import type { Talk } from '../talk.ts'

const createdEvent = event('response.created')

/** Time in which an opening may begin on a fresh connection, in milliseconds. */
const openingMs = 300

/** A first speech, so that an opening that the service may play is over; then the session is idle. Returns that it started. */
export async function warmUp(talk: Talk): Promise<Condition> {
  await talk.channel.watch(openingMs)
  await quiet(talk)
  const text = 'Good morning, and here we go.'
  const finished = await respond(talk, speech(text))
  await hearOwn(talk, finished, text)
  await quiet(talk)
  return finished.started
}

/**
 * Waits for the end of a speech also where an opening began while it was asked for. Where what began first does not name
 * the request, only the text tells whose it is.
 */
export async function hearOwn(talk: Talk, { id, start: begun }: Started, text: string): Promise<void> {
  if (begun === undefined || at(begun.data, '/request_event_id') === id) return
  await outlast(talk, event('response.output_text.done', { '/text': text }), begun.frame)
}

/** What every speech is asked for that nothing disturbs. */
const everySpeech = rows({
  'response-create': 'yields-created created-once created-only-when-asked',
  'script-speech': 'accepted text-done-exact text-streamed',
  'response-done': 'completed-text-whole always',
  script: 'no-tool-calls no-generated-text one-item-for-text',
})

type SpeechRow = (typeof everySpeech)[number]

/** Characters of a text that every service speaks. The interface gives no bounds, so a longer one may be refused. */
const surelySpoken = 400

/** A speech that nothing disturbs, with all that may be said of it in `text_chat`. */
async function speakText<R extends Row = never>(
  talk: Talk<R | SpeechRow>,
  text: string,
  extra: JsonObject = {},
  expect?: Expect<R, Asked>,
): Promise<Finished> {
  const started = await start<R | SpeechRow>(talk, speech(text, extra), (asked) => {
    expectSpeech(talk, asked, text)
    return expect?.(asked) as ReturnType<Expect<R | SpeechRow, Asked>>
  })
  const id = at(started.start?.data, '/response/id')
  // One `response.create` starts one response, and tells so once.
  const again = event(
    'response.created',
    typeof id === 'string' ? { '/response/id': id } : { '/request_event_id': started.id },
  )
  const from = { event: started.created }
  talk.claim('response-create.created-once', talk.never(again, from))
  talk.claim('response-create.created-once', talk.never(createdEvent, from, { event: started.done }))
  return finish(talk, started)
}

export const speak = Object.assign(speakText, { rows: everySpeech })

/** The whole text came, as it was asked for. */
export function spokenExactly(talk: Talk, { created, text }: Asked, wanted: string): Condition {
  const received = talk.leads(['response.output_text.done', 'response.done'], { event: created })
  return all(received, equals(inEvent(text, '/text'), value(wanted)))
}

function expectSpeech(talk: Talk<SpeechRow>, asked: Asked, text: string): void {
  const { created, done, started } = asked
  const exact = spokenExactly(talk, asked, text)
  const [from, until] = [{ event: created }, { event: done }]
  const ended = talk.inTime(event('response.done'), from, undefined, { within: talk.modelPatience })
  const call = event('response.output_item.done', { '/item/type': 'function_call' })
  const other = event('response.output_text.done', { '/text': { $not: text } })
  const assistant = equals(inEvent(done, '/response/output/0/role'), value('assistant'))
  if (text.length <= surelySpoken)
    talk.expect({ 'response-create.yields-created': started, 'script-speech.accepted': started })
  talk.expect({
    'script-speech.text-done-exact': given(started, exact),
    'script-speech.text-streamed': given(started, talk.leads(['response.output_text.delta', 'response.done'], from)),
    'response-done.completed-text-whole': onlyIf([started, completed(asked)], exact),
    'response-done.always': given(started, ended),
    // Nothing comes of a script but its text.
    'script.no-tool-calls': talk.never(call, from, until),
    'script.no-generated-text': given(started, talk.never(other, from, until)),
    'script.one-item-for-text': given(started, all(assistant, equals(inEvent(done, '/response/output/1'), absent))),
    'response-create.created-only-when-asked': talk.never(createdEvent, until, talk.after(1)),
  })
}

/** What is asked of every speech that is looked up in the conversation. */
export const foundRows = rows({
  'item-retrieve': 'generated-item',
  script: 'written-text-exact',
  'item-created': 'for-generated-output',
})

/** What was said is in the conversation, announced and word for word. @param row that asks for it to be written */
export async function findSpoken<R extends Row>(
  talk: Talk<R | (typeof foundRows)[number]>,
  spoken: Finished,
  text: string,
  row: NoInfer<R>,
): Promise<Condition> {
  const { itemId = '' } = spoken
  await hearAnnounced(talk, itemId)
  const { confirmed } = await retrieve<R | (typeof foundRows)[number]>(talk, itemId, (it) => {
    const assistant = equals(inEvent(it.answer, '/item/role'), value('assistant'))
    const announced = talk.leads([itemCreated, retrieved], spoken.at, { '/item/id': itemId })
    // What failed may be kept as far as it came, or not at all.
    const whole = completed(spoken)
    const found = given([spoken.started, whole], it.confirmed)
    talk.claim(row, found.condition, found.terms)
    talk.claim(row, assistant, { given: [it.confirmed] })
    return {
      'item-retrieve.generated-item': found,
      'script.written-text-exact': given([it.confirmed, whole], holdsText(it.answer, text, spoken.item)),
      'item-created.for-generated-output': given([it.confirmed, whole], announced),
    }
  })
  return confirmed
}

/** Output that is written to the conversation is announced, before its response is done or after. */
export async function hearAnnounced(talk: Talk, itemId: string): Promise<void> {
  await talk.hear(event(itemCreated, { '/item/id': itemId }), 0, 'announced')
}
