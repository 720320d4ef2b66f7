import { answerOf } from '#judge/answers'
import type { ExchangeRecord, TraceIndex } from '#judge/trace-index'
import { at, type Json, textAt, textsIn } from '#trace/json'

/** What lies at addresses of the profile, by the name of the field. */
const media = { image_url: 'image', audio_url: 'sound' } as const

/** A text session needs no image that can be had, and what is only saved may be fetched later. */
const fetches = ({ operation, attempts }: ExchangeRecord): boolean =>
  operation === 'create-world-session' ||
  (operation === 'create-avatar-session' && at(attempts[0]?.request.entry.body, '/session/mode') !== 'text_chat')

/**
 * Addresses of the profile with which no session was ever created, though some were asked for: a service may refuse what it
 * cannot fetch ("Accessible image URL", 2.3), and then the address is to blame, not the service.
 *
 * @param profile as `results.json` shows it
 * @returns a sentence for each
 */
export function refusedMedia({ exchanges }: Pick<TraceIndex, 'exchanges'>, profile: Json): readonly string[] {
  return Object.entries(media).flatMap(([field, what]) => {
    const url = textAt(profile, `/media/${field}`)
    if (url === undefined) return []
    const asked = [...exchanges.values()].filter((one) => one.key === 'primary' && fetches(one) && names(one, url))
    const answers = asked.map((record) => answerOf(record))
    const kinds = new Set(answers.map(({ kind }) => kind))
    if (!kinds.has('failure') || kinds.has('success')) return []
    return [
      `Every session that was to have the ${what} at "media.${field}" of the profile was refused. If the target cannot fetch that address, it is right to refuse it, and what failed above for want of this ${what} is no fault of the target: see whether it can, or name another address.`,
    ]
  })
}

const names = ({ attempts }: ExchangeRecord, url: string): boolean =>
  textsIn(attempts[0]?.request.entry.body).some((text) => text.startsWith(url))
