import { type Accounts, eachKey, type KeyName } from './accounts/accounts.ts'

/** The minimal server's own profile, as `greenroom check --target` reads it. */
export interface MinimalServerProfile {
  base_url: string
  keys: Record<KeyName, string>
  abilities: Record<string, boolean>
  limits: Record<KeyName, { requests_per_minute: number; concurrent_sessions: number }>
  media: { image_url: string; audio_url: string }
}

/** The environment variable that holds the key of this name. */
export function environmentName(keyName: string): string {
  return `MINIMAL_${keyName.toUpperCase()}_KEY`
}

const abilities = {
  video: false,
  rtc_b: false,
  resolution_480p: true,
  lite_model: true,
  characters: false,
  audio_files: false,
  voices: false,
  public_voices: false,
  world_sessions: false,
  tool_calls: false,
}

/** Text mode fetches no media, so any HTTPS address will do. */
const media = { image_url: 'https://media.example/face.png', audio_url: 'https://media.example/voice.wav' }

export function describeMinimalServer(base_url: string, accounts: Accounts): MinimalServerProfile {
  return {
    base_url,
    keys: eachKey(environmentName),
    abilities,
    limits: eachKey((name) => ({
      requests_per_minute: accounts.byName[name].limit,
      concurrent_sessions: accounts.byName[name].cap,
    })),
    media,
  }
}
