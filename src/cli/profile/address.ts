import { isLoopback } from '#client/base-address'
import type { Profile } from '#spec/profile'

/** Why keys may not be sent to `base_url`, in a sentence; nothing where they may. */
export function addressFaults({ base_url, allow_insecure_loopback }: Profile): readonly string[] {
  const url = URL.parse(base_url)
  if (url === null) return [`base_url is not a URL; write it as https://host or https://host:port`]
  if (url.username !== '' || url.password !== '') {
    return ['base_url holds a user name or password; keys belong into environment variables, named under "keys"']
  }
  if (url.search !== '' || url.hash !== '') return [`base_url ${base_url} has a query or fragment; leave it out`]
  if (url.protocol === 'https:') return []
  if (url.protocol !== 'http:') return [`base_url ${base_url} is not https; only https carries keys safely`]
  if (!isLoopback(url.hostname))
    return [`base_url ${base_url} is not https; keys are not sent in the clear over a network`]
  if (allow_insecure_loopback === true) return []
  return [`base_url ${base_url} is not https; set "allow_insecure_loopback": true to allow it on this machine`]
}
