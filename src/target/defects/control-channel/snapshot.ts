import type { Behaviour } from '#target/behaviour/behaviour'
import type { Session } from '#target/sessions/session'
import { wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory } from '../tools.ts'

const onUpdate = ({ update }: Behaviour, act: (session: Session) => void): void => {
  const { absorb } = update
  update.absorb = (session, event) => {
    absorb(session, event)
    act(session)
  }
}
const dropPending = (session: Session): void => {
  session.pending = []
}

/** 4.4: "A pending `after_current_response` snapshots effective inputs at submit time". */
export const snapshotDefects = defectsOf('control-channel', {
  'snapshot.mode': [
    'A pending response runs in the mode of its start.',
    ({ scheduling }) => void (scheduling.pendingPlan = (submitted, now) => ({ ...submitted, state: now().state })),
  ],
  'snapshot.response-fields': [
    'A pending response takes the text of the last request, were it refused.',
    ({ scheduling }) => {
      const last = memory(() => ({ text: undefined as string | undefined }))
      scheduling.submitted = (plan, session) => {
        last(session).text = plan.text
        return plan
      }
      scheduling.pendingPlan = (submitted, _now, session) => ({
        ...submitted,
        text: last(session).text ?? submitted.text,
      })
    },
  ],
  'snapshot.asset-contents': [
    'A pending response speaks what its asset holds at its start, and assets can be replaced.',
    ({ scheduling, registry }) => {
      registry.keptOfRefusedAssets = (given, session) => ({
        speech_text: wiresAt(given, 'speech_text').filter((asset) =>
          session.assets.speech_text.has(String(asset['asset_id'])),
        ),
      })
      scheduling.pendingPlan = (submitted, now) => ({ ...submitted, text: now().text })
    },
  ],
  'snapshot.later-asset-not-seen': [
    'A request may name an asset that is added before it starts.',
    ({ scheduling, rules }) => {
      const rule = rules.responseCreate['speech-asset-unknown']
      const { broken } = rule
      rule.broken = (input) =>
        broken(input) &&
        !(input.session.response !== undefined && input.response['scheduling_policy'] === 'after_current_response')
      scheduling.pendingPlan = (submitted, now) => ({ ...submitted, text: now().text })
    },
  ],
  'snapshot.later-session-update-harmless': ['An update clears the pending response.', (b) => onUpdate(b, dropPending)],
  'snapshot.later-avatar-add-harmless': [
    'An added avatar clears the pending response.',
    ({ registry }) => {
      const { registersAvatar } = registry
      registry.registersAvatar = (avatar, session) => {
        dropPending(session)
        return registersAvatar(avatar, session)
      }
    },
  ],
  'snapshot.later-asset-add-harmless': [
    'An added asset clears the pending response.',
    ({ registry }) => {
      const { registersAsset } = registry
      registry.registersAsset = (store, kind, asset, session) => {
        dropPending(session)
        return registersAsset(store, kind, asset, session)
      }
    },
  ],
})
