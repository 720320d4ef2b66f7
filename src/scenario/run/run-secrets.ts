import { percentDecoded } from '#client/http/percent'
import type { KeyName, Profile } from '#spec/profile'
import { keyNames } from '#spec/profile'
import type { KnownSecret } from '#trace/redact'

export type Environment = { readonly [name: string]: string | undefined }

/** Values of the environment variables that a profile names. */
export interface Secrets {
  readonly keys: { readonly [name in KeyName]?: string }
  readonly headers: { readonly [name: string]: string }
  readonly proxy: string | undefined
}

type References = Pick<Profile, 'keys' | 'headers' | 'proxy'>

/** Takes the values from the environment; a variable that is missing or empty gives none. */
export function readSecrets(profile: References, environment: Environment): Secrets {
  const value = (variable: string | undefined) =>
    variable === undefined ? undefined : environment[variable] || undefined
  return {
    keys: present(keyNames.map((name) => [name, value(profile.keys[name])])),
    headers: present(Object.entries(profile.headers ?? {}).map(([name, variable]) => [name, value(variable)])),
    proxy: value(profile.proxy),
  }
}

/** Names of the keys that have a value. */
export function presentKeys({ keys }: Secrets): readonly KeyName[] {
  return keyNames.filter((name) => keys[name] !== undefined)
}

/** What must never be written anywhere. */
export function knownSecrets({ keys, headers, proxy }: Secrets): readonly KnownSecret[] {
  const url = proxy === undefined ? null : URL.parse(proxy)
  return [
    ...Object.entries(keys).map(([name, value]) => ({ label: `api_key ${name}`, value })),
    ...Object.entries(headers).map(([name, value]) => ({ label: `header ${name.toLowerCase()}`, value })),
    ...[url?.password, url && percentDecoded(url.password)].flatMap((value) =>
      value === undefined || value === null || value === '' ? [] : [{ label: 'proxy password', value }],
    ),
  ]
}

function present<Name extends string>(
  pairs: readonly (readonly [Name, string | undefined])[],
): { [name in Name]?: string } & {
  readonly [name: string]: string
} {
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as never
}
