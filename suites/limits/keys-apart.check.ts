import { scenario } from '#scenario/author/scenario'
import { suspectsOfWorkspace, tellApart } from './keys-apart.ts'

/** Where a key of one workspace was refused without need: whether requests of the other count as its own. Else nothing. */
export const keysApart = scenario({
  id: 'limits.keys-apart',
  needs: { keys: ['same_workspace'] },
  runs: 'last',
  steps: [tellApart],
  price: { requests: { primary: 70, same_workspace: 70 }, typical: 0 },
  async drive(c) {
    const pairs = suspectsOfWorkspace(c)
    if (pairs !== undefined) await tellApart(c, pairs)
  },
})
