import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentOf, profileOf } from '#target/profile'
import type { RunningTarget } from '#target/start'

/** A server under test. */
export interface Served {
  readonly profile: object
  readonly ca_pem: string | undefined
  readonly environment: { readonly [name: string]: string }
}

/** A server, and how many sessions it still holds, where it tells. */
export interface Running extends Served {
  readonly open: () => number
  readonly stop: () => Promise<void>
}

/** What the reference target tells of itself. */
export const servedBy = (target: RunningTarget) => ({
  profile: profileOf(target),
  ca_pem: target.ca_pem,
  environment: environmentOf(target),
})

/** Writes a profile for `--target` into a folder, in which runs keep their journals, too. @returns with their environment */
export function targetFile(
  folder: string,
  { profile, ca_pem, environment }: Served,
): { readonly file: string; readonly env: { readonly [name: string]: string } } {
  const [file, ca_file] = [join(folder, 'profile.json'), join(folder, 'ca.pem')]
  writeFileSync(ca_file, ca_pem ?? '')
  writeFileSync(file, JSON.stringify({ ...profile, ca_file }))
  return { file, env: { ...environment, XDG_STATE_HOME: folder } }
}
