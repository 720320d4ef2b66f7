import { createHash } from 'node:crypto'
import { isLoopback } from '#client/base-address'
import type { Profile } from '#spec/profile'

/**
 * sha256 of what a profile says of its target. One on this machine has another port, certificate and media address every
 * time, also where its control channel lives: its nights are compared all the same.
 */
export function profileDigest({ base_url, ...rest }: Profile): string {
  const told = isLoopback(new URL(base_url).hostname) ? lasting(rest) : rest
  return createHash('sha256').update(JSON.stringify(told)).digest('hex')
}

function lasting({ ca_file: _file, media: _media, control_hosts, ...rest }: Omit<Profile, 'base_url'>): object {
  return control_hosts === undefined ? rest : { ...rest, control_hosts: control_hosts.map(withoutPort) }
}

const withoutPort = (host: string): string => host.replace(/:\d+$/, '')
