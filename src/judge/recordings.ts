import type { RequirementId } from '#spec/register'
import { isServerEventType } from '#spec/tables'
import { somethingWasCreated } from './answers.ts'
import type { ChannelRecord, TraceIndex } from './trace-index.ts'

/** Whether a trace is a recording of somebody's client, and none of a run of ours. */
export function isRecording({ header }: Pick<TraceIndex, 'header'>): boolean {
  return header?.recording !== undefined
}

/**
 * Whether a session was seen at all, without which no row passes: one was made, or, in a recording, it spoke. The API key
 * stays on a client's server (5.1), so that what is recorded in a browser holds the control channel of a session alone.
 */
export function sessionWasSeen(trace: TraceIndex): boolean {
  return somethingWasCreated(trace) || (isRecording(trace) && [...trace.channels.values()].some(spoke))
}

/** An echo of what a client says is no event of a service. */
function spoke({ frames }: ChannelRecord): boolean {
  return frames.some(
    ({ direction, type }) => direction === 'received' && typeof type === 'string' && isServerEventType(type),
  )
}

const byName =
  'a recording cannot tell whose it is: names are those of clients, and who else uses the workspace is not recorded'

const saved =
  '[a-z-]+-(?:saved|default|kept)|active-avatar-sole|idle-timeout-omitted-zero|expires-within-saved-duration'

function rows(part: string, ...ends: readonly string[]): RegExp {
  return new RegExp(String.raw`^${part}\.(?:${ends.join('|')})$`)
}

/** Rows whose breach rests on nobody else being there, each with why that is not known. */
const shared: readonly (readonly [rows: RegExp, why: string])[] = [
  [
    rows(
      'characters',
      String.raw`create\.returned-by-get`,
      String.raw`get\.own-character-found`,
      String.raw`list\.(?:item-(?:name|model|resolution|resolution-only-when-stored|timestamps-agree)|shows-all|shows-replaced)`,
      String.raw`list\.(?:token-while-more|stable-under-(?:creates|deletes))`,
      String.raw`character\.updated-at-kept-by-refused-replace`,
      String.raw`replace\.(?:accepted|stored|name-replaced|leaves-others|[a-z-]+-gone|omitted-gone-from-sessions)`,
      String.raw`replace\.refused-changes-nothing`,
      String.raw`delete\.(?:accepted|leaves-others)`,
      String.raw`session\.(?:${saved}|starts-by-id-alone|edit-applies-later|auto-close-applies-later|output-empty-keeps)`,
    ),
    'somebody else in the workspace may have changed the character: a recording does not show who else uses it',
  ],
  [
    rows('world-sessions', String.raw`close\.leaves-others-open`, String.raw`client-secret\.leaves-session`),
    'somebody else in the workspace may have closed the session: a recording does not show who else uses it',
  ],
  [
    rows('world-sessions', String.raw`get\.same-references`),
    'its client may have added references over the control channel, which a recording does not hold',
  ],
]

/**
 * Why a breach of this row says nothing in a recording, while what held is told. What a workspace holds is not the client's
 * alone: a console or a second instance of an app may change, close or delete it past the proxy.
 */
export function whyBreachIsOpen(id: string): string | undefined {
  return shared.find(([named]) => named.test(id))?.[1]
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
