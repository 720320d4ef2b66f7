import { responseFailed, responseIncomplete } from '#judge/conditions/own-failure'
import { show } from '#judge/show'
import { assetsOf, holdersOf } from '../model/assets.ts'
import { cutsOf, isUndisturbed, wasDeletedMeanwhile } from '../model/disturbance.ts'
import { finalText, responsesOf, spokenText, squeezed } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { interruptionOf, isInterrupting } from '../model/interruption.ts'
import { ruleOf, type Say } from '../model/say.ts'
import type { Request } from '../model/script.ts'
import { type ReceivedEvent, isDecided, objectAt, objectsAt, sessionsOf, textAt } from '../model/sessions.ts'
import { timelineOf } from '../model/timeline.ts'
import { isAsker } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({
  script: 'no-generated-text one-item-for-text',
  'script-speech': 'text-done-exact unusual-text-exact completes',
  'script-speech-asset': 'added-asset-spoken create-time-asset-spoken right-asset-spoken',
  'asset-add': 'existing-content-kept create-time-content-kept',
  'response-done': 'completed-text-whole final-statuses-told',
  scheduling: 'interrupted-status interrupt-new-completes after-current-brings-own-text',
})

type Own = (typeof proves)[number]

/** A scripted text is spoken as it is (4.4): exactly that text, the whole of it where the response completes. */
export const scripts = ruleOf('scripts', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    for (const response of responsesOf(session)) {
      const { candidates, unasked } = response.origin
      const [done] = response.done
      if (unasked || response.guessed || !isAsker(response) || done === undefined || !isDecided(done)) continue
      const texts = candidates.flatMap(({ texts: each }) => each ?? [])
      if (candidates.every((one) => one.texts !== undefined)) judge(response, done, texts, say)
    }
  }
  // Two workspaces may lie on two deployments.
  for (const sessions of Map.groupBy(sessionsOf(trace), ({ create }) => create?.key).values())
    judgeFailing(sessions.flatMap(responsesOf), say)
})

/** So many that fail in the moment in which they are interrupted, and none that ends otherwise, are no accidents. */
const noAccidents = 3

/** Whoever is interrupted is cancelled (4.4), and has not failed: once it may have done so by itself. */
function judgeFailing(responses: readonly Response[], say: Say<Own>): void {
  const cut = responses.filter((one) => isInterrupted(one) && isAsker(one) && isCutScript(one))
  const failed = cut.filter((one) => statusOf(one) === 'failed')
  if (failed.length < noAccidents || failed.length < cut.length) return
  const ends = failed.flatMap(({ done }) => done.slice(0, 1)).slice(0, noAccidents)
  say.broken('scheduling.interrupted-status', 'cancelled or incomplete', 'failed, each time', ...ends)
}

/** Where what is left at last failed as well, all may have failed by themselves (2.10): the service may be out of order. */
function isInterrupted(response: Response): boolean {
  let last = response
  for (let by = interruptionOf(last)?.by; by !== undefined; by = interruptionOf(last)?.by) last = by
  return last !== response && statusOf(last) !== 'failed'
}

function isCutScript(response: Response): boolean {
  const [done] = response.done
  const texts = response.origin.request?.texts ?? []
  if (response.guessed || done === undefined || !isDecided(done) || fits(response, texts)) return false
  return texts.some((text) => text.startsWith(spokenText(response)))
}

const statusOf = ({ done: [done] }: Response): string | undefined =>
  textAt(objectAt(done?.event ?? {}, 'response'), 'status')

