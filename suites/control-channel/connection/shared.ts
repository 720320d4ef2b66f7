import type { Condition } from '#trace/claim'
import { any, before, event } from '#trace/conditions'
import { type JsonObject, textAt } from '#trace/json'
import { add, speakAsset, speechTexts } from '../assets/additions.ts'
import { prose, speech, userMessage } from '../bodies.ts'
import { forRows, onlyIf } from '../expectation.ts'
import { makeItem, retrieve, retrieved } from '../items/items.ts'
import { cutGraceMs } from '../model/cut.ts'
import { doneOf, eventOf } from '../responses/busy.ts'
import { finish, quiet, start, whole } from '../responses/responses.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { beside } from './leaving.ts'

/**
 * What one connection registers, the other one may name. Which connection is told what comes of a request is not said: one
 * that is told nothing of a response of its own shows nothing here. @param told that it is
 */
export const shareAssets = claiming({ connections: 'state-shared' }).step(
  async (reader, writer: Talk, told: Condition | undefined) => {
    const [id, text] = [reader.context.id('shared'), 'This was registered over there.']
    const added = await add(writer, 'asset.add', speechTexts({ [id]: text }))
    const both = beside(writer, reader.coming)
    const given = [added, ...(told === undefined ? [] : [told]), ...both]
    await speakAsset(reader, id, text, { spoken: 'connections.state-shared', given, choice: true })
    await quiet(writer)
  },
)

/** A session has one active response (4.4): either connection cuts short what the other one asked for. */
export const cutShort = claiming({
  'response-cancel': 'active-cut-short',
  scheduling: 'interrupt-cancels-active',
}).step(async (asker, by: Talk) => {
  const { id: known = '' } = await makeItem(asker, userMessage('Please go on.'))
  const cuts: readonly (readonly [CutRow, JsonObject])[] = [
    ['response-cancel.active-cut-short', { type: 'response.cancel' }],
    ['scheduling.interrupt-cancels-active', { type: 'response.create', response: speech('Excuse me.') }],
  ]
  for (const [row, message] of cuts) {
    const text = prose(9_600)
    const asked = await start(asker, speech(text))
    if (asked.start === undefined) return
    const id = textAt(asked.start.data ?? {}, '/response/id')
    await asker.hear(event('response.output_text.delta'), asked.start.frame)
    const cut = by.coming
    const done = asker.event(doneOf(id), { event: asked.created })
    const heard = asker.event(event(retrieved, { '/item/id': known }), cut)
    const late = asker.event(eventOf('response.output_text.delta', id), { event: heard, plus_ms: cutGraceMs })
    const active = asker.never(doneOf(id), { event: asked.created }, cut)
    const short = asker.never(whole(text), asked.at, { event: done })
    const inTime = [active, any(short, before({ event: late }, { event: done }))]
    asker.expect(forRows(row, onlyIf([...inTime, ...beside(asker, cut)], short)))
    by.send({ ...message, event_id: by.context.id('cut') })
    await retrieve(by, known)
    await retrieve(asker, known)
    await finish(asker, asked)
    await quiet(by)
    await quiet(asker)
  }
})

type CutRow = 'response-cancel.active-cut-short' | 'scheduling.interrupt-cancels-active'
