/** Generated from schemas/ by src/spec/generate-types.ts; a test compares. */

/** 2.9: one conversation item, as we may send it. */
export type ConversationItemRequest = {
  id?: string
  type: 'message' | 'function_call' | 'function_call_output'
  status?: 'completed' | 'incomplete' | 'in_progress'
  role?: 'system' | 'user' | 'assistant'
  content?: ContentPartRequest[]
  call_id?: string
  name?: string
  /** JSON-encoded. */
  arguments?: string
  output?: string
}
/** 2.9: one part of a message, as we may send it. */
export type ContentPartRequest = {
  type: 'input_text' | 'input_audio' | 'input_image' | 'text'
  text?: string
  /** Base64. */
  audio?: string
  transcript?: string
  image_url?: string
  detail?: 'auto' | 'low' | 'high'
}
/** 4.4: response.script.vocal, by type. */
export type VocalRequest = {
  type: 'speech' | 'speech_asset' | 'audio' | 'audio_asset'
  text?: string
  speech_text_asset_id?: string
  mime_type?: 'audio/wav' | 'audio/mpeg'
  url?: string
  /** Base64, without data URL prefix. */
  audio?: string
  audio_asset_id?: string
}
/**
 * An integer of a response that cannot be negative: a number of things, seconds or milliseconds, or an index. It may be a string.
 */
export type ResponseCount = number | string
/** A timestamp of a response, RFC 3339. */
export type Timestamp = string
/** 2.1: the session that a create returns. */
export type AvatarSession = {
  session_id: string
  status: 'active' | 'closing' | 'closed' | 'failed'
  auto_close: AutoCloseResponse
  region: string
  session: {
    mode: 'text_chat' | 'video_avatar'
    active_avatar_id: string
    /** Omitted in text_chat. */
    source_image_id?: string
  }
  control: {
    /** Absolute; scheme, path and query are judged by rules of their own. */
    url: string
    client_secret: string
  }
  output?: OutputResponse
  assets?: AssetsResponse
  conversation: ConversationResponse
  avatars: AvatarResponse[]
  delivery?: DeliveryResponse
  model: string
  expires_at?: Timestamp
}
/** Conventions: an integer of a response; 64-bit integers may be returned as strings. */
export type ResponseInteger = number | string
/** 2.7: a character in full: its metadata, and the stored configuration beside it. */
export type Character = CharacterMetadata & CharacterConfigurationResponse
/** 2.7: a timestamp in UTC, `YYYY-MM-DDTHH:MM:SSZ`. */
export type UtcSecond = string
/** 2.7: an item of List Characters. `resolution` is the stored one, when present. */
export type CharacterSummary = CharacterMetadata & {
  model?: string | null
  resolution?: string | null
}
/**
 * 4.2: a character that a service must take, to create one or to replace one: the configuration of Create Session and a name. Unique ids, existing ids and limits against the effective duration are not expressed here.
 */
export type CharacterRequest = {
  /** Display name. */
  name: string
  model: 'svc-a1-stream' | 'svc-a1-stream-lite'
  idempotency_key?: string
  region?: string
  recording_mode?: 'on' | 'off'
  session?: SessionRequest
  output?: OutputRequest
  pipeline_config?: PipelineConfigRequest
  assets?: AssetsRequest
  conversation?: ConversationRequest
  avatars: AvatarRequest[]
  delivery?: DeliveryRequest
  max_duration_seconds?: number
  auto_close?: AutoCloseRequest
}
/** 2.2: media delivery of a video session; exactly one variant, selected by transport. */
export type CompleteMediaDelivery = MediaDelivery
/**
 * 2.9: one part of a message, as a service returns it. Audio that came over RTC was never sent as base64, so it need not return.
 */
export type ContentPartResponse = {
  type: 'input_text' | 'input_audio' | 'input_image' | 'text'
  text?: string
  /** Base64. */
  audio?: string
  transcript?: string
  image_url?: string
  detail?: 'auto' | 'low' | 'high'
}
/** 2.9: one conversation item, as a service returns it. */
export type ConversationItemResponse = {
  id: string
  type: 'message' | 'function_call' | 'function_call_output'
  status?: 'completed' | 'incomplete' | 'in_progress'
  role?: 'system' | 'user' | 'assistant'
  content?: ContentPartResponse[]
  call_id?: string
  name?: string
  /** JSON-encoded. */
  arguments?: string
  output?: string
}
/** 2.13: one content block, as we may send it. */
export type WorldBlockRequest = {
  type: 'input_text' | 'input_image' | 'input_audio'
  text?: string
  url?: string
  mime_type?: string
  transcript?: string
}
/** Code and name, as section 7 writes them. */
export type ErrorCodeText = string
/** <part>.<subject>.<claim> in kebab-case words; never changes meaning. */
export type RequirementIdText = string
/** One line of a trace (NDJSON): append-only, secrets already replaced. */
export type TraceEntry =
  | Header
  | ScenarioStart
  | ScenarioEnd
  | Request
  | Response
  | Failure
  | ChannelOpen
  | ChannelOpened
  | ChannelRefused
  | FrameSent
  | FrameReceived
  | ChannelClosed
  | Claim
  | Wait
  | Mark
  | Halt
  | HarnessError
  | Cleanup
  | End
export type RequirementRow = {
  /** A heading number of the spec, or Conventions. */
  section: string
  /** From the spec's own verb. */
  level: 'must' | 'should' | 'may'
  /** The claim in our own words, one sentence. */
  text: string
  standing: 'stated' | 'derived' | 'untestable'
  /** What a derived claim follows from. */
  from?: string
  /** Why an untestable claim cannot be tested. */
  why?: string
  /** What the target must offer for the claim to apply. */
  abilities?: (
    | 'video'
    | 'resolution_480p'
    | 'rtc_b'
    | 'lite_model'
    | 'characters'
    | 'audio_files'
    | 'voices'
    | 'public_voices'
    | 'world_sessions'
    | 'tool_calls'
  )[]
  /** Keys of the profile that it takes beyond `primary`. */
  keys?: (
    | 'same_workspace'
    | 'other_workspace'
    | 'billing_inactive'
    | 'insufficient_balance'
    | 'access_denied'
    | 'rate_limited'
    | 'capped'
    | 'capacity_exhausted'
  )[]
  /** Triggers of the profile that it takes. */
  triggers?: ('moderated_text' | 'failing_voice_name' | 'tool_call_text')[]
  /** Media of the profile that it takes. */
  media?: ('image_url' | 'audio_url' | 'voice_sample')[]
  /** Reachable in this tier only. */
  tier?: 'full'
  /** Judged when it comes; nothing that we send can cause it. */
  passive?: true
  /**
   * Newer than the release of the requirement set: it is judged and reported, and counts for nothing until it is promoted.
   */
  unscored?: true
  /** Observations needed; one where absent. */
  at_least?: number
  /**
   * Only of a family, which stands for one row each: the words that take the place of the star in the id, and those that take it in the text.
   */
  each?: {
    [k: string]: string
  }
}
/** Lines of the trace, counted from 1. */
export type Lines = number[]
export type Texts = string[]
export type Ids = RequirementIdText[]
/** 4.3: data of Clone Voice. */
export type CloneVoiceResponse = Voice
/**
 * 4.1: a body of Create Session that a service must take. Unique ids, existing ids and limits against the effective duration are not expressed here.
 */
export type CreateAvatarSessionRequest = {
  model: 'svc-a1-stream' | 'svc-a1-stream-lite'
  idempotency_key?: string
  region?: string
  recording_mode?: 'on' | 'off'
  session?: SessionRequest
  output?: OutputRequest
  pipeline_config?: PipelineConfigRequest
  assets?: AssetsRequest
  conversation?: ConversationRequest
  avatars: AvatarRequest[]
  delivery?: DeliveryRequest
  max_duration_seconds?: number
  auto_close?: AutoCloseRequest
}
/** 4.1: data of Create Session. */
export type CreateAvatarSessionResponse = AvatarSession
/** 4.2: a body of Create Character. */
export type CreateCharacterRequest = CharacterRequest
/** 4.2: data of Create Character. */
export type CreateCharacterResponse = Character
/** 4.1: data of Create Session from Character, the same as of Create Session. */
export type CreateSessionFromCharacterResponse = AvatarSession
/** 4.5: data of Create Session. */
export type CreateWorldSessionResponse = WorldSession & {
  status?: 'provisioning' | 'active' | 'failed'
  control: WorldDescriptor
  media: WorldDescriptor
}
/** 4.2: data of Get Character. */
export type GetCharacterResponse = Character
/** 4.3: data of Get Voice, of the same shape as the clone result. */
export type GetVoiceResponse = Voice
/** 4.5: data of Get Session. */
export type GetWorldSessionResponse = WorldSession & {
  control: WorldDescriptorShown
  media: WorldDescriptorShown
  last_sequence: ResponseCount
  usage: {
    generated_video_ms: ResponseCount
    generated_audio_ms: ResponseCount
  }
}
/** 4.2: a body of Replace Character: the whole record, not a patch. */
export type ReplaceCharacterRequest = CharacterRequest
/** 4.2: data of Replace Character: the character after the write. */
export type ReplaceCharacterResponse = Character
/** 4.3: data of Upload Audio. */
export type UploadAudioResponse = AudioFile