function judge(response: Response, done: ReceivedEvent, texts: readonly string[], say: Say<Own>): void {
  const { request, candidates } = response.origin
  const asked = request ?? candidates[0]
  if (asked === undefined) return
  const visual = (request === undefined ? candidates : [request]).map(({ kind }) => kind === 'visual')
  const spoken = spokenText(response)
  const status = statusOf(response)
  if (visual.every((one) => one)) {
    say.judge('script.no-generated-text', spoken === '', 'no text', () => show(spoken), asked.sent, done)
    return
  }
  if (visual.includes(true)) return
  say.open('response-done.final-statuses-told', 'no scripted text was cut short', done)
  judgeItems(response, asked, texts, done, say)
  const whole = fits(response, texts)
  // Blanks alone need not be spoken.
  if (!whole && squeezed(spoken) === '' && texts.some((text) => squeezed(text) === '')) return
  const cut = !whole && texts.some((text) => begins(response, text))
  if (whole) {
    praise(response, asked, done, status, say)
    return
  }
  if (cut) judgeCut(response, asked, done, status, texts, say)
  else say.broken(...blame(asked, spoken), show(texts[0]), show(spoken), asked.sent, ...textOf(response), done)
}

/** Said at once or, by several messages, in pieces that may be trimmed. */
function fits(response: Response, texts: readonly string[]): boolean {
  const spoken = spokenText(response)
  return texts.some((text) => text === spoken || (isInPieces(response) && squeezed(text) === squeezed(spoken)))
}

/** The same of what was cut short. */
function begins(response: Response, text: string): boolean {
  const spoken = spokenText(response)
  return text.startsWith(spoken) || (isInPieces(response) && squeezed(text).startsWith(squeezed(spoken)))
}

const isInPieces = ({ items }: Response): boolean =>
  [...items.values()].filter((item) => finalText(item) !== '').length > 1

function textOf(response: Response): readonly ReceivedEvent[] {
  return [...response.items.values()].flatMap(({ text_done }) => text_done.slice(0, 1))
}

/** "A scripted speech is written as an assistant message": one, and nothing generated beside it. */
function judgeItems(
  response: Response,
  asked: Request,
  texts: readonly string[],
  done: ReceivedEvent,
  say: Say<Own>,
): void {
  const spoken = [...response.items.values()].filter((item) => item.texts.length > 0)
  const messages = objectsAt(objectAt(done.event, 'response'), 'output').filter((item) => item['type'] === 'message')
  if (spoken.length === 0) return
  say.judge(
    'script.one-item-for-text',
    messages.length < 2,
    'one message',
    () => `${messages.length}`,
    asked.sent,
    done,
  )
  const [main] = spoken
  const generated = spoken.length > 1 && main !== undefined && texts.includes(finalText(main))
  const more = spoken.slice(1).map(finalText).join('')
  say.judge(
    'script.no-generated-text',
    !generated || more === '',
    'no text beside the script',
    () => show(more),
    asked.sent,
    done,
  )
}

function praise(
  response: Response,
  asked: Request,
  done: ReceivedEvent,
  status: string | undefined,
  say: Say<Own>,
): void {
  const places = [asked.sent, ...textOf(response), done]
  if (response.origin.request === undefined) return
  if (asked.kind === 'speech') {
    say.held('script-speech.text-done-exact', ...places)
    if (isUnusual(spokenText(response))) say.held('script-speech.unusual-text-exact', ...places)
  } else praiseAsset(response, asked, places, say)
  if (status === 'completed') {
    say.held('response-done.completed-text-whole', ...places)
    for (const row of startRows(response)) say.held(row, ...places)
  }
  if (!isUndisturbed(response) || spokenText(response) === '') return
  const timeline = timelineOf(done.connection.session)
  const inText = !timeline.modes(asked.sent.line, done.line).has('video_avatar')
  if (inText || !(status !== undefined && status in accidents)) judgeEnd(status, places, say)
}

/** A response may end so (2.10), whatever came of it before: in video its voice may stop when its text is out. */
const accidents: { readonly [status: string]: string } = { failed: responseFailed, incomplete: responseIncomplete }

function judgeEnd(status: string | undefined, places: readonly ReceivedEvent[], say: Say<Own>): void {
  const accident = status === undefined ? undefined : accidents[status]
  if (status === 'completed') say.held('script-speech.completes', ...places)
  else say.brokenUnless(accident, 'script-speech.completes', 'completed', show(status), ...places)
}

