import { show } from '#judge/show'
import type { JsonObject } from '#trace/json'
import { agreesIfCut } from '../model/cut.ts'
import { itemOf, livesOf } from '../model/existence.ts'
import { type Ask, sameContent, textOfItem } from '../model/items.ts'
import type { Say } from '../model/say.ts'
import { objectsAt, type ReceivedEvent, type Session, textAt } from '../model/sessions.ts'
import type { AskedRow } from './asked-rows.ts'

/** An output item has the text with which it was finished. */
export function judgeGenerated(
  session: Session,
  ask: Ask,
  answer: ReceivedEvent,
  row: AskedRow | undefined,
  say: Say<AskedRow>,
): void {
  const life = livesOf(session).get(ask.item ?? '')
  const { finished, response } = life ?? {}
  if (row === undefined || response === undefined || finished === undefined) return
  if (finished.line > ask.sent.line) return
  const [told, kept] = [textAt(itemOf(finished), 'type'), textAt(itemOf(answer), 'type')]
  if (told !== undefined && kept !== undefined && told !== kept) {
    say.broken('item-retrieve.content', `the type ${show(told)}`, show(kept), finished, ask.sent, answer)
    return
  }
  say.held('item-retrieve.generated-item', ask.sent, answer)
  say.held(row, ask.sent, answer)
  const texts = response.origin.request?.texts
  const shown = textOfItem(itemOf(answer))
  const wanted = textOfItem(itemOf(finished))
  if (itemOf(answer)['type'] === 'function_call') judgeCall(finished, ask, answer, say)
  if (itemOf(answer)['type'] !== 'message') return
  judgeRole(finished, ask, answer, say)
  judgeImages(finished, ask, answer, say)
  const scripted = texts !== undefined && response.items.size === 1
  if (scripted) {
    say.judge(
      'script.written-text-exact',
      texts.includes(shown),
      () => show(texts[0]),
      () => show(shown),
      finished,
      answer,
    )
    return
  }
  const good = shown === wanted || agreesIfCut(response, wanted, shown)
  say.judge(
    'item-retrieve.content',
    good,
    () => show(wanted),
    () => show(shown),
    finished,
    answer,
  )
}

/** What the assistant said stays a message of the assistant. */
function judgeRole(finished: ReceivedEvent, ask: Ask, answer: ReceivedEvent, say: Say<AskedRow>): void {
  const [told, kept] = [textAt(itemOf(finished), 'role'), textAt(itemOf(answer), 'role')]
  if (told === undefined || kept === undefined || told === kept) return
  say.broken('item-retrieve.content', `the role ${show(told)}`, show(kept), finished, ask.sent, answer)
}

/** "Assistant messages `text`" (2.9): no image comes to what was said without one. */
function judgeImages(finished: ReceivedEvent, ask: Ask, answer: ReceivedEvent, say: Say<AskedRow>): void {
  const [told, kept] = [imagesIn(finished), imagesIn(answer)]
  if (told > 0 || kept === 0) return
  say.broken('item-retrieve.content', 'what was said alone', 'an image beside it', finished, ask.sent, answer)
}

function imagesIn(received: ReceivedEvent): number {
  return objectsAt(itemOf(received), 'content').filter((part) => part['type'] === 'input_image').length
}

/** A function call is kept as it was told; its `call_id` is optional (2.9). */
function judgeCall(finished: ReceivedEvent, ask: Ask, answer: ReceivedEvent, say: Say<AskedRow>): void {
  const [told, kept] = [itemOf(finished), itemOf(answer)]
  const fields = ['type', 'name', 'arguments', 'call_id'].filter((name) => {
    return textAt(told, name) !== undefined && (name !== 'call_id' || textAt(kept, name) !== undefined)
  })
  const good = sameContent(picked(told, fields), picked(kept, fields))
  say.judge(
    'item-retrieve.content',
    good,
    () => show(told),
    () => show(kept),
    finished,
    ask.sent,
    answer,
  )
}

function picked(item: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((name) => [name, item[name] ?? null]))
}
