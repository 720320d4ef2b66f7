import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { perKey, suspectsOfWorkspace, tellApart } from './keys-apart.ts'

/** Where a key of one workspace was refused without need: whether requests of the other count as its own. Else nothing. */
export const keysApart: Scenario = {
  id: 'limits.keys-apart',
  needs: { keys: ['same_workspace'] },
  runs: 'last',
  proves: [perKey],
  price: { requests: { primary: 70, same_workspace: 70 }, typical: 0 },
  async drive(context: Context) {
    const pairs = suspectsOfWorkspace(context)
    if (pairs !== undefined) await tellApart(context, pairs)
  },
}
