import type { Behaviour } from '#target/behaviour/behaviour'
import { isWire, type Wire, wireAt, wiresAt, without } from '#target/wire'
import { defectsOf } from '../table.ts'

const withoutContents = (text: string): string => {
  const body = JSON.parse(text) as Wire
  if (!Array.isArray(body['references'])) return text
  return JSON.stringify({ ...body, references: wiresAt(body, 'references').map((one) => without(one, 'content')) })
}

function closesBefore({ world: { reach, life } }: Behaviour): void {
  let repeated = false
  const { closeRefusal } = reach
  reach.closeRefusal = (session, key) => {
    repeated = key !== undefined && session.closeKeys.has(key)
    return closeRefusal(session, key)
  }
  life.alsoCloses = (session, all) => {
    if (!repeated) return []
    const own = all.filter(({ account }) => account.workspace === session.account.workspace)
    const before = own[own.indexOf(session) - 1]
    return before === undefined ? [] : [before]
  }
}

/** World sessions: what is asked a second time, or shown a second time. */
export const overlookedRepeatDefects = defectsOf('world-sessions', {
  'references.name-only~replayed': [
    'A create repeated with its key shows the content of its references.',
    ({ world: { views } }) => {
      views.replayed['references'] = ({ session }) => session.plan.references
    },
  ],
  'idempotency.other-nested-value-conflict~reference': [
    'A body that differs in the content of a reference alone counts as identical.',
    ({ world: { idempotency } }) => {
      const { sameBody } = idempotency
      idempotency.sameBody = (first, again) => sameBody(withoutContents(first), withoutContents(again))
    },
  ],
  'client-secret.media-secret-fresh-again~second-key': [
    'With a second idempotency key the media secret is the one before.',
    ({ world: { reach, life } }) => {
      let stale = false
      const { secretRefusal } = reach
      reach.secretRefusal = (session, key) => {
        stale = key !== undefined && session.issuesByKey.size > 0
        return secretRefusal(session, key)
      }
      life.renews = (channel, given) => !(channel === 'media' && given > 0 && stale)
    },
  ],
  'close.leaves-others-open~repeated': [
    'A close repeated with its key closes the session made just before, too.',
    closesBefore,
  ],
  'get.same-live-input~transcription-off': [
    'Get shows transcription true where false was sent.',
    ({ world: { views } }) => {
      const { live_input: shown } = views.got
      views.got['live_input'] = (scene) => {
        const input = shown?.(scene)
        return isWire(input) ? { ...input, audio: { ...wireAt(input, 'audio'), transcription: true } } : input
      }
    },
  ],
})
