import type { Client } from '#client/client'
import { allowedPerWindow } from '#client/pace/pace'
import type { KeyName, Profile } from '#spec/profile'
import { window_ms } from '../author/rate-budget.ts'
import { paceOf } from '../plan/plan.ts'

/** Requests that looking at one ended thing takes. */
const fewRequests = 4

/** Whether a key may still send a few requests within this minute. */
export function hasRoom(client: Pick<Client, 'usage'>, profile: Profile, key: KeyName): boolean {
  const { sent } = client.usage(key, window_ms)
  return sent + fewRequests <= allowedPerWindow(paceOf(profile, key))
}
