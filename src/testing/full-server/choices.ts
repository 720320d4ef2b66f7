/** What may be turned at this server from one run to the next; everything else is fixed. */
export interface Choices {
  /** Factor on every delay of the server. */
  readonly slowness: number
  /** Open avatar sessions of a workspace. */
  readonly cap: number
  /** Rate limit of all keys but `rate_limited`. */
  readonly requestsPerMinute: number
  /** Whether anything beside text sessions and the lightweight model is offered. */
  readonly textOnly: boolean
  /** Whether `error.event_id` and `response.created.request_event_id` are filled in. */
  readonly namesCauses: 'responses' | 'always' | 'never'
  /** Whether a world may start by itself. */
  readonly automaticWorlds: boolean
  /** The longest page of characters, whatever was asked for. */
  readonly longestPage: number
  /** Whether much is done the other way that the interface leaves open, too. */
  readonly contrary: boolean
}

export const ownChoices: Choices = {
  slowness: 1,
  cap: 3,
  requestsPerMinute: 900,
  textOnly: false,
  namesCauses: 'responses',
  automaticWorlds: true,
  longestPage: 200,
  contrary: false,
}

/** The longest avatar session, which is the default, too. Seconds. */
export const LONGEST_SESSION_S = 900

/** What the platform sets where `auto_close.disconnected_timeout_seconds` is omitted. */
export const PLATFORM_DISCONNECTED_S = 75

/** The longest world session, whatever was asked for. Seconds. */
export const LONGEST_WORLD_S = 600

/** How long a descriptor of a world session is good. Seconds. */
export const WORLD_SECRET_S = 120

/** The longest that a world goes on without an Event. Milliseconds. */
export const LONGEST_IDLE_MS = 20_000

/** A page of characters above the maximum is lowered to this. */
export const LOWERED_PAGE = 7

export const MEDIA = {
  image_url: 'https://media.second.example/portraits/face.png',
  audio_url: 'https://media.second.example/sounds/voice.wav',
} as const

/** Where saved portraits are kept. */
export const REHOSTED = 'https://img.second.example/saved/'

export const TRIGGERS = {
  moderated_text: 'a scene of forbidden cruelty',
  failing_voice_name: 'Voice That Breaks The Provider',
  tool_call_text: 'Please look it up with your tool.',
} as const

/** Whether the service could fetch this address: there is no more in its world than these. */
export function canFetch(kind: 'image' | 'audio', address: string): boolean {
  if (kind === 'image' && address.startsWith(REHOSTED)) return true
  return address === (kind === 'image' ? MEDIA.image_url : MEDIA.audio_url)
}
