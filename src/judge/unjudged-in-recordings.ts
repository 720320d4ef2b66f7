import type { RequirementId } from '#spec/register'

const byName =
  'a recording cannot tell whose it is: names are those of clients, and who else uses the workspace is not recorded'

const saved =
  '[a-z-]+-(?:saved|default|kept)|active-avatar-sole|idle-timeout-omitted-zero|expires-within-saved-duration'
const restsOnCharacters = new RegExp(
  String.raw`^characters\.(?:${[
    String.raw`create\.returned-by-get`,
    String.raw`get\.own-character-found`,
    String.raw`list\.(?:item-(?:name|model|resolution|resolution-only-when-stored|timestamps-agree)|shows-all|shows-replaced)`,
    String.raw`replace\.(?:accepted|stored|name-replaced|leaves-others|[a-z-]+-gone|omitted-gone-from-sessions)`,
    String.raw`delete\.(?:accepted|leaves-others)`,
    String.raw`session\.(?:${saved}|starts-by-id-alone|edit-applies-later|auto-close-applies-later)`,
  ].join('|')})$`,
)

/**
 * Why a breach of this row says nothing in a recording, while what held is told. Saved characters are the workspace's: a
 * console or a second instance of an app may change or delete one past the proxy.
 */
export function whyBreachIsOpen(id: string): string | undefined {
  return restsOnCharacters.test(id)
    ? 'somebody else in the workspace may have changed the character: a recording does not show who else uses it'
    : undefined
}

/**
 * Rows that say nothing in a recording, each with the reason. What they rest on is true of a run of `check` only: that a
 * name was thought of by Greenroom, and is nobody else's.
 */
export const unjudgedInRecordings: ReadonlyMap<string, string> = new Map<RequirementId, string>([
  ['characters.create.refused-leaves-no-character', byName],
  ['voices.clone.refused-makes-nothing', byName],
  ['voices.code-30007.makes-nothing', byName],
])
