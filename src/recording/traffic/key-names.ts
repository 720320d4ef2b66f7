import { createHmac, randomBytes } from 'node:crypto'
import type { KeyName } from '#spec/profile'
import type { Redactor } from '#trace/redact'

/** Keys whose names are remembered; one of those beyond has a name by its digest, which is the same each time. */
const mostUnlisted = 1_000

/** Says under which name a trace knows the key of a request. */
export interface KeyNames {
  /** The profile's name of the key, `unlisted-1`, … for one that it does not name, `none` or `malformed`. */
  nameOf(authorization: string | undefined): string
  /** What of the header may be written: a credential in no form that 5.1 knows is hidden, whatever it is. */
  shown(authorization: string): string
}

/** @param keys values of the keys that the profile names, where the environment has them */
export function keyNames(keys: { readonly [name in KeyName]?: string }, redactor: Redactor): KeyNames {
  const names = new Map(Object.entries(keys).map(([name, value]) => [value, name]))
  const salt = randomBytes(16)
  let unlisted = 0
  const learn = (key: string): string => {
    if (unlisted >= mostUnlisted) return `unlisted-${createHmac('sha256', salt).update(key).digest('hex').slice(0, 16)}`
    unlisted += 1
    redactor.learn('api_key', key)
    const name = `unlisted-${unlisted}`
    names.set(key, name)
    return name
  }
  return {
    nameOf: (authorization) => {
      if (authorization === undefined || authorization.trim() === '') return 'none'
      const key = bearerIn(authorization)
      return key === undefined ? 'malformed' : (names.get(key) ?? learn(key))
    },
    shown: (authorization) => {
      if (bearerIn(authorization) !== undefined) return authorization
      const [first = '', ...more] = authorization.trim().split(/\s+/)
      const known = [first, ...more].find((word) => names.has(word))
      if (known !== undefined) return authorization
      return more.length === 0 ? '(hidden)' : `${first} (hidden)`
    },
  }
}

/** 5.1: `Authorization: Bearer <API_KEY>`. */
export function bearerIn(authorization: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization.trim())?.[1]
}
