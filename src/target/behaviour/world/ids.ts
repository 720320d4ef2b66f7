import type { Account } from '#target/keys'
import type { Random } from '#target/random'
import type { WorldChannel } from '#target/worlds/session'

/** Ids and secrets of world sessions; their shape is free. */
export const worldIds = () => ({
  session: (random: Random): string => `ws_${random.hex(20)}`,
  /** "short-lived", "scoped to one session", one for each channel (5.4). */
  secret: (random: Random, _account: Account, channel: WorldChannel): string => `w${channel[0]}s_${random.hex(40)}`,
})
