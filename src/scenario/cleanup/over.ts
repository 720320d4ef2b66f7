import { isLimited } from '#client/http/retry'
import type { Exchange } from '#client/types'
import { speaksOfEnd } from '#judge/sessions/session-end'
import type { OperationId } from '#spec/tables'
import { at } from '#trace/json'
import type { ResourceKind } from '../journal/creations.ts'

/** How a thing of each kind is looked at. */
export const getters: { readonly [resource in ResourceKind]?: OperationId } = {
  'avatar-session': 'get-avatar-session',
  'world-session': 'get-world-session',
  character: 'get-character',
}

/** Ended by us, or not there any more (20005). A success that lacks its envelope is one all the same. */
export function isGone({ code, status }: Exchange): boolean {
  if (code === undefined) return status >= 200 && status < 300
  return code === 0 || code === 20005
}

/** The target itself says that it will not end the thing, and neither for its own trouble nor for ours. */
export function isRefused({ code, status }: Exchange): boolean {
  return code !== undefined && code !== 0 && code !== 20005 && status < 500 && !isLimited({ code, status })
}

/** Nobody answered, or somebody on the way in the target's place. */
export function isUnanswered({ code, status }: Exchange): boolean {
  return code === undefined && (status === 0 || status >= 300)
}

/** What a look at a thing shows of it; what is early is not ready yet, and may be closed when it is. */
export type ShownState = 'over' | 'open' | 'early' | 'hidden'

/** Whether what was ended is there all the same. */
export function isThere(shown: ShownState): boolean {
  return shown === 'open' || shown === 'early'
}

/** Reads an answer of Get: a character that is shown is there, a session is so by its status. */
export function shownState(resource: ResourceKind, { code, status, body }: Exchange): ShownState {
  if (code === 20005 || status === 404 || status === 410) return 'over'
  if (status < 200 || status >= 300) return 'hidden'
  if (resource === 'character') return code === undefined || code === 0 ? 'open' : 'hidden'
  // "`active`, Close Session" (3.2): of a close before that nothing is said.
  if (resource === 'world-session' && at(body, '/data/status') === 'provisioning') return 'early'
  const over = speaksOfEnd(at(body, '/data'))
  if (over === undefined) return 'hidden'
  return over ? 'over' : 'open'
}

/** Why a thing could not be ended. */
export function whyNot({ code, status, failure }: Exchange): string {
  if (code !== undefined) return `ending it was refused with ${code}`
  return failure === undefined ? `ending it was answered with HTTP ${status}` : `ending it got no answer (${failure})`
}

/** Of what the target said was ended. */
export const stillThere = 'ending it was answered with success, and it is still there'
