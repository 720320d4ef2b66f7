import { readOnce } from '#judge/read-once'
import type { JsonObject } from '#trace/json'
import { objectAt, type SentEvent, textAt } from './sessions.ts'
import { speechTexts } from './assets.ts'

/** What a `response.create` asks for. */
export type Kind = 'model' | 'speech' | 'speech_asset' | 'audio' | 'visual' | 'unknown'

export type Policy = 'interrupt' | 'reject_if_busy' | 'after_current_response' | 'unknown'

/** A `response.create` as far as it decides what comes. */
export interface Request {
  readonly sent: SentEvent
  readonly kind: Kind
  /** One of these texts is spoken, exactly; undefined where nobody can say. */
  readonly texts: readonly string[] | undefined
  readonly policy: Policy
  /** Written to the conversation: `auto` or omitted, `none`, or undecided. */
  readonly conversation: 'auto' | 'none' | 'unknown'
  /** Whether `conversation` was given. */
  readonly names_conversation: boolean
  /** Names of the tools of its own; undefined where it has none of its own. */
  readonly tools: readonly string[] | undefined
  /** How long its rendering may stay silent, in milliseconds. */
  readonly silence_ms: number
}

/** Reads a `response.create`; each is read once. */
export const requestOf = readOnce(readRequest)

function readRequest(sent: SentEvent): Request {
  const response = objectAt(sent.event, 'response')
  const script = objectAt(response, 'script')
  const kind = Object.hasOwn(response, 'script') ? kindOf(script) : 'model'
  const texts = textsOf(sent, kind, objectAt(script, 'vocal'))
  const tools = response['tools']
  return {
    sent,
    kind,
    texts,
    policy: policyOf(response['scheduling_policy']),
    conversation: conversationOf(response['conversation']),
    names_conversation: response['conversation'] !== undefined,
    tools: Array.isArray(tools) ? tools.flatMap((tool) => nameOf(tool) ?? []) : undefined,
    silence_ms: silenceOf(kind, script, texts),
  }
}

function kindOf(script: JsonObject): Kind {
  if (script['vocal'] === undefined) return script['visual'] === undefined ? 'unknown' : 'visual'
  const type = textAt(objectAt(script, 'vocal'), 'type')
  if (type === 'speech' || type === 'speech_asset') return type
  return type === 'audio' || type === 'audio_asset' ? 'audio' : 'unknown'
}

function textsOf(sent: SentEvent, kind: Kind, vocal: JsonObject): readonly string[] | undefined {
  if (kind === 'speech') {
    const text = textAt(vocal, 'text')
    return text === undefined ? undefined : wellFormed(text)
  }
  if (kind === 'visual') return ['']
  const asset = textAt(vocal, 'speech_text_asset_id')
  return kind === 'speech_asset' && asset !== undefined ? speechTexts(sent, asset)?.flatMap(wellFormed) : undefined
}

/** Half of a surrogate pair is no text in Unicode: it may be spoken as U+FFFD. */
const wellFormed = (text: string): readonly string[] => (text.isWellFormed() ? [text] : [text, text.toWellFormed()])

function policyOf(value: unknown): Policy {
  if (value === undefined) return 'interrupt'
  return value === 'interrupt' || value === 'reject_if_busy' || value === 'after_current_response' ? value : 'unknown'
}

function conversationOf(value: unknown): Request['conversation'] {
  if (value === undefined || value === 'auto') return 'auto'
  return value === 'none' ? 'none' : 'unknown'
}

function nameOf(tool: unknown): string | undefined {
  const name = typeof tool === 'object' && tool !== null ? (tool as { readonly name?: unknown }).name : undefined
  return typeof name === 'string' ? name : undefined
}

/** Generous: a slow voice, every action twice its time, a recording of two minutes. */
function silenceOf(kind: Kind, script: JsonObject, texts: readonly string[] | undefined): number {
  const visual = objectAt(script, 'visual')
  const duration = typeof visual['duration_ms'] === 'number' ? Math.max(visual['duration_ms'], 0) : 5_000
  const actions = (textAt(visual, 'prompt') ?? '[SHOT_SEP]'.repeat(11)).split('[SHOT_SEP]').length
  const seen = script['visual'] === undefined ? 0 : actions * duration * 2
  const longest = Math.max(0, ...(texts ?? []).map((text) => text.length))
  const spoken = kind === 'visual' ? 0 : kind === 'speech' || kind === 'speech_asset' ? longest * 250 : 120_000
  return seen + spoken
}
