import { readOnce } from '#judge/read-once'
import { first, type Response, responseIdIn, responsesOf, spokenText, telling, isCompleted } from './responses.ts'
import type { Request } from './script.ts'
import { type Session, textAt } from './sessions.ts'

/**
 * Whether a response surely comes of the request that it is taken for: it names that, or (`request_event_id` is optional)
 * names none and can come of nothing else.
 */
export function isKnown(response: Response): boolean {
  const { session } = response.connection
  const { request, candidates } = response.origin
  if (request === undefined) return false
  const name = nameIn(response)
  if (name !== undefined) return name === request.sent.id
  if (!isTied(response)) return false
  return (
    isToldByText(response, request) ||
    (candidates.length === 1 && fits(response, request) && isPastOpening(session, response))
  )
}

const nameIn = ({ created: [created] }: Response): string | undefined =>
  created === undefined ? undefined : textAt(created.event, 'request_event_id') || undefined

/** Its events are told by an id, and nobody else may have begun it. */
function isTied({ created: [created], guessed, origin }: Response): boolean {
  return created !== undefined && !guessed && !origin.unasked && responseIdIn(created) !== undefined
}

/** It spoke, from beginning to end, a text that of all that may have asked for it one request alone wanted. */
function isToldByText(response: Response, request: Request): boolean {
  const spoken = spokenText(response)
  if (spoken.length < telling || request.texts?.includes(spoken) !== true || !isCompleted(response)) return false
  return response.origin.candidates.filter(({ texts }) => texts?.includes(spoken) !== false).length === 1
}

/** What it spoke may have been cut short. */
function fits(response: Response, { texts }: Request): boolean {
  const spoken = spokenText(response).trimEnd()
  return texts === undefined || texts.some((text) => text.startsWith(spoken))
}

/** "Openings may begin at any time until the first response was asked for": behind one of ours there is none. */
function isPastOpening(session: Session, response: Response): boolean {
  return firstKnown(session) < first(response).line
}

/** Line of the first response that names its request, or tells it by its text. */
const firstKnown = readOnce((session: Session): number => {
  const known = responsesOf(session).find((one) => {
    const { request } = one.origin
    if (request === undefined) return false
    const name = nameIn(one)
    if (name !== undefined) return name === request.sent.id
    return isTied(one) && isToldByText(one, request)
  })
  return known === undefined ? Number.POSITIVE_INFINITY : first(known).line
})