export interface Shapes {
  'client-events/asset.add': AssetAddEvent
  'client-events/avatar.add': AvatarAddEvent
  'client-events/conversation.item.create': ConversationItemCreateEvent
  'client-events/conversation.item.delete': ConversationItemDeleteEvent
  'client-events/conversation.item.retrieve': ConversationItemRetrieveEvent
  'client-events/response.cancel': ResponseCancelEvent
  'client-events/response.create': ResponseCreateEvent
  'client-events/session.update': SessionUpdateEvent
  'common/assets.request': AssetsRequest
  'common/assets.response': AssetsResponse
  'common/audio-file': AudioFile
  'common/auto-close.request': AutoCloseRequest
  'common/auto-close.response': AutoCloseResponse
  'common/avatar-session': AvatarSession
  'common/avatar.request': AvatarRequest
  'common/avatar.response': AvatarResponse
  'common/character': Character
  'common/character-configuration.response': CharacterConfigurationResponse
  'common/character-metadata': CharacterMetadata
  'common/character-summary': CharacterSummary
  'common/character.request': CharacterRequest
  'common/client-event': ClientEvent
  'common/complete-media-delivery': CompleteMediaDelivery
  'common/content-part.request': ContentPartRequest
  'common/content-part.response': ContentPartResponse
  'common/conversation-item.request': ConversationItemRequest
  'common/conversation-item.response': ConversationItemResponse
  'common/conversation.request': ConversationRequest
  'common/conversation.response': ConversationResponse
  'common/count': ResponseCount
  'common/delivery.request': DeliveryRequest
  'common/delivery.response': DeliveryResponse
  'common/envelope': Envelope
  'common/function-tool': FunctionTool
  'common/integer': ResponseInteger
  'common/media-delivery': MediaDelivery
  'common/output.request': OutputRequest
  'common/output.response': OutputResponse
  'common/pipeline-config.request': PipelineConfigRequest
  'common/response-resource': ResponseResource
  'common/script.request': ScriptRequest
  'common/server-event': ServerEvent
  'common/session.request': SessionRequest
  'common/source-image.request': SourceImageRequest
  'common/source-image.response': SourceImageResponse
  'common/timestamp': Timestamp
  'common/utc-second': UtcSecond
  'common/visual-script.request': VisualScriptRequest
  'common/visual.request': VisualRequest
  'common/visual.response': VisualResponse
  'common/vocal.request': VocalRequest
  'common/voice': Voice
  'common/voice.request': VoiceRequest
  'common/voice.response': VoiceResponse
  'common/world-block.request': WorldBlockRequest
  'common/world-capabilities': WorldCapabilities
  'common/world-continuation.request': WorldContinuationRequest
  'common/world-continuation.response': WorldContinuationResponse
  'common/world-descriptor': WorldDescriptor
  'common/world-descriptor-shown': WorldDescriptorShown
  'common/world-live-input.request': WorldLiveInputRequest
  'common/world-live-input.response': WorldLiveInputResponse
  'common/world-output.request': WorldOutputRequest
  'common/world-output.response': WorldOutputResponse
  'common/world-reference.request': WorldReferenceRequest
  'common/world-runtime': WorldRuntime
  'common/world-session': WorldSession
  'meta/abilities': AbilitiesTable
  'meta/certificate-statement': CertificateStatement
  'meta/client-events': ClientEventsTable
  'meta/error-code-name': ErrorCodeText
  'meta/error-codes': ErrorCodesTable
  'meta/exhibit': Exhibit
  'meta/limits': LimitsTable
  'meta/load': LoadReport
  'meta/load-part': LoadPart
  'meta/load-plan': LoadPlanFile
  'meta/operations': OperationsTable
  'meta/profile': ProfileFile
  'meta/replay': ReplayFile
  'meta/requirement-id': RequirementIdText
  'meta/requirements': RequirementsFile
  'meta/results': Results
  'meta/script': Script
  'meta/sentences': SentencesFile
  'meta/server-events': ServerEventsTable
  'meta/trace': TraceEntry
  'rest/clone-voice.request': CloneVoiceRequest
  'rest/clone-voice.response': CloneVoiceResponse
  'rest/close-world-session.request': CloseWorldSessionRequest
  'rest/close-world-session.response': CloseWorldSessionResponse
  'rest/create-avatar-session.request': CreateAvatarSessionRequest
  'rest/create-avatar-session.response': CreateAvatarSessionResponse
  'rest/create-character.request': CreateCharacterRequest
  'rest/create-character.response': CreateCharacterResponse
  'rest/create-client-secret.request': CreateClientSecretRequest
  'rest/create-client-secret.response': CreateClientSecretResponse
  'rest/create-session-from-character.request': CreateSessionFromCharacterRequest
  'rest/create-session-from-character.response': CreateSessionFromCharacterResponse
  'rest/create-world-session.request': CreateWorldSessionRequest
  'rest/create-world-session.response': CreateWorldSessionResponse
  'rest/delete-character.response': DeleteCharacterResponse
  'rest/get-character.response': GetCharacterResponse
  'rest/get-voice.response': GetVoiceResponse
  'rest/get-world-session.response': GetWorldSessionResponse
  'rest/list-characters.query': ListCharactersQuery
  'rest/list-characters.response': ListCharactersResponse
  'rest/list-voices.response': ListVoicesResponse
  'rest/replace-character.request': ReplaceCharacterRequest
  'rest/replace-character.response': ReplaceCharacterResponse
  'rest/upload-audio.response': UploadAudioResponse
  'server-events/asset.added': AssetAddedEvent
  'server-events/avatar.added': AvatarAddedEvent
  'server-events/conversation.item.created': ConversationItemCreatedEvent
  'server-events/conversation.item.deleted': ConversationItemDeletedEvent
  'server-events/conversation.item.input_audio_transcription.completed': ConversationItemInputAudioTranscriptionCompletedEvent
  'server-events/conversation.item.input_audio_transcription.delta': ConversationItemInputAudioTranscriptionDeltaEvent
  'server-events/conversation.item.input_audio_transcription.failed': ConversationItemInputAudioTranscriptionFailedEvent
  'server-events/conversation.item.retrieved': ConversationItemRetrievedEvent
  'server-events/error': ErrorEvent
  'server-events/input_audio.speech_started': InputAudioSpeechStartedEvent
  'server-events/input_audio.speech_stopped': InputAudioSpeechStoppedEvent
  'server-events/response.created': ResponseCreatedEvent
  'server-events/response.done': ResponseDoneEvent
  'server-events/response.output_item.done': ResponseOutputItemDoneEvent
  'server-events/response.output_text.delta': ResponseOutputTextDeltaEvent
  'server-events/response.output_text.done': ResponseOutputTextDoneEvent
  'server-events/response.render.started': ResponseRenderStartedEvent
  'server-events/response.render.stopped': ResponseRenderStoppedEvent
  'server-events/session.bootstrap.opening.done': SessionBootstrapOpeningDoneEvent
  'server-events/session.closed': SessionClosedEvent
  'server-events/session.update.done': SessionUpdateDoneEvent
  'server-events/session.updated': SessionUpdatedEvent
}
/** 4.4: registers assets, at least one overall. */
export interface AssetAddEvent {
  event_id?: string
  type: 'asset.add'
  assets: {
    images?: {
      asset_id: string
      url: string
      mime_type?: string
    }[]
    audio?: {
      asset_id: string
      url: string
      mime_type?: 'audio/wav' | 'audio/mpeg'
    }[]
    speech_text?: {
      asset_id: string
      text: string
      /** Such as `text` or `ssml`. */
      format?: string
    }[]
    visual_prompts?: {
      asset_id: string
      text: string
      /** Such as `text` or `ssml`. */
      format?: string
    }[]
  }
}
/** 4.4: registers avatars; each image needs its url. */
export interface AvatarAddEvent {
  event_id?: string
  type: 'avatar.add'
  avatars: (AvatarRequest & {
    visual?: {
      source_images?: {
        [k: string]: unknown
      }[]
    }
  })[]
}
/** 2.3: one avatar definition, as we may send it. */
export interface AvatarRequest {
  avatar_id: string
  instructions?: string
  voice?: VoiceRequest
  visual?: VisualRequest
}
/** 2.3: per-avatar TTS as we may send it. */
export interface VoiceRequest {
  provider: string
  provider_voice_id: string
  model: string
  speed?: number
}
/** 2.3: visual, as we may send it. */
export interface VisualRequest {
  source_images: SourceImageRequest[]
  default_source_image_id?: string
  /** Default visual instructions. */
  instructions?: string
}
/** 2.3: visual.source_images[] as we may send it. */
export interface SourceImageRequest {
  source_image_id: string
  /** Needed for an image that is used in video. */
  url?: string
  description?: string
  media_type: string
}
/** 4.4: adds an item; appended where previous_item_id is omitted, at the start for `root`. */
export interface ConversationItemCreateEvent {
  event_id?: string
  type: 'conversation.item.create'
  previous_item_id?: string
  item: ConversationItemRequest
}
/** 4.4: deletes an item. */
export interface ConversationItemDeleteEvent {
  event_id?: string
  type: 'conversation.item.delete'
  item_id: string
}
/** 4.4: asks for an item. */
export interface ConversationItemRetrieveEvent {
  event_id?: string
  type: 'conversation.item.retrieve'
  item_id: string
}
/** 4.4: targets the current active response; further fields are not shown. */
export interface ResponseCancelEvent {
  event_id?: string
  type: 'response.cancel'
}
/** 4.4: asks for a response, generated or scripted. */
export interface ResponseCreateEvent {
  event_id?: string
  type: 'response.create'
  response?: {
    conversation?: 'auto' | 'none'
    scheduling_policy?: 'interrupt' | 'reject_if_busy' | 'after_current_response'
    input?: (ItemReference | ConversationItemRequest)[]
    instructions?: string
    max_output_tokens?: number | string
    tools?: FunctionTool[]
    script?: ScriptRequest
  }
}
export interface ItemReference {
  type: 'item_reference'
  id: string
}
/** 2.5 and 4.4: a function tool; parameters is a JSON Schema object. */
export interface FunctionTool {
  type: 'function'
  name: string
  description?: string
  parameters?: {
    [k: string]: unknown
  }
}
/** 4.4: direct rendering; vocal, visual, or both. */
export interface ScriptRequest {
  vocal?: VocalRequest
  visual?: VisualScriptRequest
}
/** 4.4: response.script.visual; exactly one of prompt and visual_prompt_asset_id. */
export interface VisualScriptRequest {
  /** Ordered actions are separated by [SHOT_SEP]. */
  prompt?: string
  visual_prompt_asset_id?: string
  /** Per action segment; 5000 where absent. */
  duration_ms?: number
}
/** 4.4: changes mode, active avatar or source image; omitted fields stay unchanged. */
export interface SessionUpdateEvent {
  event_id?: string
  type: 'session.update'
  session: {
    mode?: 'text_chat' | 'video_avatar'
    active_avatar_id?: string
    source_image_id?: string | null
  }
}
/** 2.4: reusable assets of a create, as we may send them. */
export interface AssetsRequest {
  audio?: {
    asset_id: string
    url: string
    mime_type?: 'audio/wav' | 'audio/mpeg'
  }[]
  speech_text?: {
    asset_id: string
    text: string
  }[]
  visual_prompts?: {
    asset_id: string
    prompt: string
  }[]
}
/** 2.1 and 2.4: effective reusable assets. */
export interface AssetsResponse {
  audio?: {
    asset_id: string
    url: string
    mime_type?: 'audio/wav' | 'audio/mpeg'
  }[]
  speech_text?: {
    asset_id: string
    text: string
  }[]
  visual_prompts?: {
    asset_id: string
    prompt: string
  }[]
}
/** 2.8: an uploaded audio file. mime_type is what the service detected. */
export interface AudioFile {
  file_id: string
  file_type: 'audio'
  mime_type: string
  size_bytes: ResponseCount
  url: string
  created_at: Timestamp
}
/** 4.1: automatic closure as we may send it; 0 switches a timeout off. */
export interface AutoCloseRequest {
  disconnected_timeout_seconds?: number
  interaction_idle_timeout_seconds?: number
}
/** 2.1: the effective policy, in seconds; 0 means disabled. */
export interface AutoCloseResponse {
  disconnected_timeout_seconds: ResponseCount
  interaction_idle_timeout_seconds: ResponseCount
}
/** 2.1: effective output. What must be there depends on the mode of the session. */
export interface OutputResponse {
  aspect_ratio?: string
  resolution?: '480p' | '720p'
  fps?: ResponseCount
}
/** 2.1 and 2.5: effective conversation defaults. */
export interface ConversationResponse {
  instructions?: string
  tools?: FunctionTool[]
  response_defaults?: {
    temperature?: number
    max_output_tokens?: ResponseInteger
  }
  turn_detection?: {
    type?: 'manual' | 'server_vad'
    silence_duration_ms?: ResponseInteger
  }
  input_audio_transcription?: {
    enabled?: boolean
    language?: string
  }
}
/** 2.3: one avatar definition, as a service returns it. */
export interface AvatarResponse {
  avatar_id: string
  instructions?: string
  voice?: VoiceResponse
  visual?: VisualResponse
}
/** 2.3: per-avatar TTS as a service returns it. */
export interface VoiceResponse {
  provider: string
  provider_voice_id: string
  model: string
  speed?: number
}
/** 2.3: visual, as a service returns it. */
export interface VisualResponse {
  source_images: SourceImageResponse[]
  default_source_image_id?: string
  /** Default visual instructions. */
  instructions?: string
}
/** 2.3: visual.source_images[] as a service returns it. */
export interface SourceImageResponse {
  source_image_id: string
  url?: string
  description?: string
  media_type: string
}
/** 2.1: media delivery. What must be there depends on the mode of the session. */
export interface DeliveryResponse {
  media?: MediaDelivery
}
/** 2.2: how to join the media. What must be there depends on the mode of the session. */
export interface MediaDelivery {
  transport?: 'rtc_a' | 'rtc_b'
  rtc_a?: {
    sdk_app_id: string
    room_id: string
    user_id: string
    user_sig: string
    publisher_user_id: string
  }
  rtc_b?: {
    app_id: string
    channel_name: string
    token: string
    user_id: string
    publisher_user_id: string
  }
}
/** 2.7: what a character and its summary have in common. */
export interface CharacterMetadata {
  character_id: string
  name: string
  created_at: UtcSecond
  updated_at: UtcSecond
}
/**
 * 2.7: what a character shows of its stored configuration. What was not saved may be absent, null, empty or a default; what was saved is compared with what was sent.
 */
