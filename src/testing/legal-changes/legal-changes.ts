import { additions } from './additions.ts'
import { deltas } from './deltas.ts'
import { ends } from './ends.ts'
import { ids } from './ids.ts'
import type { LegalChange } from './legal-change.ts'
import { omissions } from './omissions.ts'
import { orders } from './orders.ts'
import { payloads } from './payloads.ts'
import { spellings } from './spellings.ts'
import { times } from './times.ts'
import { accidents } from './accidents.ts'

/** By what they change: of one kind, a change may take the ground from another. */
export const kindsOfChange: readonly (readonly LegalChange[])[] = [
  additions,
  spellings,
  omissions,
  ids,
  orders,
  deltas,
  ends,
  times,
  payloads,
  accidents,
]

/** All changes of a recorded run that no verdict may become worse by. */
export const legalChanges: readonly LegalChange[] = kindsOfChange.flat()
