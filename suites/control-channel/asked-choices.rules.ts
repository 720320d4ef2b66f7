import type { JsonObject } from '#trace/json'
import { causeOf } from './model/additions.ts'
import { assetsIn, assetsOf } from './model/assets.ts'
import { avatarsOf } from './model/avatars.ts'
import { existenceOf } from './model/existence.ts'
import { type Ask, itemsOf } from './model/items.ts'
import { responsesOf } from './model/responses.ts'
import { type Choice, ruleOf, type Say } from './model/say.ts'
import { placeAfter } from '#trace/first-place'
import {
  type ReceivedEvent,
  isDecided,
  objectAt,
  objectsAt,
  type SentEvent,
  type Session,
  sessionsOf,
  textAt,
} from './model/sessions.ts'
import { timelineOf } from './model/timeline.ts'
import { namesImmutable } from './model/updates.ts'
import { updatesOf } from './model/updates.ts'

/** What the target made of events that the interface leaves open. Never judged. */
export const askedChoices = ruleOf('asked-choices', [], (trace, say) => {
  for (const session of sessionsOf(trace)) {
    const outcomes = outcomesOf(session)
    for (const sent of session.sent) {
      if (!isDecided(sent)) continue
      const what = outcomes.get(sent) ?? 'no answer names it'
      for (const choice of choicesOf(sent)) say.saw(choice, what, sent)
    }
    for (const ask of itemsOf(session).asks) seeUnknown(session, ask, say)
    for (const connection of session.connections) seeFatal(connection.received.at(-1), say)
  }
})

/** What came of each event, as far as anything tells. */
function outcomesOf(session: Session): ReadonlyMap<SentEvent, string> {
  const outcomes = new Map<SentEvent, string>()
  const accept = (sent: SentEvent | undefined): void => void (sent !== undefined && outcomes.set(sent, 'accepted'))
  for (const { sent, updated } of updatesOf(session).updates) if (updated.length > 0) accept(sent)
  for (const { sent, answers } of itemsOf(session).asks) if (answers.length > 0) accept(sent)
  for (const { additions } of [assetsOf(session), avatarsOf(session)]) {
    for (const { sent, confirmed } of additions) if (confirmed !== undefined) accept(sent)
  }
  for (const { origin, created } of responsesOf(session)) if (created.length > 0) accept(origin.request?.sent)
  for (const received of session.received) {
    const [sent, ...others] = received.type === 'error' ? (session.byId.get(causeOf(received) ?? '') ?? []) : []
    if (sent !== undefined && others.length === 0) outcomes.set(sent, 'refused with an error')
  }
  return outcomes
}

function choicesOf(sent: SentEvent): readonly Choice[] {
  const { event } = sent
  const common: readonly (Choice | false)[] = [
    event['event_id'] !== undefined && typeof event['event_id'] !== 'string' && 'message.event-id-not-string',
    isRepeated(sent) && 'message.event-id-repeated',
  ]
  const type = sent.type ?? ''
  const own = (Object.hasOwn(readers, type) ? readers[type]?.(event, sent) : undefined) ?? []
  return [...common, ...own].filter((choice) => choice !== false)
}

function isRepeated({ id, line, connection }: SentEvent): boolean {
  return id !== undefined && connection.session.byId.get(id)?.some((other) => other.line < line) === true
}

type Reader = (event: JsonObject, sent: SentEvent) => readonly (Choice | false)[]

const readers: { readonly [type: string]: Reader } = {
  'session.update': readUpdate,
  'asset.add': readAssets,
  'avatar.add': readAvatars,
  'conversation.item.create': readItem,
  'response.create': readResponse,
  'response.cancel': (_, sent) => [!isBusy(sent) && 'response-cancel.idle'],
}

function readUpdate(event: JsonObject, sent: SentEvent): ReturnType<Reader> {
  const session = objectAt(event, 'session')
  const image = session['source_image_id']
  const mode = textAt(session, 'mode') ?? modeAt(sent)
  return [
    event['session'] === undefined && 'session-update.session-missing',
    event['session'] !== undefined && Object.keys(session).length === 0 && 'session-update.no-fields',
    namesImmutable(event) && 'session-update.immutable-fields',
    typeof image === 'string' && mode === 'text_chat' && 'session-update.image-in-text-chat',
    image === null && mode === 'video_avatar' && 'session-update.null-image-in-video',
    (session['active_avatar_id'] === null || session['mode'] === null) && 'session-update.avatar-null',
    isBusy(sent) && 'session-update.during-response',
  ]
}

/** The mode that is surely in effect when something is sent. */
function modeAt({ connection, line }: SentEvent): string | undefined {
  const [mode, ...others] = timelineOf(connection.session).modes(line - 1, line - 1)
  return others.length === 0 ? mode : undefined
}

function isBusy({ connection, line }: SentEvent): boolean {
  const { session } = connection
  const [begun, ended] = ['response.created', 'response.done'].map((type) => countBefore(session, type, line))
  return (begun ?? 0) > (ended ?? 0)
}

