/** Fields, headers and query parameters whose value is a secret, wherever they stand; without `_` and `-`. */
const names = [
  'clientsecret',
  'token',
  'usersig',
  'ttsapikey',
  'llmapikey',
  'apikey',
  'xapikey',
  'authorization',
  'proxyauthorization',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'secret',
  'password',
  'cookie',
  'setcookie',
]

const known = new Set(names)

/** What was said of the names that come again and again; no more of them than a target can fill memory with. */
const said = new Map<string, boolean>()
const mostSaid = 2_000
const longestSaid = 64

/** Whether a value under this name is a secret. Case, `_` and `-` make no difference. */
export function isSecretName(name: string): boolean {
  const before = said.get(name)
  if (before !== undefined) return before
  const secret = known.has(name.toLowerCase().replaceAll(/[_-]/g, ''))
  if (said.size < mostSaid && name.length <= longestSaid) said.set(name, secret)
  return secret
}

/** In texts; `page_token` is none. */
const spelled =
  '(?:(?:tts|llm|x)?[_-]?api[_-]?key|client[_-]?secret|user[_-]?sig|(?:(?:access|refresh|auth)[_-]?)?token|authorization|password)'

/** Cheap test that goes before the patterns below: all of them ask for an equals sign or for quotes, and few texts hold such. */
export function mayHoldPair(text: string): boolean {
  return (text.includes('=') || text.includes('"')) && /token|secret|sig|key|authorization|password/i.test(text)
}

/** `name=value` in a URL or a form. Groups: what stands before, the value. */
export const inQuery = new RegExp(String.raw`((?:^|[?&;,(\s])${spelled}=)(\[[\w.-]+ [\w.-]+\]|[^&;#\s"'<>\\]+)`, 'gi')

/** `"name": "value"` in JSON text. */
export const inJsonText = new RegExp(String.raw`("${spelled}"\s*:\s*")((?:[^"\\]|\\.)+)`, 'gi')

/** The same in JSON text that is itself a JSON string. */
export const inQuotedJsonText = new RegExp(String.raw`(\\"${spelled}\\"\s*:\s*\\")((?:(?!\\")[^])+)`, 'gi')

/** Credentials in front of a URL's host. */
export const inAuthority = /(\/\/)([^\s/?#@:"'<>]*:[^\s/?#@"'<>]*)(?=@)/g

/** What stands around the secret in a header's value, so that a trace still shows the scheme. */
export interface Credential {
  readonly before: string
  readonly secret: string
  readonly after: string
}

/** Takes `Bearer <secret>` and `name=<secret>; Path=/` apart; any other value is all secret. */
export function credentialIn(name: string, value: string): Credential {
  const pattern = /cookie$/i.test(name) ? /^([^=;]*=)([^;]+)(.*)$/s : /^((?:bearer|basic|digest|token) +)(.+)()$/is
  const found = pattern.exec(value)
  if (found === null) return { before: '', secret: value, after: '' }
  return { before: found[1] ?? '', secret: found[2] ?? '', after: found[3] ?? '' }
}
