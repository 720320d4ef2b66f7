import { keyNames, type Profile } from '#spec/profile'
import { usage } from '../stop.ts'

type Environment = { readonly [name: string]: string | undefined }

/**
 * Checks the environment variables that a profile names. Values never appear in a message.
 *
 * @throws Stop (2)
 */
export function checkSecrets(profile: Profile, environment: Environment): void {
  const primary = profile.keys.primary
  if (primary === undefined)
    throw usage('keys.primary is missing: the name of the environment variable with the API key')
  if (valueOf(primary, environment) === undefined) {
    throw usage(`the environment variable ${primary} is not set; it must hold the API key (keys.primary)`)
  }
  checkKeys(profile, environment)
  for (const [header, variable] of Object.entries(profile.headers ?? {})) {
    const value = valueOf(variable, environment)
    if (value === undefined) throw usage(`the environment variable ${variable} is not set (headers.${header})`)
    if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) throw unsendable(variable, `headers.${header}`)
  }
  checkProxy(profile.proxy, environment)
}

function valueOf(variable: string, environment: Environment): string | undefined {
  const value = environment[variable]
  return value === undefined || value === '' ? undefined : value
}

/** The same key under two names would make isolation and limits look broken that are not. */
function checkKeys(profile: Profile, environment: Environment): void {
  const holders = new Map<string, string>()
  for (const name of keyNames) {
    const variable = profile.keys[name]
    const value = variable === undefined ? undefined : valueOf(variable, environment)
    if (variable === undefined || value === undefined) continue
    if (!/^[\u0021-\u007e]+$/.test(value)) throw unsendable(variable, `keys.${name}`)
    const other = holders.get(value)
    if (other !== undefined) throw usage(`keys.${other} and keys.${name} hold the same API key; leave one of them out`)
    holders.set(value, name)
  }
}

function checkProxy(variable: string | undefined, environment: Environment): void {
  if (variable === undefined) return
  const value = valueOf(variable, environment)
  if (value === undefined)
    throw usage(`the environment variable ${variable} is not set; it must hold the proxy's address`)
  const protocol = URL.parse(value)?.protocol
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw usage(`the environment variable ${variable} (proxy) does not hold a URL that starts with http:// or https://`)
  }
}

function unsendable(variable: string, field: string): Error {
  return usage(
    `the value of ${variable} (${field}) holds characters that no header can carry, such as a line end or a space`,
  )
}
