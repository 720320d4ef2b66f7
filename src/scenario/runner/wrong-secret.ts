import type { WrongSecret } from '#trace/stand-ins'

/** How a secret differs from the session's own; undefined for that itself. */
export function wrongSecret(own: string | undefined, used: string | undefined): WrongSecret | undefined {
  if (own === undefined || used === undefined || used === '' || used === own) return undefined
  const alike = sharedStart(own, used) + sharedStart(reversed(own), reversed(used))
  if (alike < Math.min(own.length, used.length) - 1) return 'other'
  if (used.length === own.length) return 'changed'
  return used.length > own.length ? 'longer' : 'shorter'
}

/** A secret that differs from the session's own in this way; padding of base64 stays in its place. */
export function makeWrong(own: string, how: WrongSecret): string {
  const body = own.replace(/=+$/, '')
  const padding = own.slice(body.length)
  const middle = Math.floor(body.length / 2)
  switch (how) {
    case 'longer':
      return `${body}x${padding}`
    case 'shorter':
      return body.slice(0, -1) + padding
    case 'changed':
      return `${body.slice(0, middle)}${body[middle] === 'm' ? 'n' : 'm'}${body.slice(middle + 1)}${padding}`
    case 'other':
      return `never-issued-${reversed(body)}`
  }
}

function sharedStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length += 1
  return length
}

function reversed(text: string): string {
  return text.split('').toReversed().join('')
}
