import type { KeyName } from '#spec/profile'
import type { Context } from './context.ts'

/** Requests a minute that a key has by default (section 8). */
const usualRate = 60

/** The first of these keys that the profile has, and that isn't slower than usual; else `primary`. */
export function pickKey(context: Context, ...wanted: readonly KeyName[]): KeyName {
  const rate = (key: KeyName) => context.profile.limits?.[key]?.requests_per_minute ?? usualRate
  return wanted.find((key) => context.has(key) && rate(key) >= usualRate) ?? 'primary'
}
