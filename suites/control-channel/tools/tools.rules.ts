import { show } from '#judge/show'
import { type JsonObject, parsed } from '#trace/json'
import { conversationOf, responsesOf } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { type ReceivedEvent, objectAt, objectsAt, type Session, sessionsOf, textAt } from '../model/sessions.ts'
import { requestOf } from '../model/script.ts'
import { rows } from '../rows.ts'

const proves = rows({
  script: 'no-tool-calls',
  render: 'not-for-tool-calls',
  'output-item-done': 'function-call-arguments function-call-call-id function-call-name-offered',
  item: 'function-call-arguments-json',
  'response-create': 'tools-override tools-empty-override tools-this-response-only',
})

type Own = (typeof proves)[number]

/** Function calls that a response puts out (2.9, 4.4, 6.2). */
export const tools = ruleOf('tools', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    for (const response of responsesOf(session)) {
      const calls = callsOf(response)
      for (const { item, received } of calls) judgeCall(response, item, received, say)
      const [first] = calls
      judgeScript(response, first?.received, say)
      if (first !== undefined) judgeRendering(response, first.received, say)
    }
  }
})

interface Call {
  readonly item: JsonObject
  readonly received: ReceivedEvent
}

function callsOf(response: Response): readonly Call[] {
  return [...response.items.values()].flatMap(({ item_done }) => {
    const [received] = item_done
    const item = received === undefined ? {} : objectAt(received.event, 'item')
    return received !== undefined && item['type'] === 'function_call' ? [{ item, received }] : []
  })
}

/** "Direct rendering; no model reply generation or tool calling." */
function judgeScript(response: Response, call: ReceivedEvent | undefined, say: Say<Own>): void {
  const { candidates, unasked } = response.origin
  const scripted =
    candidates.length > 0 && !unasked && candidates.every(({ kind }) => kind !== 'model' && kind !== 'unknown')
  const [done] = response.done
  if (!scripted) return
  const output = objectsAt(objectAt(done?.event ?? {}, 'response'), 'output')
  const shown = output.find(({ type }) => type === 'function_call')
  if (call !== undefined) say.broken('script.no-tool-calls', 'no function call', show(call.event['item']), call)
  else if (done !== undefined && shown !== undefined)
    say.broken('script.no-tool-calls', 'no function call', show(shown), done)
  else if (done !== undefined) say.held('script.no-tool-calls', done)
}

/** "Responses that do not render (for example tool-call-only) go directly to `response.done`." */
function judgeRendering(response: Response, call: ReceivedEvent, say: Say<Own>): void {
  const [done] = response.done
  const output = done === undefined ? [] : objectsAt(objectAt(done.event, 'response'), 'output')
  const only = output.length > 0 && output.every((item) => item['type'] === 'function_call')
  const texts = [...response.items.values()].some((item) => item.texts.length > 0)
  if (done === undefined || !only || texts) return
  const [started] = response.started
  say.judge(
    'render.not-for-tool-calls',
    started === undefined,
    'no rendering',
    'response.render.started',
    call,
    started ?? done,
  )
}

function judgeCall(response: Response, item: JsonObject, received: ReceivedEvent, say: Say<Own>): void {
  const whole = item['status'] !== 'incomplete' && item['status'] !== 'in_progress'
  const done = response.done[0]
  const completed = done !== undefined && objectAt(done.event, 'response')['status'] === 'completed'
  if (whole && completed) {
    const encoded = textAt(item, 'arguments')
    if (encoded !== undefined) {
      say.judge(
        'output-item-done.function-call-arguments',
        parsed(encoded) !== undefined,
        'JSON in a string',
        () => show(encoded),
        received,
      )
    }
    for (const shown of objectsAt(objectAt(done.event, 'response'), 'output')) judgeShown(shown, done, say)
  }
  say.judge(
    'output-item-done.function-call-call-id',
    (textAt(item, 'call_id') ?? '') !== '',
    'a call_id',
    () => show(item['call_id']),
    received,
  )
  judgeName(response, textAt(item, 'name'), received, say)
}

function judgeShown(item: JsonObject, done: ReceivedEvent, say: Say<Own>): void {
  const encoded = textAt(item, 'arguments')
  if (item['type'] !== 'function_call' || encoded === undefined) return
  say.judge(
    'item.function-call-arguments-json',
    parsed(encoded) !== undefined,
    'JSON in a string',
    () => show(encoded),
    done,
  )
}

/** A response calls what it offers: its own tools where it names any, else those of the session. */
function judgeName(response: Response, name: string | undefined, received: ReceivedEvent, say: Say<Own>): void {
  const { session } = response.connection
  const { request, by_itself } = response.origin
  if (name === undefined || session.create === undefined || (request === undefined && by_itself !== 'answer')) return
  const ofSession = namesIn(conversationOf(session))
  const own = request?.tools
  const asked = request?.sent ?? received
  if ((own ?? ofSession).includes(name)) {
    say.held('output-item-done.function-call-name-offered', asked, received)
    const narrowed = own !== undefined && ofSession.some((one) => !own.includes(one))
    if (narrowed) say.held('response-create.tools-override', asked, received)
    return
  }
  const expected = `one of ${show(own ?? ofSession)}`
  if (own !== undefined && ofSession.includes(name)) {
    const row = own.length === 0 ? 'response-create.tools-empty-override' : 'response-create.tools-override'
    say.broken(row, expected, show(name), asked, received)
  } else if (own === undefined && usedBefore(session, name, asked.line)) {
    say.broken('response-create.tools-this-response-only', expected, show(name), asked, received)
  } else say.broken('output-item-done.function-call-name-offered', expected, show(name), asked, received)
}

function namesIn(conversation: JsonObject): readonly string[] {
  return objectsAt(conversation, 'tools').flatMap((tool) => textAt(tool, 'name') ?? [])
}

function usedBefore(session: Session, name: string, line: number): boolean {
  return session.sent.some(
    (sent) => sent.line < line && sent.type === 'response.create' && requestOf(sent).tools?.includes(name) === true,
  )
}
