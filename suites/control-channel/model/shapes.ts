import type { Report } from '#judge/rule'
import type { ShapeRows } from '#judge/shape-rule'
import type { ServerEventType } from '#spec/tables'
import { type Json, type JsonObject, own } from '#trace/json'
import type { Row } from '../rows.ts'

/** Which row speaks about which places of an event (6.2), its items aside. */
export interface EventPlaces {
  readonly rows: { readonly [row in Row]?: readonly string[] }
  /** What no place covers. */
  readonly otherwise: Row
}

const itemId = (row: Row): EventPlaces['rows'] => ({ [row]: ['/item_id'] })

/** Places of events whose items are judged by {@link itemPlaces}. */
export const eventPlaces: { readonly [type in ServerEventType]: EventPlaces } = {
  error: {
    rows: {
      'error.message-string': ['/error/message'],
      'error.type-string': ['/error/type'],
      'error.code-string': ['/error/code'],
      'error.event-id-string': ['/error/event_id'],
    },
    otherwise: 'error.error-object',
  },
  'session.closed': {
    rows: { 'session-closed.reason-string': ['/reason'] },
    otherwise: 'session-closed.session-id',
  },
  'session.updated': {
    rows: {
      'session-updated.mode-in-set': ['/session/mode'],
      'session-updated.active-avatar-id-string': ['/session/active_avatar_id'],
      'session-updated.source-image-id-string-or-null': ['/session/source_image_id'],
      'session-updated.media-transport-string': ['/media_transport'],
      'session-updated.media-object': ['/media'],
    },
    otherwise: 'session-updated.session-object',
  },
  'session.update.done': {
    rows: {
      'session-update-done.status-in-set': ['/status'],
      'session-update-done.reason-string': ['/reason'],
    },
    otherwise: 'session-update-done.request-event-id',
  },
  'session.bootstrap.opening.done': {
    rows: { 'opening-done.reason-string': ['/reason'] },
    otherwise: 'opening-done.status-in-set',
  },
  'asset.added': {
    rows: {
      'asset-added.images-array': ['/assets/images'],
      'asset-added.audio-array': ['/assets/audio'],
      'asset-added.speech-text-array': ['/assets/speech_text'],
      'asset-added.visual-prompts-array': ['/assets/visual_prompts'],
      'asset-added.content-agrees': ['/assets/*/*'],
      'asset-added.lists-every-asset': ['/assets/*/*/asset_id'],
    },
    otherwise: 'asset-added.assets-object',
  },
  'avatar.added': {
    rows: {
      'avatar-added.avatar-id-string': ['/avatars/*', '/avatars/*/avatar_id'],
      'avatar-added.instructions-effective': ['/avatars/*/instructions'],
      'avatar-added.voice-effective': ['/avatars/*/voice'],
      'avatar-added.visual-effective': ['/avatars/*/visual'],
    },
    otherwise: 'avatar-added.avatars-array',
  },
  'conversation.item.created': {
    rows: { 'item-created.previous-item-id-nullable': ['/previous_item_id'] },
    otherwise: 'item-created.item-object',
  },
  'conversation.item.retrieved': { rows: {}, otherwise: 'item-retrieved.item-object' },
  'conversation.item.deleted': { rows: {}, otherwise: 'item-deleted.item-id' },
  'input_audio.speech_started': {
    rows: { 'speech-started.audio-start-integer': ['/audio_start_ms'] },
    otherwise: 'speech-started.item-id',
  },
  'input_audio.speech_stopped': {
    rows: { 'speech-stopped.audio-end-integer': ['/audio_end_ms'] },
    otherwise: 'speech-stopped.item-id',
  },
  'conversation.item.input_audio_transcription.delta': {
    rows: {
      'transcription-delta.content-index-integer': ['/content_index'],
      'transcription-delta.delta-string': ['/delta'],
    },
    otherwise: 'transcription-delta.item-id',
  },
  'conversation.item.input_audio_transcription.completed': {
    rows: {
      'transcription-completed.content-index-integer': ['/content_index'],
      'transcription-completed.transcript-string': ['/transcript'],
    },
    otherwise: 'transcription-completed.item-id',
  },
  'conversation.item.input_audio_transcription.failed': {
    rows: {
      ...itemId('transcription-failed.item-id'),
      'transcription-failed.content-index-integer': ['/content_index'],
      'transcription-failed.error-type-string': ['/error/type'],
      'transcription-failed.error-message-string': ['/error/message'],
      'transcription-failed.error-code-string': ['/error/code'],
    },
    otherwise: 'transcription-failed.error-object',
  },
  'response.created': {
    rows: {
      ...resourceRows(),
      'response-created.request-event-id-names-request': ['/request_event_id'],
    },
    otherwise: 'response-created.response-object',
  },
  'response.done': { rows: resourceRows(), otherwise: 'response-done.response-object' },
  'response.render.started': { rows: {}, otherwise: 'render-started.response-id' },
  'response.render.stopped': {
    rows: { 'render-stopped.status-in-set': ['/status'] },
    otherwise: 'render-stopped.response-id',
  },
  'response.output_item.done': {
    rows: {
      'output-item-done.response-id': ['/response_id'],
      'output-item-done.output-index-number': ['/output_index'],
    },
    otherwise: 'output-item-done.item-object',
  },
  'response.output_text.delta': {
    rows: {
      'text-delta.response-id': ['/response_id'],
      'text-delta.item-id': ['/item_id'],
      'text-delta.output-index-number': ['/output_index'],
    },
    otherwise: 'text-delta.delta-string',
  },
  'response.output_text.done': {
    rows: {
      'text-done.response-id': ['/response_id'],
      'text-done.item-id': ['/item_id'],
      'text-done.output-index-number': ['/output_index'],
    },
    otherwise: 'text-done.text-string',
  },
}

