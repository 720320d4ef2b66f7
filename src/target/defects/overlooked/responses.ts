import { rule } from '#target/behaviour/rules/rule'
import { demand } from '#target/behaviour/rules/waive'
import type { Session } from '#target/sessions/session'
import { textOf, type Wire, wireAt, wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory, onEvent } from '../tools.ts'

/** Responses, where another one, or another field, stands beside. */
export const overlookedResponseDefects = defectsOf('control-channel', {
  'scheduling.pending-second-rejected~named': [
    'The error of a second pending request names the first one.',
    (behaviour) => {
      let refused = false
      const { decide } = behaviour.scheduling
      const { after_current_response: after } = decide
      decide.after_current_response = (session, busy, sender) => {
        const decision = after(session, busy, sender)
        refused = decision === 'reject'
        return decision
      }
      onEvent(behaviour, 'error', (event, session) => {
        const named = session.pending[0]?.plan.requestEventId
        if (!refused || named === undefined) return event
        refused = false
        return { ...event, error: { ...wireAt(event, 'error'), event_id: named } }
      })
    },
  ],
  'render-stopped.before-done~audio-asset': [
    'The rendering of an audio asset stops after response.done.',
    ({ outgoing }) => {
      const held = memory((): Wire[] => [])
      outgoing.push((event, session) => {
        if (event['type'] === 'response.render.stopped' && session.response?.plan.kind === 'audio_asset') {
          held(session).push(event)
          return []
        }
        return event['type'] === 'response.done' ? [event, ...held(session).splice(0)] : [event]
      })
    },
  ],
  'scheduling.reject-if-busy-rendering-rejected~tail': [
    'reject_if_busy starts while what was said is still rendered.',
    ({ scheduling: { decide } }) => {
      const { reject_if_busy: reject } = decide
      decide.reject_if_busy = (session, busy) =>
        reject(
          session,
          busy &&
            !(session.pending.length === 0 && session.response?.reached.has('response.output_item.done') === true),
        )
    },
  ],
  'script.none-speech-not-written~pending': [
    'An out-of-band response that was pending is written to the conversation.',
    ({ scheduling }) => {
      const { pendingPlan } = scheduling
      scheduling.pendingPlan = (submitted, now, session) => ({
        ...pendingPlan(submitted, now, session),
        conversation: undefined,
      })
    },
  ],
  'response-create.input-unknown-reference-rejected~second': [
    'Only the first of several references must exist.',
    ({ rules }) => {
      rules.responseCreate['reference-unknown'].broken = ({ response, session }) =>
        wiresAt(response, 'input')
          .filter(({ type }) => type === 'item_reference')
          .slice(0, 1)
          .some(({ id }) => typeof id === 'string' && !session.items.some((item) => item['id'] === id))
    },
  ],
  'script.max-output-tokens-beside-rejected~inf': [
    'max_output_tokens inf beside a script passes.',
    ({ rules }) => {
      const { broken } = rules.responseCreate['script-with-tokens']
      rules.responseCreate['script-with-tokens'].broken = (input) =>
        input.response['max_output_tokens'] !== 'inf' && broken(input)
    },
  ],
  'script-speech-asset.added-asset-spoken~trimmed': [
    'Blanks and line ends around the text of an asset that was added are not spoken.',
    ({ registry }) => {
      const { pick } = registry
      registry.pick = (session, kind, id) => {
        const asset = pick(session, kind, id)
        const text = textOf(asset?.['text'])
        const early = wiresAt(session.plan.assets, 'speech_text').some((one) => one['asset_id'] === id)
        return kind !== 'speech_text' || text === undefined || early ? asset : { ...asset, text: text.trim() }
      }
    },
  ],
  'scheduling.interrupt-is-default~sticky': [
    'A request without policy behind one with reject_if_busy has that one.',
    ({ rules, scheduling }) => {
      const last = memory(() => ({ policy: undefined as string | undefined }))
      let current: Session | undefined
      demand(
        rules.responseCreate,
        'seen-by-defect',
        rule('4.4', 'response', ({ session }) => {
          current = session
          return false
        }),
      )
      const { policy } = scheduling
      scheduling.policy = (asked) => {
        if (current === undefined) return policy(asked)
        if (typeof asked === 'string') last(current).policy = asked
        return asked === undefined && last(current).policy === 'reject_if_busy' ? 'reject_if_busy' : policy(asked)
      }
    },
  ],
})