export interface CharacterConfigurationResponse {
  model?: string | null
  session?: {
    mode?: string | null
    active_avatar_id?: string | null
    source_image_id?: string | null
  } | null
  output?: {
    aspect_ratio?: string | null
    resolution?: string | null
  } | null
  pipeline_config?: {
    [k: string]: unknown
  } | null
  avatars: AvatarResponse[]
  conversation?: {
    [k: string]: unknown
  } | null
  max_duration_seconds?: number | string | null
  auto_close?: {
    [k: string]: unknown
  } | null
}
/** 4.1: the session of a create, as we may send it. */
export interface SessionRequest {
  /** `video_avatar` where absent. */
  mode?: 'text_chat' | 'video_avatar'
  active_avatar_id?: string
  source_image_id?: string
}
/** 4.1: output as we may send it. Whether each field is required is not said, so we send both. */
export interface OutputRequest {
  aspect_ratio: string
  resolution: '480p' | '720p'
}
/** 2.6: pipeline configuration as we may send it on a create. */
export interface PipelineConfigRequest {
  tag_audio_enabled?: boolean
  tts_config: {
    tts_voice_id: string
    tts_provider?: string
    tts_model_id?: string
    tts_endpoint?: string
    tts_api_key?: string
    payload?: {
      [k: string]: unknown
    }
  }
  asr_config?: {
    provider: string
    language?: string
    /** A numeric string. */
    eou_timeout_ms?: string
  }
  llm_config?: {
    llm_backend?: 'openai'
    llm_base_url?: string
    llm_model?: string
    llm_api_key?: string
    llm_temperature?: number
    llm_max_output_tokens?: number
    /** A JSON-encoded object, as a string. */
    llm_extra_payload?: string
  }
  motion_enhanced?: {
    prompt?: string
  }
  motion_planner?: {
    prompt?: string
  }
}
/** 2.5: conversation defaults as we may send them. */
export interface ConversationRequest {
  instructions?: string
  tools?: FunctionTool[]
  response_defaults?: {
    temperature?: number
    max_output_tokens?: number
  }
  turn_detection?: {
    type?: 'manual' | 'server_vad'
    silence_duration_ms?: number
  }
  input_audio_transcription?: {
    enabled?: boolean
    /** BCP-47 code or `auto`. */
    language?: string
  }
}
/** 4.1: the wish for a media transport; `rtc_a` where absent. */
export interface DeliveryRequest {
  media?: {
    transport?: 'rtc_a' | 'rtc_b'
  }
}
/** 4.4: what every client event is. Fields that a service does not recognize are ignored. */
export interface ClientEvent {
  type: string
  event_id?: string
}
/**
 * Conventions: every REST response is wrapped; code 0 means success and then data is there. On failure data is free.
 */
