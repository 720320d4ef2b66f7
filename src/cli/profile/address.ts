import { isLoopback } from '#client/base-address'
import type { Profile } from '#spec/profile'
import { usage } from '../stop.ts'

/** @throws Stop (2) unless `base_url` is an address that keys may be sent to */
export function checkAddress({ base_url, allow_insecure_loopback }: Profile): void {
  const url = URL.parse(base_url)
  if (url === null) throw usage(`base_url is not a URL; write it as https://host or https://host:port`)
  if (url.username !== '' || url.password !== '') {
    throw usage('base_url holds a user name or password; keys belong into environment variables, named under "keys"')
  }
  if (url.search !== '' || url.hash !== '') throw usage(`base_url ${base_url} has a query or fragment; leave it out`)
  if (url.protocol === 'https:') return
  if (url.protocol !== 'http:') throw usage(`base_url ${base_url} is not https; only https carries keys safely`)
  if (!isLoopback(url.hostname))
    throw usage(`base_url ${base_url} is not https; keys are not sent in the clear over a network`)
  if (allow_insecure_loopback === true) return
  throw usage(`base_url ${base_url} is not https; set "allow_insecure_loopback": true to allow it on this machine`)
}
