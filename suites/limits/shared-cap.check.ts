import type { Profile } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, answer, any, equals, rejected, value } from '#trace/conditions'
import { textChat } from './bodies.ts'
import { type FullFloor, fill } from './fill.ts'
import { blameExcess, full, keep, closeOne } from './floor.ts'
import { pauseBefore } from './freed-place.ts'
import { gone } from './gone.ts'

const [key, other] = ['primary', 'same_workspace'] as const
const row: RequirementId = 'limits.concurrency.shared-by-keys'
/** More sessions than this are not opened, whatever the profile declares. */
const most = 120

/** What one key has filled is full for the other key of the workspace. */
export const sharedCap: Scenario = {
  id: 'limits.shared-cap',
  tier: 'full',
  runs: 'alone',
  needs: { keys: [other] },
  proves: [row, 'limits.concurrency.full-told-by-30006'],
  price: { requests: { [key]: 250, [other]: 3 }, typical: 46, sessions: { [key]: 1 } },
  async drive(context: Context) {
    const cap = affordable(context.profile)
    const floor = await fill(context, { key, cap, rows: [] })
    const [refused, one, two] = [context.exchange(), context.exchange(), context.exchange()]
    context.claim(row, rejected(refused, any(accepted(one), accepted(two)), [full]), {
      given: [equals(answer(refused, '/code'), value(full))],
      given_code: 'model_choice',
    })
    if (await tryCreateByOther(floor, refused)) {
      if (!floor.alone) context.block('quota', 'others use the workspace, too')
      await blameExcess(floor, [row], refused)
      return
    }
    const [oldest] = floor.open
    if (oldest === undefined) context.block('prerequisite', 'no session is open')
    await closeOne(floor, oldest)
    await gone(context, oldest)
    if (await tryCreateByOther(floor, one)) return
    await context.wait(pauseBefore(context, 3), 'backoff')
    await tryCreateByOther(floor, two)
  },
}

async function tryCreateByOther(floor: FullFloor, exchange: number): Promise<boolean> {
  const { context } = floor
  const body = textChat(context.id('shared'))
  return keep(floor, await context.attempt(body, { key: other, exchange })).ok
}

/** The declared cap, where opening and closing so many sessions takes no more than a few minutes. */
function affordable({ limits = {} }: Profile): number | undefined {
  const cap = limits[key]?.concurrent_sessions ?? limits[other]?.concurrent_sessions
  const perMinute = limits[key]?.requests_per_minute ?? 60
  return cap !== undefined && cap <= Math.min(most, perMinute) ? cap : undefined
}