function resourceRows(): EventPlaces['rows'] {
  return {
    'response.id-string': ['/response/id'],
    'response.status-in-set': ['/response/status'],
    'response.status-details-object-or-null': ['/response/status_details'],
    'response.output-array': ['/response/output'],
    'response.max-output-tokens-number-or-inf': ['/response/max_output_tokens'],
  }
}

const partRows: EventPlaces['rows'] = {
  'item.message-role-in-set': ['/role'],
  'item.message-content-array': ['/content'],
  'item.part-type-in-set': ['/content/*', '/content/*/type'],
  'item.part-text-string': ['/content/*/text'],
  'item.part-audio-base64': ['/content/*/audio'],
  'item.part-transcript-string': ['/content/*/transcript'],
  'item.part-image-url-string': ['/content/*/image_url'],
  'item.part-detail-in-set': ['/content/*/detail'],
}

const common: EventPlaces['rows'] = { 'item.id-nonempty': ['/id'], 'item.status-in-set': ['/status'] }

const byType: { readonly [type: string]: EventPlaces['rows'] } = {
  message: partRows,
  function_call: {
    'item.function-call-call-id-string': ['/call_id'],
    'item.function-call-name-string': ['/name'],
    'item.function-call-arguments-json': ['/arguments'],
  },
  function_call_output: {
    'item.function-call-output-call-id-string': ['/call_id'],
    'item.function-call-output-output-string': ['/output'],
  },
}

/** In `response.output_item.done` items have rows of their own. */
const finished: { readonly [type: string]: EventPlaces['rows'] } = {
  function_call: {
    'output-item-done.function-call-name': ['/name'],
    'output-item-done.function-call-arguments': ['/arguments'],
    'item.function-call-call-id-string': ['/call_id'],
  },
}

/** Which row speaks about which place of an item (2.9), by the type of the item. */
export function itemPlaces(itemType: unknown, event: 'output_item.done' | 'response' | 'other'): EventPlaces {
  const type = typeof itemType === 'string' ? itemType : ''
  const special = (event === 'output_item.done' ? finished[type] : undefined) ?? byType[type] ?? partRows
  if (event === 'output_item.done') {
    const rows: EventPlaces['rows'] = {
      'output-item-done.item-object': ['/id'],
      'output-item-done.status-in-set': ['/status'],
      ...special,
    }
    return { rows, otherwise: 'item.type-in-set' }
  }
  return { rows: { ...common, ...special }, otherwise: 'item.type-in-set' }
}

/** A table as {@link judgeShape} takes it, and its places taken apart. */
export interface Table extends ShapeRows {
  readonly places: readonly (readonly [row: string, tokens: readonly (readonly string[])[]])[]
}

export function tableOf({ rows, otherwise }: EventPlaces): Table {
  const full = Object.entries(rows).map(([row, places]) => [`control-channel.${row}`, places] as const)
  const places = full.map(([row, patterns]) => [row, patterns.map((one) => one.split('/').slice(1))] as const)
  return { rows: Object.fromEntries(full), otherwise: `control-channel.${otherwise}`, places }
}

/** What {@link judgeShape} says of a payload without errors, at a fraction of its price. */
export function praiseShape(value: Json, line: number, { places, otherwise }: Table, report: Report): void {
  for (const [row, patterns] of places) if (standsAny(value, patterns)) report.held(row, line)
  report.held(otherwise, line)
}

function standsAny(value: Json, patterns: Table['places'][number][1]): boolean {
  for (const tokens of patterns) if (stands(value, tokens, 0)) return true
  return false
}

function stands(value: Json, tokens: readonly string[], from: number): boolean {
  let here: Json | undefined = value
  for (let depth = from; depth < tokens.length; depth += 1) {
    const token = tokens[depth]
    if (typeof here !== 'object' || here === null || token === undefined) return false
    if (token === '*') return Object.values(here).some((member) => stands(member, tokens, depth + 1))
    here = own(here as JsonObject, token)
  }
  return here !== undefined
}