export interface Envelope {
  code: number
  message: string
  data?: unknown
}
/** 2.10: a response. Audio and video travel over RTC and are not included. */
export interface ResponseResource {
  id?: string
  status: 'in_progress' | 'completed' | 'cancelled' | 'failed' | 'incomplete'
  status_details?: {
    [k: string]: unknown
  } | null
  output?: ConversationItemResponse[]
  max_output_tokens?: number | string
}
/** 6: what every server event carries. New types may appear. */
export interface ServerEvent {
  event_id: string
  type: string
}
/** 2.8: a cloned or a public voice. */
export interface Voice {
  voice_id: string
  name: string
  language:
    'zh' | 'en' | 'fr' | 'de' | 'ja' | 'ko' | 'ru' | 'pt' | 'th' | 'id' | 'vi' | 'it' | 'es' | 'ms' | 'fil' | 'ar' | ''
}
/** 2.12: the feature contract of a session. */
export interface WorldCapabilities {
  event_content_types: string[]
  reference_content_types: string[]
  event_handling: string[]
  live_audio: {
    supported: boolean
  }
  runtime_references: boolean
  event_cancel: boolean
  continuation: {
    hold: boolean
    resume: boolean
    automatic: boolean
  }
  /** In v1. */
  reconnect: {
    snapshot: true
    event_replay: false
  }
  limits: {
    max_event_bytes: ResponseCount
    max_references: ResponseCount
    max_reference_images: ResponseCount
  }
}
/** 4.5: continuation of a world create. Bounds of max_idle_ms are not shown. */
export interface WorldContinuationRequest {
  start_mode?: 'manual' | 'automatic'
  max_idle_ms?: number
}
/** 2.11: effective continuation. What max_idle_ms is when none was sent is not shown. */
export interface WorldContinuationResponse {
  start_mode: 'manual' | 'automatic'
  max_idle_ms?: ResponseCount
}
/** 2.11: how to reach the control or the media of a world session, with its short-lived secret. */
export interface WorldDescriptor {
  /** Opaque. */
  url: string
  client_secret: string
  expires_at: Timestamp
}
/** 2.11: a descriptor as Get Session shows it: without secret. */
export interface WorldDescriptorShown {
  /** Opaque. */
  url: string
  client_secret?: never
  expires_at: Timestamp
}
/** 4.5: live input of a world create. */
export interface WorldLiveInputRequest {
  audio?: {
    enabled?: boolean
    transcription?: boolean
    language?: string
  }
}
/** 2.11: effective live input settings. */
export interface WorldLiveInputResponse {
  audio?: {
    enabled?: boolean
    transcription?: boolean
    language?: string
  }
}
/** 4.5: output of a world create; each field has a default. */
export interface WorldOutputRequest {
  aspect_ratio?: '16:9' | '9:16' | '1:1'
  resolution?: '480p' | '720p'
  captions?: boolean
}
/** 2.11: effective output of a world session. */
export interface WorldOutputResponse {
  aspect_ratio: '16:9' | '9:16' | '1:1'
  resolution: '480p' | '720p'
  /** Frames per second; a string where it is an integer of 64 bits. */
  fps: number | string
  captions: boolean
}
/** 4.5: references[] as we may send it. That names are unique is not expressed here. */
export interface WorldReferenceRequest {
  name: string
  content: WorldBlockRequest[]
}
/** 2.11: what the generation is doing. */
export interface WorldRuntime {
  media_status: 'connecting' | 'running' | 'held' | 'stalled' | 'disconnected' | 'failed'
  media_time_ms: ResponseCount
  applied_world_event_id?: string | null
  pending_world_event_id?: string | null
}
/**
 * 2.11: what Create Session and Get Session both return. What live_input, references and metadata are when none were sent is not said.
 */
export interface WorldSession {
  session_id: string
  status: 'provisioning' | 'active' | 'closing' | 'closed' | 'failed'
  model: string
  output: WorldOutputResponse
  live_input?: WorldLiveInputResponse
  continuation: WorldContinuationResponse
  references?: {
    name: string
    content?: never
  }[]
  runtime: WorldRuntime
  capabilities: WorldCapabilities
  metadata?: {
    [k: string]: string
  }
  created_at: Timestamp
  expires_at: Timestamp
}
/** What a target may or may not offer. One that a profile does not mention counts as offered. */
export interface AbilitiesTable {
  $schema?: string
  abilities: {
    [k: string]: AbilityRow
  }
}
export interface AbilityRow {
  description: string
}
/**
 * What a certificate says: an in-toto Statement (v1) about two runs, carried by a DSSE envelope. All but `issued`, `issued_by` and `environment` follows from the files that the certificate carries.
 */
export interface CertificateStatement {
  _type: 'https://in-toto.io/Statement/v1'
  /** Each carried file, unpacked. */
  subject: {
    name:
      | 'run-1/trace.ndjson'
      | 'run-1/results.json'
      | 'run-2/trace.ndjson'
      | 'run-2/results.json'
      | 'requirements.json'
      | 'profile.json'
    digest: {
      sha256: string
    }
  }[]
  predicateType: 'https://greenroom.example/certificate/1'
  predicate: {
    issued: string
    /** Who asked for it. */
    issued_by?: string
    environment: {
      node: string
      platform: string
      arch: string
      os: string
    }
    /** Version that ran and judged. */
    greenroom: string
    signer: {
      key_id: string
      /** PEM of an Ed25519 key. */
      public_key: string
    }
    target: {
      base_url: string
      abilities: {
        offered: string[]
        declared_away: string[]
      }
    }
    requirement_set: {
      spec: string
      version: string
      /** Of the released requirements. */
      digest: string
      /** Of the register that the runs were planned with. */
      register: string
    }
    runs: CertifiedRun[]
    /** Rows by verdict, both runs together; apart from what was not judged what no client can judge. */
    summary: {
      pass?: number
      warn?: number
      inconclusive?: number
      not_applicable?: number
      untestable?: number
    }
    warned: CertifiedRow[]
    not_judged: CertifiedRow[]
    /** sha256 of each carried file as it is packed, by its name. */
    packed: {
      [k: string]: string
    }
  }
}
export interface CertifiedRun {
  id: string
  seed: number
  tier: 'smoke' | 'standard' | 'full'
  date: string
  duration_ms: number
  rest_requests: number
  /** The first and the last response that say when they were made. */
  moments: CertifiedMoment[]
}
/** One moment by two clocks: of the machine that ran Greenroom, and of the target's `Date` header. */
export interface CertifiedMoment {
  ours: string
  target: string
}
export interface CertifiedRow {
  id: string
  section: string
  level: 'must' | 'should' | 'may'
  verdict: 'warn' | 'inconclusive'
  reason: string
  reason_code?:
    | 'missing_key'
    | 'missing_trigger'
    | 'missing_media'
    | 'passive'
    | 'tier'
    | 'model_choice'
    | 'network'
    | 'quota'
    | 'budget'
    | 'prerequisite'
    | 'interrupted'
}
/** The client events of section 4.4, keyed by type. The shape of each is client-events/<type>. */
export interface ClientEventsTable {
  $schema?: string
  client_events: {
    [k: string]: ClientEventRow
  }
}
export interface ClientEventRow {
  section: '4.4'
  purpose: string
  /** Types of the server events that confirm it, in order; empty where none is shown. */
  confirmed_by: string[]
}
/** The codes of section 7, keyed by code and name. */
export interface ErrorCodesTable {
  $schema?: string
  error_codes: {
    [k: string]: ErrorCode
  }
}
export interface ErrorCode {
  code: number
  /** Null where the spec shows none. */
  http_status: 429 | 502 | null
  /** Whether the answer bears Retry-After; null where the spec does not say. */
  retry_after: boolean | null
  sections: string[]
  condition: string
}
/** Instances that a shape must accept or refuse, in the form of the JSON Schema Test Suite. */
export interface Exhibit {
  $schema?: string
  /** Name of the shape: its path below schemas/, without the ending. */
  schema: string
  tests: ExhibitTest[]
}
export interface ExhibitTest {
  description: string
  data: unknown
  valid: boolean
}
/**
 * The limits of section 8, keyed by field. A bound that is missing does not exist; null is one that the spec does not show.
 */
export interface LimitsTable {
  $schema?: string
  limits: {
    [k: string]: Limit
  }
}
export interface Limit {
  unit: string
  /** Least value allowed. */
  minimum?: number | null
  /** Greatest value allowed. */
  maximum?: number | null
  /** Value that counts when none is given. */
  default?: number | null
  /** Value below the minimum that switches the feature off. */
  off?: number
  /** Value that the spec shows as a sample; binds nobody. */
  sample?: number
  applies_to: string
}
/**
 * load.json: what a load run was, what it measured, and what is said of it. All numbers come from `tally` and the 5-second windows; nothing is written by hand.
 */
