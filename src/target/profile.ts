import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'
import type { Profile } from '#spec/profile'
import { byKey, KEY_NAMES, type KeyName } from './keys.ts'
import type { RunningTarget } from './options.ts'

/** Name of the environment variable that holds a key of an embedded target. */
const variableOf = (name: KeyName): string => `GREENROOM_EMBEDDED_${name.toUpperCase()}`

/** Whether a profile that names this variable for its key is that of an embedded target. */
export const isEmbeddedKey = (variable: string | undefined): boolean => variable === variableOf('primary')

/** What this target serves so far; the rest answers as unknown resources. */
export const served = {
  video: true,
  resolution_480p: true,
  rtc_b: true,
  lite_model: true,
  characters: true,
  audio_files: true,
  voices: true,
  public_voices: true,
  world_sessions: true,
  tool_calls: true,
} as const

/**
 * Describes a running target. The certificate is in memory, so whoever wants `ca_file` writes `ca_pem` there first.
 * @param files.caFile where the PEM was written.
 */
export function profileOf(target: RunningTarget, files: { caFile?: string } = {}): Profile {
  return {
    base_url: target.base_url,
    ...(files.caFile === undefined ? {} : { ca_file: files.caFile }),
    keys: byKey(variableOf),
    abilities: { ...served, ...Object.fromEntries(target.lacks.map((ability) => [ability, false])) },
    limits: target.limits,
    media: { ...target.media, voice_sample: join(packageRoot(), 'fixtures/media/speech.wav') },
    triggers: target.triggers,
    denies: ['create-avatar-session', 'create-session-from-character', 'create-world-session', 'clone-voice'],
    timeouts: { reply_ms: 5000, event_ms: 3000, closed_ms: 5000, auto_close_grace_ms: 3000, provisioning_ms: 5000 },
    allow_load: true,
    allow_insecure_loopback: target.ca_pem === undefined,
  }
}

/** The environment that goes with `profileOf`: variable name to key. */
export const environmentOf = (target: RunningTarget): Record<string, string> =>
  Object.fromEntries(KEY_NAMES.map((name) => [variableOf(name), target.keys[name]]))