const lines = new WeakMap<Session, Map<string, readonly ReceivedEvent[]>>()

/** How many events of a type came before a line. */
function countBefore(session: Session, type: string, line: number): number {
  const known = lines.get(session) ?? new Map<string, readonly ReceivedEvent[]>()
  lines.set(session, known)
  const events = known.get(type) ?? session.received.filter((received) => received.type === type)
  known.set(type, events)
  return placeAfter(events, line)
}

function readAssets(event: JsonObject, { connection, line }: SentEvent): ReturnType<Reader> {
  const { byId, given } = assetsOf(connection.session)
  const members = assetsIn(objectAt(event, 'assets'))
  const holders = members
    .flatMap(({ id }) => byId.get(id) ?? [])
    .filter(({ addition }) => (addition?.sent.line ?? 0) < line)
  const existing =
    members.some(({ id }) => given.some((one) => one.id === id)) ||
    holders.some(({ addition }) => addition?.confirmed !== undefined)
  const formats = members.map(({ value }) => value['format'])
  return [
    existing && 'asset-add.existing-id',
    formats.some((format) => format !== undefined && format !== 'text' && format !== 'ssml') &&
      'asset-add.unknown-format',
  ]
}

function readAvatars(event: JsonObject, { connection, line }: SentEvent): ReturnType<Reader> {
  const { given, additions } = avatarsOf(connection.session)
  const added = additions.filter((one) => (one.confirmed?.line ?? Number.POSITIVE_INFINITY) < line)
  const known = [...given, ...added.flatMap(({ members }) => members)].map(({ id }) => id)
  const avatars = objectsAt(event, 'avatars')
  const tts = objectAt(connection.session.create?.body ?? {}, 'pipeline_config')['tts_config'] !== undefined
  return [
    avatars.some((avatar) => known.includes(textAt(avatar, 'avatar_id') ?? '')) && 'avatar-add.existing-id',
    tts && avatars.some(({ voice }) => voice !== undefined) && 'avatar-add.voice-beside-session-tts',
  ]
}

function readItem(event: JsonObject, { connection, line }: SentEvent): ReturnType<Reader> {
  const item = objectAt(event, 'item')
  const asks = itemsOf(connection.session).asks.filter(({ kind, sent }) => kind === 'create' && sent.line < line)
  const call = textAt(item, 'call_id')
  const calls = asks
    .map(({ sent }) => objectAt(sent.event, 'item'))
    .some((one) => one['type'] === 'function_call' && one['call_id'] === call)
  const content = item['content']
  return [
    asks.some((ask) => ask.item !== undefined && ask.item === item['id'] && ask.answers.length > 0) &&
      'item-create.duplicate-id',
    item['type'] === 'function_call_output' && call !== undefined && !calls && 'item-create.output-without-call',
    item['type'] === 'message' && Array.isArray(content) && content.length === 0 && 'item-create.empty-content',
  ]
}

function readResponse(event: JsonObject, sent: SentEvent): ReturnType<Reader> {
  const response = objectAt(event, 'response')
  const script = objectAt(response, 'script')
  const vocal = objectAt(script, 'vocal')
  const inText = modeAt(sent) === 'text_chat'
  const tokens = response['max_output_tokens']
  const duration = objectAt(script, 'visual')['duration_ms']
  const audio = vocal['type'] === 'audio' || vocal['type'] === 'audio_asset'
  const beside = ['input', 'instructions', 'tools', 'max_output_tokens'].some((name) => response[name] === null)
  return [
    typeof tokens === 'number' && tokens <= 0 && 'response-create.max-output-tokens-bounds',
    vocal['type'] === 'speech' && vocal['text'] === '' && 'script.empty-text',
    inText && audio && 'script.audio-in-text-chat',
    inText && script['visual'] !== undefined && 'script.visual-in-text-chat',
    typeof duration === 'number' && duration <= 0 && 'script.duration-bounds',
    response['script'] !== undefined && beside && 'script.null-beside',
  ]
}

function seeUnknown(session: Session, ask: Ask, say: Say): void {
  if (ask.kind === 'create' || existenceOf(session, ask) !== 'never') return
  const choice = ask.kind === 'retrieve' ? 'item-retrieve.unknown' : 'item-delete.unknown'
  const what =
    ask.refused === undefined
      ? ask.answers.length > 0
        ? 'confirmed'
        : 'silence, or an error without name'
      : 'an error'
  say.saw(choice, what, ask.sent)
}

/** An error is the last event of a connection that the target ended. */
function seeFatal(last: ReceivedEvent | undefined, say: Say): void {
  if (last?.type !== 'error' || last.connection.record.closed?.entry.by !== 'target') return
  const code = textAt(objectAt(last.event, 'error'), 'code') ?? textAt(objectAt(last.event, 'error'), 'type')
  say.saw('error.after-fatal', (code ?? 'no code').slice(0, 80), last)
}