export interface LoadReport {
  format: 'greenroom.load/1'
  /** Id of the run; what it made bears it. */
  run: string
  /** What one virtual user does; `mix` for several by weight. */
  scenario: string
  /** The scenarios of a mix, and how often each is chosen in proportion to the others. */
  mix?: MixedScenarioRow[]
  /** How much of it, how long and in which shape. */
  workload: string
  /** When the run began. */
  started: string
  /** Of the longest k6 process. */
  duration_ms: number
  /** Of what sent the load. */
  versions: {
    greenroom: string
    k6: string
    node: string
  }
  /** The machine that sent the load. Runs on different machines are not compared. */
  machine: {
    cpus: number
    memory_bytes: number
    /** Operating system and processor, such as `linux x64`. */
    platform: string
  }
  target: {
    base_url: string
    /** sha256 hex of the profile without its `base_url`: runs with another profile are not compared. */
    profile_digest: string
  }
  /** How many k6 processes it is made of. */
  parts: number
  /**
   * `fail`: the target did wrong or missed an objective. `invalid`: the run was not what it had to be (the generator was the bottleneck, too little happened, nothing but 429), so it says nothing of the target.
   */
  verdict: 'pass' | 'fail' | 'invalid'
  /** Why it is not `pass`, one sentence each; of an invalid run also what stood against the target. */
  reasons: string[]
  /** What has to be known beside the verdict, and changes nothing in it: what was not judged, and why. */
  notes?: string[]
  /** Exit code: 0 pass, 1 fail, 3 invalid or unreachable, 4 Greenroom's own fault, 130 interrupted. */
  exit: 0 | 1 | 3 | 4 | 130
  rate: {
    /**
     * Iterations a second that were asked for, on the average: what the workload wants, or what the keys allow of it.
     */
    target_per_s: number
    /**
     * Iterations a second that the workload wants, on the average; only where the keys allow fewer, so that its whole shape was lowered.
     */
    wanted_per_s?: number
    /** By what schedule they were asked for, over all keys; only where the rate changes. */
    shape?: {
      /** Iterations a second at the start. */
      start_rate: number
      stages: {
        seconds: number
        /** Iterations a second at its end. */
        rate: number
      }[]
    }
    /** Iterations a second that began. */
    achieved_per_s: number
    /** Iterations that were due and could not begin; each counts as a miss. */
    dropped: number
  }
  /** What was counted: by name and key. */
  counts: {
    [k: string]: {
      [k: string]: number
    }
  }
  /** Milliseconds by operation. */
  latencies: {
    [k: string]: LoadLatencyRow
  }
  /** What went wrong, by where and how. */
  errors: LoadErrorRow[]
  /** What happened in each window of 5 seconds. */
  timeline: TimelineRow[]
  /** Whether k6 kept up: times that it measured late are not the target's. */
  generator: {
    /** How long events lay in k6 before they were handled, at p99; 0 where none came. */
    lag_p99_ms: number
    /** The longest that is allowed. */
    lag_bound_ms: number
    /** As in `rate`. */
    dropped: number
    healthy: boolean
  }
  /** What the profile asks for. */
  objectives: ObjectiveRow[]
  /** Requirements of the interface that the sampled conversations or the scenario itself had something to say about. */
  requirements: LoadRequirementRow[]
  samples: {
    /** Recorded in full. */
    conversations: number
    /** Lines of the file. */
    entries: number
    /** Name of the trace beside this file. */
    file: string
  }
  /** Of `greenroom load knee`. */
  knee?: {
    /** What had to hold. */
    objective: string
    /** Every rate that was tried, in order. */
    steps: KneeStepRow[]
    /** The highest rate that held twice; null where none did. */
    knee_per_s: number | null
  }
  /** Seconds since the run began at which the target stopped answering for good. */
  died_at_s?: number
  /** Where an ever higher rate was too much, which ended the run (workload breakpoint). */
  broke?: {
    /** For whom: a generator that is late itself for long says nothing of the target. */
    by: 'target' | 'generator'
    /** Seconds since the run began. */
    at_s: number
    /** Iterations a second that were due then. */
    rate_per_s: number
    /** The highest rate before that held, in iterations a second that began; null where none did. */
    held_per_s: number | null
    /** What was seen first. */
    why: string
  }
  /** Every number of the run, by measure and key; of a time, how often it fell into each bucket of the histogram. */
  tally: {
    [k: string]: {
      [k: string]: number
    }
  }
}
export interface MixedScenarioRow {
  scenario: string
  /** Above 0. */
  weight: number
}
export interface LoadLatencyRow {
  count: number
  /** Median. */
  p50: number
  /** 90 of 100 took at most this. */
  p90: number
  /** 95 of 100. */
  p95: number
  /** 99 of 100. */
  p99: number
  /** 999 of 1,000. */
  p999: number
  /** The longest, as precise as its bucket. */
  max: number
  /** From the moment at which the schedule wanted it sent, not from the moment at which it was. */
  intended?: {
    /** Median. */
    p50: number
    /** 95 of 100. */
    p95: number
    /** 99 of 100. */
    p99: number
  }
}
export interface LoadErrorRow {
  /** Where: an operation, `upgrade` or `channel`. */
  phase: string
  /** Status; null where there was none. */
  http: number | null
  /** Code of the envelope or of the `error` event, or what went wrong on the way. */
  code: string
  count: number
}
export interface TimelineRow {
  /** Start of the window, in seconds since the run began. */
  at_s: number
  /** Open at the end of the window. */
  active_sessions: number
  /** That began. */
  iterations: number
  /** Server events that came. */
  events: number
  errors: number
  latencies: {
    [k: string]: WindowLatencyRow
  }
}
export interface WindowLatencyRow {
  /** Median. */
  p50: number
  /** 95 of 100 took at most this. */
  p95: number
  /** 99 of 100 took at most this. */
  p99: number
}
export interface ObjectiveRow {
  /** As in the profile: `latency.create.p95_ms`, `error_share`, `events_per_second`. */
  name: string
  /** Of a latency; null otherwise. */
  operation: string | null
  bound: number
  /** Null where nothing was measured. */
  got: number | null
  holds: boolean
}
export interface LoadRequirementRow {
  id: RequirementIdText
  text: string
  /** Of the interface description. */
  section: string
  verdict: 'pass' | 'fail' | 'warn' | 'inconclusive'
  /** What was expected and what came, or how often it was seen. */
  reason?: string
  /** Lines of `samples.ndjson`, from 1, with the conversation that each belongs to. */
  evidence: LoadEvidenceRow[]
}
export interface LoadEvidenceRow {
  conversation: string
  line: number
}
export interface KneeStepRow {
  rate: number
  achieved: number
  /** Of the operation that the objective names. */
  p99_ms: number | null
  held: boolean
  /** The generator was the bottleneck, or the run said nothing: it tells nothing of the target. */
  invalid?: true
}
/**
 * What one k6 process measured in a load run, or several after their parts were merged. Everything adds up, but the duration; verdict and percentiles follow from it.
 */
export interface LoadPart {
  format: 'greenroom.load-part/1'
  /** Id of the run; the same in all of its parts. */
  run: string
  /** Of all that is drawn at random; the same in all parts of a run. */
  seed?: string
  /** Name of the scenario, or `mix`. */
  scenario: string
  /** Name of the workload. */
  workload: string
  /** The numbers of the workload, after overrides. */
  scale: {
    [k: string]: unknown
  }
  iterations: Counts
  /** Keys that the load was spread over, without their values. */
  keys: LoadKeyRow[]
  /** Of the histograms: others can't be added. */
  buckets: {
    /** Largest relative error of a percentile. */
    alpha: number
    /** Largest error of a percentile of up to `short_ms`. */
    short_error_ms: number
    short_ms: number
    count: number
  }
  /** Which segments of the load it holds, as k6 writes them (`1/4:1/2`); `0:1` for all of it. */
  segments: string[]
  /** How many k6 processes it is made of. */
  parts: number
  /** When the first of them began, in milliseconds since 1970. */
  started_ms?: number
  /** Of the longest part. */
  duration_ms: number
  dropped: Counts
  /**
   * Every number of the run by scenario, measure and key; of a time, how often it fell into each bucket of the histogram.
   */
  tallies: {
    [k: string]: {
      [k: string]: Counts
    }
  }
}
export interface Counts {
  [k: string]: number
}
export interface LoadKeyRow {
  /** In the profile. */
  name: string
  requests_per_minute: number
  /** Unknown where absent. */
  concurrent_sessions?: number
  /** How long the minute of its limit is, for limiters that were made to try scenarios out. */
  minute_ms?: number
}
/** A plan of several load runs, one after the other: what `greenroom load nightly` runs. Paths start at this file. */
export interface LoadPlanFile {
  /** Where this schema is, so that editors explain each field. */
  $schema?: string
  /** Profile file or URL; without it the environment variable GREENROOM_TARGET, else the embedded target. */
  target?: string
  /** Folder of the results, one below it for each run; default `reports/nightly`. */
  out?: string
  /** File that each night is added to, one line a run; default `history.jsonl` in the folder of the results. */
  history?: string
  /** In their order. */
  runs: LoadPlanRow[]
}
export interface LoadPlanRow {
  /** What each virtual user does; `mix` for several by weight. */
  scenario: string
  /** How much, how long and in which shape. */
  workload: string
  /** k6 processes that share the load. */
  processes?: number
  /** Iterations a second all the time, in place of the shape of the workload. */
  rate?: number
  /** How long it lasts. */
  seconds?: number
  /** Of a mix: how often each scenario is chosen in proportion to the others. */
  weights?: {
    [k: string]: number
  }
  /** One conversation in so many is recorded in full. */
  sample?: number
  /** Of everything random. */
  seed?: number
}
/** The REST operations of section 4, keyed by the kebab-case of their headings. */
export interface OperationsTable {
  $schema?: string
  operations: {
    [k: string]: Operation
  }
}
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path template; parameters in braces. */
  path: string
  section: string
  /** What the spec calls it. */
  title: string
  /** What the request carries; `not shown` where the spec does not say. */
  body: 'none' | 'json' | 'multipart' | 'not shown'
  /** Shape of a valid JSON body; null where there is none or none is described. */
  request: string | null
  /** Shape of the query's parameters; missing where none is described. */
  query?: string
  /** Shape of `data` on success; null where none is described. */
  response: string | null
  /** Names of the codes that sections 4, 5 and 7 give for it. */
  error_codes: ErrorCodeText[]
}
/**
 * One target: where it is, what it offers, and how it may be used. Secrets never stand here: `keys`, `headers` and `proxy` hold names of environment variables.
 */
