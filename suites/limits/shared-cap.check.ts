import type { Profile } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import { scenario } from '#scenario/author/scenario'
import { accepted, answer, any, equals, rejected, value } from '#trace/conditions'
import { textChat } from './bodies.ts'
import { type FullFloor, fill, toldByFull } from './fill.ts'
import { blameExcess, closeOne, full, keep, tryCreate } from './floor.ts'
import { pauseBefore } from './freed-place.ts'
import { gone } from './gone.ts'

const [key, other] = ['primary', 'same_workspace'] as const
const row = 'limits.concurrency.shared-by-keys'
/** More sessions than this are not opened, whatever the profile declares. */
const most = 120

/** What one key has filled is full for the other key of the workspace. */
export const sharedCap = scenario({
  id: 'limits.shared-cap',
  tier: 'full',
  runs: 'alone',
  needs: { keys: [other] },
  claims: [row, toldByFull],
  price: { requests: { [key]: 251, [other]: 4 }, typical: 48, sessions: { [key]: 1 } },
  async drive(c) {
    const cap = affordable(c.profile)
    const floor = await fill(c, { key, cap, rows: [] })
    const [refused, one, two] = [c.exchange(), c.exchange(), c.exchange()]
    c.claim(row, rejected(refused, any(accepted(one), accepted(two)), [full]), {
      given: [equals(answer(refused, '/code'), value(full))],
      given_code: 'model_choice',
    })
    if (await tryCreateByOther(c, floor, refused)) {
      if (!floor.alone) c.block('quota', 'others use the workspace, too')
      const extra = cap === undefined ? await tryBothAgain(c, floor) : refused
      if (extra !== undefined) await blameExcess(c, floor, [row], extra)
      return
    }
    const [oldest] = floor.open
    if (oldest === undefined) return c.block('prerequisite', 'no session is open')
    await closeOne(c, floor, oldest)
    await gone(c, oldest)
    if (await tryCreateByOther(c, floor, one)) return
    await c.wait(pauseBefore(c, 3), 'backoff')
    await tryCreateByOther(c, floor, two)
  },
})

async function tryCreateByOther(c: Context, floor: FullFloor, exchange: number): Promise<boolean> {
  const body = textChat(c.id('shared'))
  return keep(c, floor, await c.attempt(body, { key: other, exchange })).ok
}

/**
 * Where the cap is not known, a place may have become free between the two keys: sessions that close may hold theirs (3.1).
 * @returns the create of the other key that was accepted though the first one still had no place
 */
async function tryBothAgain(c: Context, floor: FullFloor): Promise<number | undefined> {
  const [own, extra] = [c.exchange(), c.exchange()]
  const again = await tryCreate(c, floor, textChat(c.id('place')), own)
  if (again.code !== full) return undefined
  return (await tryCreateByOther(c, floor, extra)) ? extra : undefined
}

/** The declared cap, where opening and closing so many sessions takes no more than a few minutes. */
function affordable({ limits = {} }: Profile): number | undefined {
  const cap = limits[key]?.concurrent_sessions ?? limits[other]?.concurrent_sessions
  const perMinute = limits[key]?.requests_per_minute ?? 60
  return cap !== undefined && cap <= Math.min(most, perMinute) ? cap : undefined
}
