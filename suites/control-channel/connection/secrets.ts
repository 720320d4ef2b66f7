import type { OpenSession } from '#scenario/author/context'
import { textAt } from '#trace/json'

export function secretOf({ data }: OpenSession): string {
  return textAt(data, '/control/client_secret') ?? ''
}

export function urlOf({ data }: OpenSession): string {
  return textAt(data, '/control/url') ?? ''
}

/**
 * The secret with two characters added, or one changed or taken away; padding of base64 stays in its place. A single one
 * more may say nothing where the secret is read as bytes, while two figures are a byte more in any reading. One that mixes
 * capitals and small letters is another with each turned: in one that does not, they may say nothing.
 */
export function nearMisses(secret: string): readonly string[] {
  const body = secret.replace(/=+$/, '')
  const padding = secret.slice(body.length)
  const middle = Math.floor(body.length / 2)
  const other = body[middle] === 'm' ? 'n' : 'm'
  return [
    `${body}11${padding}`,
    `${body.slice(0, middle)}${other}${body.slice(middle + 1)}${padding}`,
    `${body.slice(0, -1)}${padding}`,
    ...(/\p{Lu}/u.test(body) && /\p{Ll}/u.test(body) ? [turned(secret)] : []),
  ]
}

function turned(text: string): string {
  return text.replaceAll(/\p{L}/gu, (letter) => (/\p{Lu}/u.test(letter) ? letter.toLowerCase() : letter.toUpperCase()))
}
