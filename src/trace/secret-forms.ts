import { Buffer } from 'node:buffer'

/** A way to write a secret, and whether it stands in a URL. */
export interface SecretForm {
  readonly text: string
  readonly encoded: boolean
}

/** As it is, percent-encoded, in base64 (alone and as `Bearer …`), and escaped as in JSON text. */
export function formsOf(secret: string): readonly SecretForm[] {
  const plain = [secret, ...base64(secret), ...base64(`Bearer ${secret}`), JSON.stringify(secret).slice(1, -1)]
  const forms = [...new Set(plain)].map((text) => ({ text, encoded: false }))
  if (!secret.isWellFormed()) return forms
  const percent = encodeURIComponent(secret)
  if (percent === secret) return forms
  const lower = percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
  return [...forms, { text: percent, encoded: true }, { text: lower, encoded: true }]
}

/** Without padding, so that it is found with and without. */
function base64(text: string): readonly string[] {
  const bytes = Buffer.from(text)
  return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
}