function praiseAsset(response: Response, asked: Request, places: readonly ReceivedEvent[], say: Say<Own>): void {
  const { session } = response.connection
  const id = assetIdOf(asked)
  const holders = holdersOf(session, id, asked.sent.line)
  const [holder] = holders
  if (holder === undefined || holders.length > 1) return
  const added = holder.addition !== undefined
  say.held(added ? 'script-speech-asset.added-asset-spoken' : 'script-speech-asset.create-time-asset-spoken', ...places)
  const others = [...assetsOf(session).byId].some(
    ([other, [claim]]) => other !== id && claim?.member.kind === 'speech_text',
  )
  if (others) say.held('script-speech-asset.right-asset-spoken', ...places)
  const again = (assetsOf(session).byId.get(id) ?? []).filter(
    ({ addition }) => addition !== undefined && addition.sent.line < asked.sent.line,
  )
  if (again.length > (added ? 1 : 0))
    say.held(added ? 'asset-add.existing-content-kept' : 'asset-add.create-time-content-kept', ...places)
}

function assetIdOf({ sent }: Request): string {
  const vocal = objectAt(objectAt(objectAt(sent.event, 'response'), 'script'), 'vocal')
  return textAt(vocal, 'speech_text_asset_id') ?? ''
}

/** Line breaks, spaces at the ends, quotes and characters beyond ASCII. */
function isUnusual(text: string): boolean {
  return /[\n"'\\]|[^\x20-\x7e]|^\s|\s$|\s{2}/.test(text)
}

/** Another text than that of the script. */
function blame(asked: Request, spoken: string): readonly [Own] {
  if (asked.kind === 'speech') {
    return [isUnusual(asked.texts?.[0] ?? '') ? 'script-speech.unusual-text-exact' : 'script-speech.text-done-exact']
  }
  const { session } = asked.sent.connection
  const id = assetIdOf(asked)
  const [holder] = holdersOf(session, id, asked.sent.line)
  const added = holder?.addition !== undefined
  const { byId } = assetsOf(session)
  const again = (byId.get(id) ?? []).some(({ member }) => textAt(member.value, 'text') === spoken)
  if (again) return [added ? 'asset-add.existing-content-kept' : 'asset-add.create-time-content-kept']
  const other = [...byId.values()].flat().some(({ member }) => textAt(member.value, 'text') === spoken)
  if (other) return ['script-speech-asset.right-asset-spoken']
  return [added ? 'script-speech-asset.added-asset-spoken' : 'script-speech-asset.create-time-asset-spoken']
}

/** The start of the text only: such a response did not complete, whatever cut it. */
function judgeCut(
  response: Response,
  asked: Request,
  done: ReceivedEvent,
  status: string | undefined,
  texts: readonly string[],
  say: Say<Own>,
): void {
  const cuts = cutsOf(response)
  const row = cuts.length > 0 ? 'response-done.final-statuses-told' : 'response-done.completed-text-whole'
  const good = status !== 'completed'
  if (good && cuts.length === 0) return
  if ([...response.items.keys()].some((id) => wasDeletedMeanwhile(response, id))) return
  const also: readonly Own[] = cuts.length === 0 ? startRows(response) : interruptedRows(response)
  const said = `${show(texts[0])} or another status`
  for (const one of also) say.judge(one, good, said, () => show(spokenText(response)), asked.sent, done)
  say.judge(
    row,
    good,
    said,
    () => `completed with ${show(spokenText(response))}`,
    asked.sent,
    ...cuts.slice(0, 1),
    done,
  )
}

const interruptedRows = (response: Response): readonly Own[] =>
  interruptionOf(response) === undefined || statusOf(response) === 'failed' ? [] : ['scheduling.interrupted-status']

/** What brings a text of its own: in the place of another response, or after it. */
function startRows(response: Response): readonly Own[] {
  if (isInterrupting(response)) return ['scheduling.interrupt-new-completes']
  return hasWaited(response) ? ['scheduling.after-current-brings-own-text'] : []
}

/** Another response ended between the request and the start. */
export function hasWaited({ connection, origin, created }: Response): boolean {
  const { request } = origin
  const start = created[0]?.line ?? 0
  if (request?.policy !== 'after_current_response') return false
  return connection.received.some(
    ({ type, line }) => type === 'response.done' && line > request.sent.line && line < start,
  )
}