export interface ProfileFile {
  /** Where this schema is, so that editors explain each field. */
  $schema?: string
  /** Address of the target: `https:`, or `http:` on a loopback address with `allow_insecure_loopback`. */
  base_url: string
  /** PEM file with the authority that signed the target's certificate; a relative path starts at this file. */
  ca_file?: string
  /** Names of the environment variables that hold the API keys. What a missing key would have shown stays undecided. */
  keys: {
    primary: string
    same_workspace?: string
    other_workspace?: string
    billing_inactive?: string
    insufficient_balance?: string
    access_denied?: string
    rate_limited?: string
    capped?: string
    capacity_exhausted?: string
  }
  /** What the target offers. One that is not mentioned counts as offered; one that is false is not tested. */
  abilities?: {
    /** Sessions in `video_avatar` mode. */
    video?: boolean
    /** The resolution `480p` of avatar sessions; where it is false, `720p` is asked for. */
    resolution_480p?: boolean
    /** The media transport `rtc_b`. */
    rtc_b?: boolean
    /** The model `svc-a1-stream-lite`. */
    lite_model?: boolean
    /** Saved characters. */
    characters?: boolean
    /** Upload of reference audio. */
    audio_files?: boolean
    /** Cloning, listing and retrieving voices. */
    voices?: boolean
    /** Public voices in List Voices. */
    public_voices?: boolean
    /** World sessions. */
    world_sessions?: boolean
    /** Function calls by the model. */
    tool_calls?: boolean
  }
  /** Limits of each key, by its name. */
  limits?: {
    primary?: KeyLimitsRow
    same_workspace?: KeyLimitsRow
    other_workspace?: KeyLimitsRow
    billing_inactive?: KeyLimitsRow
    insufficient_balance?: KeyLimitsRow
    access_denied?: KeyLimitsRow
    rate_limited?: KeyLimitsRow
    capped?: KeyLimitsRow
    capacity_exhausted?: KeyLimitsRow
  }
  /** Media that the target can fetch without custom headers. */
  media?: {
    image_url?: string
    audio_url?: string
    /**
     * File with a recording of clear speech that voices are cloned from (10 to 20 seconds, WAV, MP3 or M4A); a relative path starts at this file. Without it a synthetic one is used.
     */
    voice_sample?: string
  }
  /** Inputs that make this target do what no client can cause by itself. */
  triggers?: {
    moderated_text?: string
    failing_voice_name?: string
    tool_call_text?: string
  }
  /** How long to wait, in milliseconds. */
  timeouts?: {
    /** For a REST response. */
    reply_ms?: number
    /** For an event on a channel. */
    event_ms?: number
    /** From a close request to the status `closed`. */
    closed_ms?: number
    /** How late an automatic close may come. */
    auto_close_grace_ms?: number
    /** For a world session to leave `provisioning`. */
    provisioning_ms?: number
    /**
     * How far lists and reads may be behind what was written: what is missing or stale is looked at once more after this time, and only the second look is judged.
     */
    lag_ms?: number
  }
  /**
   * Hosts outside the target's own registrable domain that `control.url` may lead to. Others get no secret: they are not opened.
   */
  control_hosts?: string[]
  /**
   * Operations that the key `access_denied` must not use (10009): any of `create-avatar-session`, `create-session-from-character`, `create-world-session` and `clone-voice`. Without this list the create of avatar sessions alone is judged.
   */
  denies?: ('create-avatar-session' | 'create-session-from-character' | 'create-world-session' | 'clone-voice')[]
  /**
   * Headers added to each request, for gated staging: header name to the name of the environment variable with its value.
   */
  headers?: {
    [k: string]: string
  }
  proxy?: string
  /** Whether `greenroom load` may send load to this target. Needed wherever the target is not on a loopback address. */
  allow_load?: boolean
  /** What must hold under load (`greenroom load`): a run that misses one ends with `fail`. */
  objectives?: {
    /**
     * By operation, as `greenroom load explain` names them: the longest that a percentile of it may take, in milliseconds. An operation that a scenario does not measure, or that nobody tried, is left out of its runs.
     */
    latency?: {
      [k: string]: LatencyObjectiveRow
    }
    /**
     * The largest share of what is asked (requests, upgrades, requests on the control channel) that may go wrong, from 0 to 1. An iteration that was due and could not begin counts as gone wrong. Left out of the runs of scenarios that are there to be refused.
     */
    error_share?: number
    /** What must be reached, on the average of the time in which iterations begin. */
    throughput?: {
      events_per_second?: number
      iterations_per_second?: number
    }
  }
  /** Whether a target on a loopback address may be reached without TLS. */
  allow_insecure_loopback?: boolean
  /** Failures that are known and waived until a date. One that passes, or has expired, fails the run. */
  expected_failures?: ExpectedFailureRow[]
}
export interface KeyLimitsRow {
  /** Requests that this key may send in a minute. */
  requests_per_minute?: number
  /** Sessions that may be open at once in its workspace; unknown where absent. */
  concurrent_sessions?: number
}
export interface LatencyObjectiveRow {
  p50_ms?: number
  p90_ms?: number
  p95_ms?: number
  p99_ms?: number
  p999_ms?: number
}
export interface ExpectedFailureRow {
  id: RequirementIdText
  reason: string
  owner: string
  /** Last day (YYYY-MM-DD, UTC) on which the entry is good. */
  expires: string
  /** Where the work is tracked. */
  link?: string
}
/**
 * A failure that `greenroom replay` sends again: what was asked for, what came, and all that was sent and came until then. Holds no secret: stand-ins, as the trace has them.
 */
