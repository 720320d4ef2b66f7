import { type Account, type KeyName, keyNames } from './accounts/accounts.ts'
import { MEDIA, type Choices, TRIGGERS } from './choices.ts'

/** This server's own profile, as `greenroom check --target` reads it. */
export interface FullServerProfile {
  base_url: string
  keys: Record<KeyName, string>
  abilities: Record<string, boolean>
  limits: Record<KeyName, { requests_per_minute: number; concurrent_sessions: number }>
  media: { image_url: string; audio_url: string }
  triggers: { moderated_text: string; failing_voice_name: string; tool_call_text: string }
  timeouts: { event_ms: number; reply_ms: number }
}

/** The environment variable that holds the key of this name. */
export function environmentName(keyName: KeyName): string {
  return `SECOND_${keyName.toUpperCase()}`
}

const offered = [
  'video',
  'rtc_b',
  'characters',
  'audio_files',
  'voices',
  'public_voices',
  'world_sessions',
  'tool_calls',
]

function eachKey<T>(of: (name: KeyName) => T): Record<KeyName, T> {
  return Object.fromEntries(keyNames.map((name) => [name, of(name)])) as Record<KeyName, T>
}

export function describeFullServer(
  base_url: string,
  accounts: readonly Account[],
  choices: Choices,
): FullServerProfile {
  const limits = accounts.map(({ keyName, perMinute, workspace }) => [
    keyName,
    { requests_per_minute: perMinute, concurrent_sessions: workspace.cap },
  ])
  return {
    base_url,
    keys: eachKey(environmentName),
    abilities: { lite_model: true, ...Object.fromEntries(offered.map((name) => [name, !choices.textOnly])) },
    limits: Object.fromEntries(limits) as FullServerProfile['limits'],
    media: MEDIA,
    triggers: TRIGGERS,
    timeouts: { reply_ms: 10_000, event_ms: 10_000 },
  }
}
