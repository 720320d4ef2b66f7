import { keyNames, type Profile } from '#spec/profile'

type Environment = { readonly [name: string]: string | undefined }

/**
 * What is wrong with the environment variables that a profile names, a sentence each. Values never appear in one.
 */
export function secretFaults(profile: Profile, environment: Environment): readonly string[] {
  return [
    ...primaryFaults(profile.keys.primary, environment),
    ...keyFaults(profile, environment),
    ...headerFaults(profile.headers ?? {}, environment),
    ...proxyFaults(profile.proxy, environment),
  ]
}

function primaryFaults(primary: string | undefined, environment: Environment): readonly string[] {
  if (primary === undefined) return ['keys.primary is missing: the name of the environment variable with the API key']
  if (valueOf(primary, environment) !== undefined) return []
  return [`the environment variable ${primary} is not set; it must hold the API key (keys.primary)`]
}

function valueOf(variable: string, environment: Environment): string | undefined {
  const value = environment[variable]
  return value === undefined || value === '' ? undefined : value
}

/** The same key under two names would make isolation and limits look broken that are not. */
function keyFaults(profile: Profile, environment: Environment): readonly string[] {
  const holders = new Map<string, string>()
  return keyNames.flatMap((name) => {
    const variable = profile.keys[name]
    const value = variable === undefined ? undefined : valueOf(variable, environment)
    if (variable === undefined || value === undefined) return []
    if (!/^[\u0021-\u007e]+$/.test(value)) return [unsendable(variable, `keys.${name}`)]
    const other = holders.get(value)
    if (other !== undefined) return [`keys.${other} and keys.${name} hold the same API key; leave one of them out`]
    holders.set(value, name)
    return []
  })
}

function headerFaults(headers: NonNullable<Profile['headers']>, environment: Environment): readonly string[] {
  return Object.entries(headers).flatMap(([header, variable]) => {
    // It would go with requests that are meant to have no key, or another one.
    if (header.toLowerCase() === 'authorization')
      return [
        `headers.${header} is not for the profile to set, as it carries the key of each request; name keys in keys`,
      ]
    const value = valueOf(variable, environment)
    if (value === undefined) {
      return [`the environment variable ${variable} is not set (headers.${header}); it must hold the header's value`]
    }
    return /[^\t\u0020-\u007e\u0080-\u00ff]/.test(value) ? [unsendable(variable, `headers.${header}`)] : []
  })
}

function proxyFaults(variable: string | undefined, environment: Environment): readonly string[] {
  if (variable === undefined) return []
  const value = valueOf(variable, environment)
  if (value === undefined)
    return [`the environment variable ${variable} is not set; it must hold the proxy's address (proxy)`]
  const protocol = URL.parse(value)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return []
  return [`the environment variable ${variable} (proxy) does not hold a URL that starts with http:// or https://`]
}

function unsendable(variable: string, field: string): string {
  return `the value of ${variable} (${field}) holds characters that no header can carry, such as a line end or a space`
}
