import { dirname, resolve } from 'node:path'
import { isLoopback } from '#client/base-address'
import { type KeyName, keyNames, type Profile } from '#spec/profile'
import { printable } from '#text/printable'
import { usage } from '../stop.ts'
import { addressFaults } from './address.ts'
import { authorityFaults } from './authority.ts'
import { readProfileFile } from './profile-file.ts'
import { shapeOfProfile } from './profile-shape.ts'
import { secretFaults } from './secrets.ts'
import { voiceSampleFaults } from './voice-sample.ts'

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
 * @throws Stop (2) naming each field that is wrong and what to do
 */
export function loadProfile(target: string, environment: Environment): LoadedProfile {
  const profile = load(target, (found) => secretFaults(found, environment))
  return { profile, unset: keyNames.filter((name) => isUnset(profile.keys[name], environment)) }
}

/**
 * A profile of an address and little more, as options give it.
 *
 * @throws Stop (2) naming each value that is wrong
 */
export function profileOfUrl(
  url: string,
  { caFile, imageUrl }: { readonly caFile?: string; readonly imageUrl?: string },
  environment: Environment,
): Profile {
  const profile = {
    ...bareProfile(url),
    ...(caFile === undefined ? {} : { ca_file: resolve(caFile) }),
    ...(imageUrl === undefined ? {} : { media: { image_url: imageUrl } }),
  }
  return whole(profile, '--probe', (found) => secretFaults(found, environment))
}

/** A profile for whoever sends nothing: the variables that it names need no value. @throws Stop (2) */
export function loadProfileAlone(target: string): Profile {
  return load(target, () => [])
}

function load(target: string, more: (profile: Profile) => readonly string[]): Profile {
  if (/^\s*[a-z][a-z\d+.-]*:\/\//i.test(target)) {
    if (target !== target.trim())
      throw usage(
        'the address in --target or GREENROOM_TARGET begins or ends with a space or a line end; leave that out',
      )
    return whole(bareProfile(target), '--target', more)
  }
  const beside = (profile: Profile) => besideFile(profile, target)
  return whole(readProfileFile(target), `the profile ${target}`, more, beside)
}

/** All faults are told at once. @throws Stop (2) */
function whole(
  value: unknown,
  subject: string,
  more: (profile: Profile) => readonly string[],
  resolved = (profile: Profile): Profile => profile,
): Profile {
  const shaped = shapeOfProfile(value)
  const profile = shaped.profile === undefined ? undefined : resolved(shaped.profile)
  const faults = [...shaped.faults, ...(profile === undefined ? [] : [...faultsOf(profile), ...more(profile)])]
  if (profile !== undefined && faults.length === 0) return profile
  throw usage(shaped.faults.length === 0 && faults.length === 1 ? (faults[0] ?? '') : sentence(subject, faults))
}

function faultsOf(profile: Profile): readonly string[] {
  return [...addressFaults(profile), ...authorityFaults(profile), ...voiceSampleFaults(profile)]
}

/** More than anybody mends at once: a file that is something else altogether may have any number. */
const faultsShown = 40

function sentence(subject: string, faults: readonly string[]): string {
  const [only = ''] = faults
  if (faults.length === 1) return printable(`${subject}: ${only}`, 600)
  const shown = faults.slice(0, faultsShown).map((fault, index) => `(${index + 1}) ${printable(fault, 150)}`)
  const more = faults.length - shown.length
  return `${subject} has ${faults.length} faults: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

function isUnset(variable: string | undefined, environment: Environment): boolean {
  return variable !== undefined && (environment[variable] ?? '') === ''
}

/** Who types `http://localhost` has allowed it. */
function bareProfile(typed: string): Profile {
  // Schemes are alike in either case (RFC 3986, 3.1).
  const url = typed.replace(/^https?:/i, (scheme) => scheme.toLowerCase())
  const profile: Profile = { base_url: url, keys: { primary: 'GREENROOM_API_KEY' } }
  return url.startsWith('http:') && isLoopback(URL.parse(url)?.hostname ?? '')
    ? { ...profile, allow_insecure_loopback: true }
    : profile
}

function besideFile(profile: Profile, file: string): Profile {
  const { ca_file, media } = profile
  const beside = (path: string) => resolve(dirname(file), path)
  return {
    ...profile,
    ...(ca_file === undefined ? {} : { ca_file: beside(ca_file) }),
    ...(media?.voice_sample === undefined ? {} : { media: { ...media, voice_sample: beside(media.voice_sample) } }),
  }
}
