import type { RequirementId } from '#spec/register'

/** What stands between the two in ids of the register: `Between<'world-sessions.create.', '-rejected'>`. */
export type Between<Before extends string, After extends string> = Inner<RequirementId, Before, After>

type Inner<Id, Before extends string, After extends string> = Id extends `${Before}${infer Name}${After}` ? Name : never
