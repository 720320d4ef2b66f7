import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isLoopback } from '#client/base-address'
import { type KeyName, keyNames, type Profile } from '#spec/profile'
import { fileTrouble, usage } from '../stop.ts'
import { checkAddress } from './address.ts'
import { checkAuthority } from './authority.ts'
import { checkProfileShape } from './profile-shape.ts'
import { checkSecrets } from './secrets.ts'
import { checkVoiceSample } from './voice-sample.ts'

type Environment = { readonly [name: string]: string | undefined }

/** A target that can be spoken to: its profile is whole, and its key is there. */
export interface LoadedProfile {
  /** `ca_file` and `media.voice_sample` are absolute. */
  readonly profile: Profile
  /** Optional keys whose variable is not set. */
  readonly unset: readonly KeyName[]
}

/**
 * Reads a profile, or makes one for a bare URL (its key is then in GREENROOM_API_KEY).
 *
 * @param target a file or a URL
 * @throws Stop (2) naming the field and what to do
 */
export function loadProfile(target: string, environment: Environment): LoadedProfile {
  const profile = loadProfileAlone(target)
  checkSecrets(profile, environment)
  return { profile, unset: keyNames.filter((name) => isUnset(profile.keys[name], environment)) }
}

/** A profile for whoever sends nothing: the variables that it names need no value. @throws Stop (2) */
export function loadProfileAlone(target: string): Profile {
  const profile = /^[a-z][a-z\d+.-]*:\/\//i.test(target) ? bareProfile(target) : readProfile(target)
  checkAddress(profile)
  checkAuthority(profile)
  checkVoiceSample(profile)
  return profile
}

function isUnset(variable: string | undefined, environment: Environment): boolean {
  return variable !== undefined && (environment[variable] ?? '') === ''
}

/** Who types `http://localhost` has allowed it. */
function bareProfile(url: string): Profile {
  const profile: Profile = { base_url: url, keys: { primary: 'GREENROOM_API_KEY' } }
  checkProfileShape(profile, '--target')
  return url.startsWith('http:') && isLoopback(URL.parse(url)?.hostname ?? '')
    ? { ...profile, allow_insecure_loopback: true }
    : profile
}

function readProfile(file: string): Profile {
  const profile = parse(file, readText(file))
  checkProfileShape(profile, file)
  const { ca_file, media } = profile
  const beside = (path: string) => resolve(dirname(file), path)
  return {
    ...profile,
    ...(ca_file === undefined ? {} : { ca_file: beside(ca_file) }),
    ...(media?.voice_sample === undefined ? {} : { media: { ...media, voice_sample: beside(media.voice_sample) } }),
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const hint = 'give a profile file, or a URL that starts with https://'
    throw usage(`--target ${JSON.stringify(file)} cannot be read (${fileTrouble(error)}); ${hint}`)
  }
}

/** The parser's own message quotes the file, which might hold a secret by mistake: only the place is passed on. */
function parse(file: string, text: string): Profile {
  try {
    return JSON.parse(text)
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : '')?.[0]
    throw usage(
      `the profile ${file} is not JSON${place === undefined ? '' : ` ${place}`}; mend it, or start from "greenroom init"`,
    )
  }
}
