import { present, type JsonObject } from '../wire.ts'
import type { Session } from '../sessions/session.ts'
import type { EffectiveState } from '../sessions/effective-state.ts'

// 6.2 Server events: one builder a type. `event_id` and `type` are added by the emitter unless the builder sets them.

export interface ErrorFacts {
  message: string
  type: string
  code: string | undefined
  eventId: string | undefined
  param: string | undefined
}

export interface TextFacts {
  responseId: string
  itemId: string
  outputIndex: number
  text: string
}

interface SpeechFacts {
  itemId: string
  atMs: number
}

const sessionEvents = () => ({
  error: (facts: ErrorFacts): JsonObject => ({
    error: present({
      message: facts.message,
      type: facts.type,
      code: facts.code,
      event_id: facts.eventId,
      param: facts.param,
    }),
  }),
  'session.closed': (facts: { sessionId: string; reason: string }): JsonObject => ({
    session_id: facts.sessionId,
    reason: facts.reason,
  }),
  /** "`event_id` = the client event id when supplied, otherwise server-generated". */
  'session.updated': (facts: {
    eventId: string
    state: EffectiveState
    transport: string | undefined
    media: JsonObject | undefined
  }): JsonObject =>
    present({
      event_id: facts.eventId,
      session: {
        mode: facts.state.mode,
        active_avatar_id: facts.state.activeAvatarId,
        source_image_id: facts.state.sourceImageId,
      },
      media_transport: facts.transport,
      media: facts.media,
    }),
  'session.update.done': (facts: { eventId: string; status: string; reason: string | undefined }): JsonObject =>
    present({ request_event_id: facts.eventId, status: facts.status, reason: facts.reason }),
  'session.bootstrap.opening.done': (facts: { status: string; reason: string | undefined }): JsonObject =>
    present({ ...facts }),
  'asset.added': (facts: { assets: Record<string, JsonObject[]> }): JsonObject => ({
    assets: {
      images: facts.assets['images'] ?? [],
      audio: facts.assets['audio'] ?? [],
      speech_text: facts.assets['speech_text'] ?? [],
      visual_prompts: facts.assets['visual_prompts'] ?? [],
    },
  }),
  /** "`avatars[]` with `avatar_id` and the effective `instructions`, `voice`, `visual`". */
  'avatar.added': (facts: { avatars: JsonObject[] }): JsonObject => ({
    avatars: facts.avatars.map((avatar) =>
      present({
        avatar_id: avatar['avatar_id'],
        instructions: avatar['instructions'],
        voice: avatar['voice'],
        visual: avatar['visual'],
      }),
    ),
  }),
})

const conversationEvents = () => ({
  'conversation.item.created': (facts: { previousItemId: string | null; item: JsonObject }): JsonObject => ({
    previous_item_id: facts.previousItemId,
    item: facts.item,
  }),
  'conversation.item.retrieved': (facts: { item: JsonObject }): JsonObject => ({ item: facts.item }),
  'conversation.item.deleted': (facts: { itemId: string }): JsonObject => ({ item_id: facts.itemId }),
  'input_audio.speech_started': (facts: SpeechFacts): JsonObject => ({
    item_id: facts.itemId,
    audio_start_ms: facts.atMs,
  }),
  'input_audio.speech_stopped': (facts: SpeechFacts): JsonObject => ({
    item_id: facts.itemId,
    audio_end_ms: facts.atMs,
  }),
  'conversation.item.input_audio_transcription.delta': (facts: { itemId: string; delta: string }): JsonObject => ({
    item_id: facts.itemId,
    content_index: 0,
    delta: facts.delta,
  }),
  'conversation.item.input_audio_transcription.completed': (facts: {
    itemId: string
    transcript: string
  }): JsonObject => ({
    item_id: facts.itemId,
    content_index: 0,
    transcript: facts.transcript,
  }),
  'conversation.item.input_audio_transcription.failed': (facts: { itemId: string; message: string }): JsonObject => ({
    item_id: facts.itemId,
    content_index: 0,
    error: { type: 'server_error', code: 'transcription_failed', message: facts.message },
  }),
})

const responseEvents = () => ({
  'response.created': (facts: { response: JsonObject; requestEventId: string | undefined }): JsonObject =>
    present({ response: facts.response, request_event_id: facts.requestEventId || undefined }),
  'response.done': (facts: { response: JsonObject }): JsonObject => ({ response: facts.response }),
  'response.render.started': (facts: { responseId: string }): JsonObject => ({ response_id: facts.responseId }),
  'response.render.stopped': (facts: { responseId: string; status: string }): JsonObject => ({
    response_id: facts.responseId,
    status: facts.status,
  }),
  'response.output_item.done': (facts: { responseId: string; outputIndex: number; item: JsonObject }): JsonObject => ({
    response_id: facts.responseId,
    output_index: facts.outputIndex,
    item: facts.item,
  }),
  'response.output_text.delta': (facts: TextFacts): JsonObject => ({ ...textPlace(facts), delta: facts.text }),
  'response.output_text.done': (facts: TextFacts): JsonObject => ({ ...textPlace(facts), text: facts.text }),
})

const textPlace = (facts: TextFacts): JsonObject => ({
  response_id: facts.responseId,
  item_id: facts.itemId,
  output_index: facts.outputIndex,
})

const builders = () => ({ ...sessionEvents(), ...conversationEvents(), ...responseEvents() })

type Builders = ReturnType<typeof builders>
export type ServerEventType = keyof Builders
/** What each type of event is made from. */
export type EventFacts = { [Type in ServerEventType]: Parameters<Builders[Type]>[0] }
export type ServerEvents = { [Type in ServerEventType]: (facts: EventFacts[Type]) => JsonObject }

export const events = (): ServerEvents => builders()

/** Turns one outgoing event into those that really go out. */
export type EventTransform = (event: JsonObject, session: Session) => JsonObject[]