export interface ReplayFile {
  format: 'greenroom.replay/1'
  /** Id of the requirement that was broken. */
  requirement: string
  /** Of the interface. */
  section: string
  level: 'must' | 'should' | 'may'
  /** The requirement's sentence. */
  text: string
  /** What the interface demands; where a model judged it, all that would have been legal. */
  expected: string
  /** What came. */
  got: string
  /** Where a model judged it: the states that were thought possible before. */
  states?: string
  /** Id of the run that saw it. It is part of all ids that the run gave itself; each sending has one of its own. */
  run: string
  versions: {
    greenroom: string
    spec: string
  }
  /** Where it was seen. */
  base_url: string
  /** All that its scenario had sent and heard until then, as entries of the trace. */
  steps: TraceEntry[]
  /** Places in `steps` of what broke the requirement. */
  evidence: number[]
  /** Places in `steps`, from 0, of the shortest sequence that still breaks the requirement. */
  short: number[]
}
/** First line. */
export interface Header {
  kind: 'header'
  t: 0
  format: 'greenroom.trace/1'
  greenroom: string
  spec: '1.0.0'
  date: string
  run: string
  seed: number
  tier: 'smoke' | 'standard' | 'full'
  only: string[]
  profile: {}
  keys: string[]
  register: string
  manifest: {
    scenario: string
    proves: string[]
  }[]
  skipped: {
    scenario: string
    proves: string[]
    why:
      | 'missing_key'
      | 'missing_trigger'
      | 'missing_media'
      | 'passive'
      | 'tier'
      | 'model_choice'
      | 'network'
      | 'quota'
      | 'budget'
      | 'prerequisite'
      | 'interrupted'
      | 'only'
      | 'not_applicable'
    what?: string
  }[]
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
  /** Where Greenroom only listened: who recorded. Such a trace has neither scenarios nor claims. */
  recording?: 'watch' | 'har' | 'load-samples' | 'stand-in'
}
/** A scenario begins. */
export interface ScenarioStart {
  kind: 'scenario-start'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario: string
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** A scenario is over. */
export interface ScenarioEnd {
  kind: 'scenario-end'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario: string
  outcome: 'completed' | 'blocked' | 'interrupted' | 'failed'
  reason_code?:
    | 'missing_key'
    | 'missing_trigger'
    | 'missing_media'
    | 'passive'
    | 'tier'
    | 'model_choice'
    | 'network'
    | 'quota'
    | 'budget'
    | 'prerequisite'
    | 'interrupted'
  reason?: string
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** Written before the request goes to a socket. */
export interface Request {
  kind: 'request'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  exchange: number
  attempt: number
  operation: string | null
  method: string
  path: string
  key: string
  headers: {
    [k: string]: string
  }
  body?: unknown
  text?: string
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
  /** How it was sent, where not as usual. */
  manner?: {
    retry?: 'never'
    pace?: false
    give_up?: true
    chunked?: true
    passing?: number
    deadline_ms?: number
  }
}
/** A whole response. */
export interface Response {
  kind: 'response'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  exchange: number
  attempt: number
  status: number
  headers: {
    [k: string]: string
  }
  body?: unknown
  text?: string
  problem?: 'not-json' | 'not-utf8' | 'too-deep' | 'empty'
  bytes: number
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** No whole response came. */
export interface Failure {
  kind: 'failure'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  exchange: number
  attempt: number
  reason: 'timeout' | 'refused' | 'dns' | 'tls' | 'reset' | 'too-large' | 'protocol' | 'aborted'
  message: string
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** A control connection is tried. */
export interface ChannelOpen {
  kind: 'channel-open'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  channel: number
  session: string
  url: string
  credential: 'query' | 'header' | 'none'
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
  /** What stands for the secret that went in a header. */
  secret?: string
}
/** The upgrade succeeded. */
export interface ChannelOpened {
  kind: 'channel-opened'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  channel: number
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** The upgrade did not succeed. */
export interface ChannelRefused {
  kind: 'channel-refused'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  channel: number
  status?: number
  reason:
    'status' | 'unsafe-url' | 'timeout' | 'refused' | 'dns' | 'tls' | 'reset' | 'too-large' | 'protocol' | 'aborted'
  message: string
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** A client event. */
export interface FrameSent {
  kind: 'frame-sent'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  channel: number
  frame: number
  data?: unknown
  text?: string
  /** In a recording: the client sent it in a binary frame. */
  binary?: true
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** A server event. */
export interface FrameReceived {
  kind: 'frame-received'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  channel: number
  frame: number
  data?: unknown
  text?: string
  problem?: 'not-json' | 'binary' | 'too-deep'
  bytes: number
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** A control connection ended. */
export interface ChannelClosed {
  kind: 'channel-closed'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  channel: number
  by: 'us' | 'target' | 'network' | 'limit'
  code: number
  reason: string
  /** When something was heard last, where not even a ping was answered any more. */
  silent_since?: number
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** An expectation, written before what it speaks of. */
export interface Claim {
  kind: 'claim'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  claim: number
  requirement: string
  condition: Condition
  given?: Condition[]
  given_code?: 'prerequisite' | 'model_choice'
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** One of the closed set of conditions. */
export interface Condition {
  is:
    | 'accepted'
    | 'rejected'
    | 'equals'
    | 'different'
    | 'echoes'
    | 'same'
    | 'distinct'
    | 'eventually'
    | 'never'
    | 'admitted'
    | 'refused'
    | 'before'
    | 'any'
    | 'all'
}
/** We let time pass. */
export interface Wait {
  kind: 'wait'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  why: 'pace' | 'retry-after' | 'quota' | 'event' | 'timer' | 'quiet' | 'backoff' | 'lag'
  ms: number
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** A named moment. */
export interface Mark {
  kind: 'mark'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  mark: number
  label: string
  /** What walks through something have made of it so far. */
  walk?: {
    /** What they go through. */
    name: string
    /** How many pairs of a state and an operation there are. */
    pairs: number
    /** Those that no walk has made. */
    left: string[]
  }
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** Greenroom's own process stood still: for so many milliseconds, up to t, it neither sent nor heard anything. */
export interface Halt {
  kind: 'halt'
  /** Milliseconds since the run began, monotonic. */
  t: number
  ms: number
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** A mistake of Greenroom itself. */
export interface HarnessError {
  kind: 'harness-error'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  message: string
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** What was cleaned up. */
export interface Cleanup {
  kind: 'cleanup'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  closed: string[]
  leaked: {
    resource: string
    id: string
    reason: string
  }[]
  undeletable: {
    resource: string
    id: string
  }[]
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** Last line of a whole trace. */
export interface End {
  kind: 'end'
  /** Milliseconds since the run began, monotonic. */
  t: number
  scenario?: string
  outcome: 'completed' | 'interrupted' | 'unreachable' | 'failed'
  reason?: string
  /** Digest of this line and of the link before it; missing in traces of earlier versions. */
  link?: string
}
/** One part of the register: its requirements, and the choices that the spec leaves open. */
export interface RequirementsFile {
  $schema?: string
  requirements: {
    [k: string]: RequirementRow
  }
  choices: {
    [k: string]: ChoiceRow
  }
}
export interface ChoiceRow {
  /** A heading number of the spec, or Conventions. */
  section: string
  /** What the spec leaves open, one sentence. */
  text: string
}
/** results.json: what the judge says of a trace. A pure function of the trace and of this version of Greenroom. */
export interface Results {
  format: 'greenroom.results/1'
  run: {
    id: string
    /** When the run began. */
    date: string
    seed: number
    tier: 'smoke' | 'standard' | 'full'
    /** What the run was narrowed to; empty for everything. */
    only: string[]
    versions: {
      greenroom: string
      spec: string
    }
    register: string
    /** The frozen set of requirements that the summary and `conformant` speak of; digest of its rows. */
    release: {
      version: string
      digest: string
    }
    trace: string
    duration_ms: number
    outcome: 'completed' | 'interrupted' | 'unreachable' | 'failed' | 'truncated'
    reason?: string
    /** Where Greenroom sent nothing itself: who recorded. */
    recording?: 'watch' | 'har' | 'load-samples' | 'stand-in'
  }
  target: {
    base_url: string
    profile: {
      [k: string]: unknown
    }
  }
  traffic: {
    rest_requests: number
    sessions_created: number
    client_events: number
    server_events: number
    by_key: {
      [k: string]: {
        rest_requests: number
        sessions_created: number
      }
    }
  }
  /** How many requirements got each verdict. */
  summary: {
    pass: number
    fail: number
    warn: number
    inconclusive: number
    not_applicable: number
    waived: number
  }
  /** null: could not be judged. */
  conformant: boolean | null
  requirements: Requirement[]
  /** Rows that are newer than the release: judged and reported, and in no count. */
  unscored: Requirement[]
  choices: Choice[]
  waivers: {
    stale: Texts
    expired: Texts
    unknown: Texts
  }
  /**
   * What walks through states and operations have made, where there were any: the last word on each.
   *
   * Items: One thing that walks go through.
   */
  walks?: {
    /** What they go through. */
    name: string
    /** How many pairs of a state and an operation there are. */
    pairs: number
    /** Those that no walk has made. */
    left: string[]
  }[]
  /** What the run made and could not clean up. */
  leaked: {
    resource: string
    id: string
    reason: string
  }[]
  /** Voices and audio files that the run made: the spec has no way to delete them. */
  undeletable: {
    resource: string
    id: string
  }[]
  /** Mistakes of Greenroom itself. */
  harness_errors: {
    message: string
    evidence: Lines
  }[]
}
export interface Requirement {
  id: string
  section: string
  level: 'must' | 'should' | 'may'
  verdict: 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not_applicable' | 'waived'
  observations: number
  reason: string
  reason_code?:
    | 'missing_key'
    | 'missing_trigger'
    | 'missing_media'
    | 'passive'
    | 'tier'
    | 'model_choice'
    | 'network'
    | 'quota'
    | 'budget'
    | 'prerequisite'
    | 'interrupted'
  failures?: {
    expected: string
    got: string
    evidence: Lines
    scenario?: string
  }[]
  /**
   * What came of the failure when it was sent again in the same run (`check --confirm`). It changes no verdict; `says` is the end of the reason, too.
   */
  sent_again?: {
    outcome: 'reproduced' | 'not_reproduced' | 'undecided' | 'not_sent'
    says: string
  }
  evidence: Lines
  scenarios: Texts
}
export interface Choice {
  id: string
  section: string
  observed: Texts
  evidence: Lines
}
/**
 * What the stand-in does beside answering rightly, so that a client's own tests meet it: the file that `greenroom serve --script` takes.
 */
export interface Script {
  $schema?: string
  /** Requests that are refused although nothing is wrong with them. */
  refuse?: {
    /** Which operation. */
    operation:
      | 'create-avatar-session'
      | 'create-session-from-character'
      | 'get-avatar-session'
      | 'close-avatar-session'
      | 'list-avatar-sessions'
      | 'create-character'
      | 'list-characters'
      | 'get-character'
      | 'replace-character'
      | 'delete-character'
      | 'upload-audio'
      | 'clone-voice'
      | 'list-voices'
      | 'get-voice'
      | 'create-world-session'
      | 'get-world-session'
      | 'create-client-secret'
      | 'close-world-session'
    /** Counted from 1, as they come. */
    nth: number
    /** Code of the refusal (section 7), with its HTTP status. */
    code:
      | 10001
      | 10003
      | 10004
      | 10005
      | 10008
      | 10009
      | 20003
      | 20004
      | 20005
      | 20006
      | 20007
      | 20008
      | 20009
      | 20010
      | 20012
      | 20013
      | 20014
      | 30001
      | 30004
      | 30006
      | 30007
      | 30008
    /** Value of Retry-After; for 10008, default 1. */
    retry_after_seconds?: number
  }[]
  /** Responses on the control channel that say nothing for a while before their first text. */
  stall?: {
    /** Counted from 1, as they come. */
    response: number
    /** Milliseconds. */
    ms: number
  }[]
  /** Control connections that break, without a close frame. */
  break?: {
    /** After so many response.output_text.delta events since the last break, over all connections. */
    after_deltas: number
  }[]
  /** Avatar sessions that expire early. */
  expire?: {
    /** Counted from 1, as they come. */
    session: number
    /** Milliseconds after the create; 0 for at once. */
    after_ms: number
  }[]
}
/**
 * Every claim of the spec, in its order, with the requirements that hold it: what the register leaves out shows here.
 */
export interface SentencesFile {
  $schema?: string
  sentences: SentenceRow[]
}
export interface SentenceRow {
  /** A heading number of the spec, or Conventions. */
  section: string
  /** The claim in our own words. */
  says: string
  /** Who can break it; nobody: a definition, advice, or something that is not shown. */
  binds: 'target' | 'client' | 'nobody'
  rows?: Ids
  choices?: Ids
  /** Why the target cannot break it, where that is not obvious. */
  why?: string
}
/** The server events of section 6.2, keyed by type. The shape of each is server-events/<type>. */
export interface ServerEventsTable {
  $schema?: string
  server_events: {
    [k: string]: ServerEventRow
  }
}
export interface ServerEventRow {
  section: '6.2'
  emitted_when: string
}
/** 4.3: a body of Clone Voice that a service must take. */
export interface CloneVoiceRequest {
  name: string
  file_id: string
  language?:
    'zh' | 'en' | 'fr' | 'de' | 'ja' | 'ko' | 'ru' | 'pt' | 'th' | 'id' | 'vi' | 'it' | 'es' | 'ms' | 'fil' | 'ar'
}
/** 4.5: a body of Close Session. */
export interface CloseWorldSessionRequest {
  idempotency_key?: string
}
/** 4.5: data of Close Session. */
export interface CloseWorldSessionResponse {
  session_id: string
  status: 'closing' | 'closed'
}
/** 4.5: a body of Create Client Secret. */
export interface CreateClientSecretRequest {
  idempotency_key?: string
}
/** 4.5: data of Create Client Secret. */
export interface CreateClientSecretResponse {
  session_id: string
  control: WorldDescriptor
  media: WorldDescriptor
}
/**
 * 4.1: a body of Create Session from Character that a service must take. output and delivery are merged over the saved ones by top-level field.
 */
export interface CreateSessionFromCharacterRequest {
  character_id: string
  idempotency_key?: string
  model?: 'svc-a1-stream' | 'svc-a1-stream-lite'
  max_duration_seconds?: number
  recording_mode?: 'on' | 'off'
  output?: {
    aspect_ratio?: string
    resolution?: '480p' | '720p'
  }
  delivery?: DeliveryRequest
}
/**
 * 4.5: a body of Create Session that a service must take, as far as the capabilities allow. Unique names are not expressed here.
 */
export interface CreateWorldSessionRequest {
  model: 'svc-w1-stream'
  idempotency_key?: string
  initial_prompt: {
    content: {
      type: 'input_text'
      text: string
    }[]
  }
  opening_frame?: {
    url: string
    mime_type?: string
  }
  references?: WorldReferenceRequest[]
  output?: WorldOutputRequest
  live_input?: WorldLiveInputRequest
  continuation?: WorldContinuationRequest
  max_session_duration_seconds?: number
  metadata?: {
    [k: string]: string
  }
}
/** 4.2: data of Delete Character. */
export interface DeleteCharacterResponse {
  character_id: string
  status: 'deleted'
}
/** 4.2: a query of List Characters that a service must take. */
export interface ListCharactersQuery {
  /** How many summaries a page holds. */
  page_size?: number
  /** `next_page_token` of the page before; an invalid one is rejected with 20004. */
  page_token?: string
}
/** 4.2: data of List Characters: summaries, newest first; `next_page_token` is empty when there are no more pages. */
export interface ListCharactersResponse {
  items: CharacterSummary[]
  next_page_token: string
}
/** 4.3: data of List Voices. */
export interface ListVoicesResponse {
  voices: Voice[]
}
/** 6.2: asset.add is accepted. */
export interface AssetAddedEvent {
  event_id: string
  type: 'asset.added'
  assets: {
    images?: {
      asset_id: string
      url?: string
      mime_type?: string
    }[]
    audio?: {
      asset_id: string
      url?: string
      mime_type?: 'audio/wav' | 'audio/mpeg'
    }[]
    speech_text?: {
      asset_id: string
      text?: string
      format?: string
    }[]
    visual_prompts?: {
      asset_id: string
      text?: string
      format?: string
    }[]
  }
}
/** 6.2: avatar.add is accepted. */
export interface AvatarAddedEvent {
  event_id: string
  type: 'avatar.added'
  avatars: AvatarResponse[]
}
/** 6.2: an item is created by the client or by generation. */
export interface ConversationItemCreatedEvent {
  event_id: string
  type: 'conversation.item.created'
  previous_item_id: string | null
  item: ConversationItemResponse
}
/** 6.2: reply to delete. */
export interface ConversationItemDeletedEvent {
  event_id: string
  type: 'conversation.item.deleted'
  item_id: string
}
/** 6.2: final transcript. */
export interface ConversationItemInputAudioTranscriptionCompletedEvent {
  event_id: string
  type: 'conversation.item.input_audio_transcription.completed'
  item_id: string
  content_index: ResponseCount
  transcript: string
}
/** 6.2: partial transcript. */
export interface ConversationItemInputAudioTranscriptionDeltaEvent {
  event_id: string
  type: 'conversation.item.input_audio_transcription.delta'
  item_id: string
  content_index?: ResponseCount
  delta?: string
}
/** 6.2: transcription failed for an item. */
export interface ConversationItemInputAudioTranscriptionFailedEvent {
  event_id: string
  type: 'conversation.item.input_audio_transcription.failed'
  item_id: string
  content_index: ResponseCount
  error: {
    message: string
    type: string
    code?: string
    /** No type is stated. */
    param?: unknown
  }
}
/** 6.2: reply to retrieve. */
export interface ConversationItemRetrievedEvent {
  event_id: string
  type: 'conversation.item.retrieved'
  item: ConversationItemResponse
}
/** 6.2: a client or server processing step failed. */
export interface ErrorEvent {
  event_id: string
  type: 'error'
  error: {
    message: string
    type: string
    code?: string
    /** The client event that caused it. */
    event_id?: string
    /** No type is stated. */
    param?: unknown
  }
}
/** 6.2: user speech is detected. */
export interface InputAudioSpeechStartedEvent {
  event_id: string
  type: 'input_audio.speech_started'
  /** Provisional audio item. */
  item_id: string
  audio_start_ms: ResponseCount
}
/** 6.2: user speech ended. */
export interface InputAudioSpeechStoppedEvent {
  event_id: string
  type: 'input_audio.speech_stopped'
  item_id: string
  audio_end_ms: ResponseCount
}
/** 6.2: a response starts. */
export interface ResponseCreatedEvent {
  event_id: string
  type: 'response.created'
  response: ResponseResource & {
    status?: 'in_progress'
  }
  request_event_id?: string
}
/** 6.2: a response reached a final state. */
export interface ResponseDoneEvent {
  event_id: string
  type: 'response.done'
  response: ResponseResource & {
    status?: 'completed' | 'cancelled' | 'failed' | 'incomplete'
  }
}
/** 6.2: an item is done streaming. */
export interface ResponseOutputItemDoneEvent {
  event_id: string
  type: 'response.output_item.done'
  response_id: string
  output_index: number
  item: ConversationItemResponse
}
/** 6.2: incremental assistant text. */
export interface ResponseOutputTextDeltaEvent {
  event_id: string
  type: 'response.output_text.delta'
  response_id: string
  item_id: string
  output_index: number
  delta: string
}
/** 6.2: final assistant text. */
export interface ResponseOutputTextDoneEvent {
  event_id: string
  type: 'response.output_text.done'
  response_id: string
  item_id: string
  output_index: number
  text: string
}
/** 6.2: avatar output begins rendering. */
export interface ResponseRenderStartedEvent {
  event_id: string
  type: 'response.render.started'
  response_id: string
}
/** 6.2: avatar output is no longer rendering. */
export interface ResponseRenderStoppedEvent {
  event_id: string
  type: 'response.render.stopped'
  response_id: string
  status: 'completed' | 'cancelled' | 'interrupted' | 'failed'
}
/** 6.2: terminal result of the opening. */
export interface SessionBootstrapOpeningDoneEvent {
  event_id: string
  type: 'session.bootstrap.opening.done'
  status: 'completed' | 'cancelled' | 'failed'
  reason?: string
}
/** 6.2: the session is closing. */
export interface SessionClosedEvent {
  event_id: string
  type: 'session.closed'
  session_id: string
  reason: string
}
/** 6.2: terminal result of an accepted session.update. */
export interface SessionUpdateDoneEvent {
  event_id: string
  type: 'session.update.done'
  request_event_id: string
  status: 'completed' | 'cancelled' | 'failed'
  reason?: string
}
/** 6.2: a session.update is applied. */
export interface SessionUpdatedEvent {
  /** The client event's own id when it had one. */
  event_id: string
  type: 'session.updated'
  session: {
    mode: 'text_chat' | 'video_avatar'
    active_avatar_id: string
    source_image_id: string | null
  }
  media_transport?: string
  /** Updated connection details. */
  media?: {
    [k: string]: unknown
  }
}
