import type { Override } from '#target/behaviour/behaviour'
import { memory } from '#target/overrides/memory'
import { around, except, remembering, set } from '#target/overrides/operators'
import type { ResponseKind } from '#target/responses/run'
import type { Session } from '#target/sessions/session'
import { objectsAt } from '#target/wire'
import { defectsOf } from '../tools/table.ts'

const onUpdate = (act: (session: Session) => void): Override =>
  around('update.absorb', (absorb) => (session, event) => {
    absorb(session, event)
    act(session)
  })

/** What waits, and is of this kind, runs in the mode of its start. */
const startsInModeOf = (kind: ResponseKind): Override =>
  set('scheduling.pendingPlan', (submitted, now) =>
    submitted.kind === kind ? { ...submitted, state: now().state } : submitted,
  )

const dropPending = (session: Session): void => {
  session.pending = []
}

export const snapshotDefects = defectsOf('control-channel.snapshot', {
  'mode: A pending response runs in the mode of its start.': set('scheduling.pendingPlan', (submitted, now) => ({
    ...submitted,
    state: now().state,
  })),
  'mode~to-text: A pending response of a video session runs in text when the mode has changed by its start.': set(
    'scheduling.pendingPlan',
    (submitted, now) => {
      const { state } = now()
      return state.mode === 'text_chat' ? { ...submitted, state } : submitted
    },
  ),
  'mode~reply: A reply of the model that waits runs in the mode of its start.': startsInModeOf('reply'),
  'mode~audio: Audio that waits runs in the mode of its start.': startsInModeOf('audio'),
  'response-fields: A pending response takes the text of the last request, were it refused.': remembering(() => {
    const last = memory(() => ({ text: undefined as string | undefined }))
    return [
      set('scheduling.submitted', (plan, session) => {
        last(session).text = plan.text
        return plan
      }),
      set('scheduling.pendingPlan', (submitted, _now, session) => ({
        ...submitted,
        text: last(session).text ?? submitted.text,
      })),
    ]
  }),
  'response-fields~conversation-none: A pending response writes its output, though it was asked for none.': set(
    'scheduling.pendingPlan',
    (submitted) => ({ ...submitted, conversation: undefined }),
  ),
  'asset-contents: A pending response speaks what its asset holds at its start, and assets can be replaced.': [
    set('registry.keptOfRefusedAssets', (given, session) => ({
      speech_text: objectsAt(given, 'speech_text').filter((asset) =>
        session.assets.speech_text.has(String(asset['asset_id'])),
      ),
    })),
    set('scheduling.pendingPlan', (submitted, now) => ({ ...submitted, text: now().text })),
  ],
  'later-asset-not-seen: A request may name an asset that is added before it starts.': [
    except(
      'validations.responseCreate',
      'speech-asset-unknown',
      (input) =>
        input.session.response !== undefined && input.response['scheduling_policy'] === 'after_current_response',
    ),
    set('scheduling.pendingPlan', (submitted, now) => ({ ...submitted, text: now().text })),
  ],
  'later-session-update-harmless: An update clears the pending response.': onUpdate(dropPending),
  'later-avatar-add-harmless: An added avatar clears the pending response.': around(
    'registry.registersAvatar',
    (registersAvatar) => (avatar, session) => {
      dropPending(session)
      return registersAvatar(avatar, session)
    },
  ),
  'later-asset-add-harmless: An added asset clears the pending response.': around(
    'registry.registersAsset',
    (registersAsset) => (store, kind, asset, session) => {
      dropPending(session)
      return registersAsset(store, kind, asset, session)
    },
  ),
})
