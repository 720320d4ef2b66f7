import type { Behaviour } from '#target/behaviour/behaviour'
import type { Session } from '#target/sessions/session'
import { isWire, type Wire, wireAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { memory, muteRendering } from '../tools.ts'

const isCall = (item: Wire): boolean => item['type'] === 'function_call'

const endsIncomplete = (event: Wire): boolean =>
  event['type'] === 'response.done' && wireAt(event, 'response')['status'] === 'incomplete'

/** From such an event on the session is busy, though it is idle, until its next response. */
function staysBusy(
  { outgoing, scheduling: { decide } }: Behaviour,
  from: (event: Wire, session: Session) => boolean,
): WeakSet<Session> {
  const busy = new WeakSet<Session>()
  outgoing.push((event, session) => {
    if (event['type'] === 'response.created') busy.delete(session)
    if (from(event, session)) busy.add(session)
    return [event]
  })
  const { reject_if_busy: reject } = decide
  decide.reject_if_busy = (session, active) => reject(session, active || busy.has(session))
  return busy
}

/** Responses of a rarer kind or with a rarer end, and what they leave behind. */
export const overlookedEndingDefects = defectsOf('control-channel', {
  'scheduling.idle-after-done~tool-call': [
    'reject_if_busy is rejected after a tool call until its output is given.',
    (behaviour) => {
      staysBusy(behaviour, ({ type, item }) => type === 'response.output_item.done' && isWire(item) && isCall(item))
    },
  ],
  'scheduling.idle-after-done~incomplete': [
    'reject_if_busy is rejected after a response that ended incomplete.',
    (behaviour) => {
      staysBusy(behaviour, endsIncomplete)
    },
  ],
  'scheduling.after-current-idle-starts~incomplete': [
    'after_current_response is rejected after a response that ended incomplete.',
    (behaviour) => {
      const busy = staysBusy(behaviour, endsIncomplete)
      const { decide } = behaviour.scheduling
      const { after_current_response: after } = decide
      decide.after_current_response = (session, active, sender) =>
        busy.has(session) ? 'reject' : after(session, active, sender)
    },
  ],
  'scheduling.idle-after-done~audio': [
    'reject_if_busy is rejected after audio was played.',
    (behaviour) => {
      staysBusy(
        behaviour,
        ({ type }, { response }) => type === 'response.render.stopped' && response?.plan.kind === 'audio',
      )
    },
  ],
  'scheduling.idle-after-done~aside': [
    'reject_if_busy is rejected after a generated response that was out of band.',
    (behaviour) => {
      staysBusy(behaviour, ({ type }, { response }) => {
        const { kind, conversation } = response?.plan ?? {}
        return type === 'response.output_item.done' && kind === 'reply' && conversation === 'none'
      })
    },
  ],
  'response-create.rejected-leaves-active-alone~unknown-asset': [
    'A script refused for an unknown speech asset cuts the active response.',
    ({ rules, scheduling }) => {
      let unknown = false
      const { broken } = rules.responseCreate['speech-asset-unknown']
      rules.responseCreate['speech-asset-unknown'].broken = (input) => {
        unknown = broken(input)
        return unknown
      }
      scheduling.refusalCuts = (valid) => {
        const cuts = !valid && unknown
        unknown = false
        return cuts
      }
    },
  ],
  'render-started.for-speech~switched': [
    'A session that was created in text_chat never reports rendering.',
    (b) => muteRendering(b, ({ plan }) => plan.state.mode === 'text_chat'),
  ],
  'response-done.final-statuses-told~visual': [
    'An interrupted visual-only script ends completed.',
    ({ responses }) => {
      const { resource } = responses
      responses.resource = (run) => {
        const shown = resource(run)
        return run.plan.kind === 'visual' && wireAt(shown, 'status_details')['reason'] === 'client_interrupt'
          ? { ...shown, status: 'completed', status_details: null }
          : shown
      }
    },
  ],
  'response-create.default-output-written~after-none': [
    'The request after an out-of-band one is out-of-band, too, unless it says auto.',
    ({ scheduling }) => {
      const last = memory(() => ({ conversation: undefined as string | undefined }))
      scheduling.submitted = (plan, session) => {
        const before = last(session).conversation
        last(session).conversation = plan.conversation
        return plan.conversation === undefined && before === 'none' ? { ...plan, conversation: 'none' } : plan
      }
    },
  ],
  'response-create.none-output-not-written~tool-call': [
    'A tool call of an out-of-band response is written to the conversation.',
    ({ conversation }) => {
      const { writes } = conversation
      conversation.writes = (plan) => plan.kind === 'tool_call' || writes(plan)
    },
  ],
})
