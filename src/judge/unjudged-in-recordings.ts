import type { RequirementId } from '#spec/register'

const byName =
  'a recording cannot tell whose it is: names are those of clients, and who else uses the workspace is not recorded'

/**
 * Rows that say nothing in a recording, each with the reason. What they rest on is true of a run of `check` only: that a
 * name was thought of by Greenroom, and is nobody else's.
 */
export const unjudgedInRecordings: ReadonlyMap<string, string> = new Map<RequirementId, string>([
  ['characters.create.refused-leaves-no-character', byName],
  ['voices.clone.refused-makes-nothing', byName],
  ['voices.code-30007.makes-nothing', byName],
])
