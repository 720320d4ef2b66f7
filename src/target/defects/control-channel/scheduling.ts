import type { Override } from '#target/behaviour/behaviour'
import { beforeConnect, withhold } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import { append, around, remembering, set } from '#target/overrides/operators'
import type { ResponseRun } from '#target/responses/run'
import type { Session } from '#target/sessions/session'
import { isWire, type JsonObject, objectAt } from '#target/wire'
import { askedFor, endsIncomplete, staysBusy } from '../tools/busy.ts'
import { cutWithout, endAs } from '../tools/control-channel.ts'
import { runsOf } from '../tools/runs.ts'
import { defectsOf } from '../tools/table.ts'

/** `reject_if_busy` interrupts such a response. */
const overtaken = (fits: (run: ResponseRun) => boolean): Override =>
  around(
    'scheduling.decide.reject_if_busy',
    (reject) => (session, busy, sender) =>
      session.response !== undefined && fits(session.response) ? 'interrupt' : reject(session, busy, sender),
  )

const isCall = (item: JsonObject): boolean => item['type'] === 'function_call'

export const schedulingDefects = defectsOf('control-channel.scheduling', {
  'interrupted-status: An interrupted response ends completed.': endAs('interrupt', 'completed'),
  'interrupted-status~failed: An interrupted response ends failed.': endAs('interrupt', 'failed'),
  'interrupted-gets-done: An interrupted response falls silent.': cutWithout('response.done', 'interrupt'),
  'interrupted-gets-item-done: The item of an interrupted response is never done.': cutWithout(
    'response.output_item.done',
    'interrupt',
  ),
  'interrupted-gets-render-stopped: The rendering of an interrupted response never stops.': cutWithout(
    'response.render.stopped',
    'interrupt',
  ),
  'interrupted-gets-render-stopped~silent: The rendering of an interrupted response without text never stops.': (b) => {
    const runOf = runsOf(b)
    withhold('response.render.stopped', (event) => {
      const run = runOf(event)
      return event['status'] !== 'completed' && run !== undefined && run.plan.text === undefined
    })(b)
  },
  'reject-if-busy-idle-starts: `reject_if_busy` is refused in an idle session.': set(
    'scheduling.decide.reject_if_busy',
    () => 'reject',
  ),
  'reject-if-busy-idle-starts~after-invalid: A request that names an unknown speech text leaves the session busy until the next response.':
    remembering(() => {
      const stuck = memory(() => ({ since: -1 }))
      return [
        around('validations.responseCreate.speech-asset-unknown.broken', (broken) => (input) => {
          const refused = broken(input)
          if (refused) stuck(input.session).since = input.session.responses
          return refused
        }),
        around('scheduling.busy', (busy) => (session) => busy(session) || stuck(session).since === session.responses),
      ]
    }),
  'reject-if-busy-idle-starts~other-session: A session counts as busy while another one of its workspace speaks.':
    remembering(() => {
      const known = new Set<Session>()
      return [
        append('outgoing', (event, session) => {
          known.add(session)
          return [event]
        }),
        set('scheduling.decide.reject_if_busy', (session, busy) => {
          const speaking = [...known].some(
            (one) =>
              one !== session && one.account.workspace === session.account.workspace && one.response !== undefined,
          )
          return busy || speaking ? 'reject' : 'start'
        }),
      ]
    }),
  'reject-if-busy-active-rejected: `reject_if_busy` interrupts.': set(
    'scheduling.decide.reject_if_busy',
    (session, busy) => (busy && session.pending.length === 0 ? 'interrupt' : busy ? 'reject' : 'start'),
  ),
  'reject-if-busy-active-rejected~interrupting: A response that interrupted another does not make a session busy.':
    overtaken(({ origin }) => origin === 'interrupt'),
  'reject-if-busy-active-rejected~reply: A reply of the model does not make a session busy.': overtaken(
    ({ plan }) => plan.kind === 'reply',
  ),
  'reject-if-busy-active-rejected~for-reply: A reply of the model interrupts, though `reject_if_busy` asks for it.':
    askedFor(
      (response) => response['script'] === undefined,
      (isReply) =>
        around('scheduling.decide.reject_if_busy', (reject) => (session, busy, sender) => {
          const decision = reject(session, busy, sender)
          return decision === 'reject' && isReply(session) ? 'interrupt' : decision
        }),
    ),
  'reject-if-busy-active-rejected~registered: A registered text does not make a session busy.': overtaken(
    ({ plan }) => plan.kind === 'speech_asset',
  ),
  'reject-if-busy-active-rejected~call: A function call does not make a session busy.': overtaken(
    ({ plan }) => plan.kind === 'tool_call',
  ),
  'reject-if-busy-rendering-rejected~audio: Audio does not make a session busy.': overtaken(
    ({ plan }) => plan.kind === 'audio',
  ),
  'reject-if-busy-active-rejected~waited: reject_if_busy interrupts a response that had waited.': around(
    'scheduling.decide.reject_if_busy',
    (reject) => (session, busy, sender) =>
      session.response?.origin === 'pending' && session.pending.length === 0
        ? 'interrupt'
        : reject(session, busy, sender),
  ),
  'reject-if-busy-active-rejected~out-of-band: A response that is out of band does not make a session busy.': around(
    'scheduling.decide.reject_if_busy',
    (reject) => (session, busy, sender) =>
      session.response?.plan.conversation === 'none' && session.pending.length === 0
        ? 'interrupt'
        : reject(session, busy, sender),
  ),
  'reject-if-busy-active-rejected~joined: Once another connection opens, what is active does not make a session busy.':
    remembering(() => {
      const free = new WeakSet<ResponseRun>()
      return [
        beforeConnect(({ connections, response }) => {
          if (connections.size > 0 && response !== undefined) free.add(response)
        }),
        overtaken((run) => free.has(run)),
      ]
    }),
  'reject-if-busy-rendering-rejected: A response that renders is not busy.': set(
    'scheduling.decide.reject_if_busy',
    (session, busy) =>
      session.response?.reached.has('response.render.started') === true ? 'interrupt' : busy ? 'reject' : 'start',
  ),
  'reject-if-busy-rendering-rejected~text-told: A response whose text has come is not busy.': set(
    'scheduling.decide.reject_if_busy',
    (session, busy) =>
      session.response?.reached.has('response.output_text.done') === true ? 'interrupt' : busy ? 'reject' : 'start',
  ),
  'reject-if-busy-rendering-rejected~tail: reject_if_busy starts while what was said is still rendered.': around(
    'scheduling.decide.reject_if_busy',
    (reject) => (session, busy, sender) =>
      reject(
        session,
        busy && !(session.pending.length === 0 && session.response?.reached.has('response.output_item.done') === true),
        sender,
      ),
  ),
  'reject-if-busy-pending-rejected: `reject_if_busy` takes the place of a pending response.': set(
    'scheduling.decide.reject_if_busy',
    (session, busy) => (session.pending.length > 0 ? 'interrupt' : busy ? 'reject' : 'start'),
  ),
  'reject-if-busy-never-starts: What `reject_if_busy` refused starts later.': set(
    'scheduling.decide.reject_if_busy',
    (session, busy) => (busy ? (session.pending.length === 0 ? 'refuse-and-queue' : 'reject') : 'start'),
  ),
  'reject-if-busy-leaves-active: A refusal ends the active response.': set('scheduling.refusalCuts', (valid) => valid),
  'reject-if-busy-leaves-pending: A refusal clears the pending response.': around(
    'scheduling.decide.reject_if_busy',
    (decide) => (session, busy, sender) => {
      session.pending = []
      return decide(session, busy, sender)
    },
  ),
  'reject-if-busy-one-of-a-volley: A response counts as active a little after its start.': set(
    'scheduling.decide.reject_if_busy',
    (session, busy) => (busy && Date.now() - (session.response?.startedAt ?? 0) > 40 ? 'reject' : 'start'),
  ),
  'reject-if-busy-one-of-a-volley~connections: A connection learns only by text that another one started a response.':
    remembering(() => {
      const unheard = memory(() => ({ by: undefined as object | undefined }))
      return [
        append('outgoing', (event, session) => {
          if (event['type'] === 'response.output_text.delta') unheard(session).by = undefined
          return [event]
        }),
        around('scheduling.decide.reject_if_busy', (reject) => (session, busy, sender) => {
          const { by } = unheard(session)
          const decision = reject(session, busy && (by === undefined || by === sender), sender)
          if (decision === 'start') unheard(session).by = sender
          return decision
        }),
      ]
    }),
  'idle-after-done: A session stays busy for three seconds after a response.': remembering(() => {
    const last = memory(() => ({ at: 0 }))
    return [
      append('outgoing', (event, session) => {
        if (event['type'] === 'response.done') last(session).at = Date.now()
        return [event]
      }),
      set('scheduling.decide.reject_if_busy', (session, busy) =>
        busy || Date.now() - last(session).at < 3000 ? 'reject' : 'start',
      ),
    ]
  }),
  'idle-after-done~tool-call: reject_if_busy is rejected after a tool call until its output is given.': staysBusy(
    ({ type, item }) => type === 'response.output_item.done' && isWire(item) && isCall(item),
  ),
  'idle-after-done~incomplete: reject_if_busy is rejected after a response that ended incomplete.':
    staysBusy(endsIncomplete),
  'idle-after-done~audio: reject_if_busy is rejected after audio was played.': staysBusy(
    ({ type }, { response }) => type === 'response.render.stopped' && response?.plan.kind === 'audio',
  ),
  'idle-after-done~aside: reject_if_busy is rejected after a generated response that was out of band.': staysBusy(
    ({ type }, { response }) => {
      const { kind, conversation } = response?.plan ?? {}
      return type === 'response.output_item.done' && kind === 'reply' && conversation === 'none'
    },
  ),
  'idle-after-done~cut-twice: A session stays busy after two responses in a row that were cut short.': remembering(
    () => {
      const cuts = memory(() => ({ inARow: 0 }))
      return [
        append('outgoing', (event, session) => {
          if (event['type'] !== 'response.done') return [event]
          const cut = objectAt(event, 'response')['status'] === 'cancelled'
          cuts(session).inARow = cut ? cuts(session).inARow + 1 : 0
          return [event]
        }),
        around(
          'scheduling.decide.reject_if_busy',
          (reject) => (session, busy, sender) => reject(session, busy || cuts(session).inARow >= 2, sender),
        ),
      ]
    },
  ),
})
