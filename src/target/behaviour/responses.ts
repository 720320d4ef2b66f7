import type { PendingResponse, ResponsePlan, ResponseRun } from '../responses/run.ts'
import type { Session } from '../sessions/session.ts'
import { present, type JsonObject } from '../wire.ts'

/** The steps of a response's life, each at most once (3.4). */
export type LifeStep =
  | 'response.created'
  | 'conversation.item.created'
  | 'response.render.started'
  | 'first-delta'
  | 'remaining-deltas'
  | 'response.output_text.done'
  | 'response.output_item.done'
  | 'response.render.stopped'
  | 'response.done'

/** The order with one step moved to just before another. */
export function moveStep(order: readonly LifeStep[], step: LifeStep, before: LifeStep): LifeStep[] {
  const rest = order.filter((one) => one !== step)
  return rest.toSpliced(rest.indexOf(before), 0, step)
}

/** `refuse-and-queue` says no and queues all the same. */
export type ScheduleDecision = 'start' | 'interrupt' | 'queue' | 'reject' | 'refuse-and-queue'

/** Why a response ends before its time. */
export type CutCause = 'interrupt' | 'cancel' | 'shutdown'

/** 4.4 Scheduling: "busy until the active response reaches `response.done`". */
export const scheduling = () => ({
  policy: (asked: unknown): string => (typeof asked === 'string' ? asked : 'interrupt'),
  busy: (session: Session): boolean => session.response !== undefined || session.pending.length > 0,
  decide: {
    interrupt: (_session: Session, busy: boolean, _asked: unknown): ScheduleDecision => (busy ? 'interrupt' : 'start'),
    reject_if_busy: (_session: Session, busy: boolean, _sender: object): ScheduleDecision =>
      busy ? 'reject' : 'start',
    /** "Queues at most one pending response; a second pending request is rejected". */
    after_current_response: (session: Session, busy: boolean, _sender: object): ScheduleDecision => {
      if (!busy) return 'start'
      return session.pending.length === 0 ? 'queue' : 'reject'
    },
  },
  /** "Cancels active output, clears any pending `after_current_response`". */
  interruptCancels: true,
  interruptClearsPending: true,
  /** Whether an `error` names the pending request that was cleared. */
  tellsCleared: false,
  /** Milliseconds until an interrupted response ends. */
  interruptAfterMs: 0,
  /** A cut response has ended before the new one begins. */
  interruptOrder: ['cut', 'start'] as ('cut' | 'start')[],
  /** The plan of a response that interrupts another. */
  interruptingPlan: (plan: ResponsePlan): ResponsePlan => plan,
  cancelClearsPending: false,
  /** `response.cancel`: "targets the current active response". */
  cancelCuts: (_session: Session): boolean => true,
  /** Milliseconds until a cancel shows in the response that it was sent for. */
  cancelAfterMs: 0,
  /** Other sessions whose active responses an interruption or a cancellation ends, too. */
  alsoCuts: (_session: Session, _all: Session[], _cause: CutCause): Session[] => [],
  /** Whether the session is free after a cut. */
  cutFrees: (_cause: CutCause): boolean => true,
  /** What a refused or queued request does to the active response: nothing. */
  refusalCuts: (_valid: boolean): boolean => false,
  refusalClearsPending: false,
  /** Whether an invalid request starts a response all the same. */
  startsRefused: false,
  queueCuts: false,
  /** Whether a pending response starts when this one is done. */
  runsPending: (_done: ResponseRun): boolean => true,
  /** Milliseconds between the end of a response and the start of the one that waits. */
  pendingAfterMs: 0,
  /** Whether a pending response that has started waits once more. */
  requeues: (_pending: PendingResponse): boolean => false,
  /** "in `video_avatar` mode, after `response.done`"; in text mode it may be just before. */
  pendingBeforeDone: (_mode: string): boolean => false,
  /** "snapshots effective inputs at submit time": the plan of the submission is run as it is. */
  pendingPlan: (submitted: ResponsePlan, _now: () => ResponsePlan, _session: Session): ResponsePlan => submitted,
  /** The plan of every valid request, whatever becomes of it. */
  submitted: (plan: ResponsePlan, _session: Session): ResponsePlan => plan,
  /** `response.cancel` with nothing to cancel: not shown. */
  cancelIdle: 'error' as 'error' | 'ignore',
})

/** A reply for which the model found no text. */
const hasFailed = (plan: ResponsePlan): boolean => plan.kind === 'reply' && plan.text === undefined

/** 3.4 Avatar response lifecycle. */
export const responses = () => ({
  order: [
    'response.created',
    'conversation.item.created',
    'response.render.started',
    'first-delta',
    'remaining-deltas',
    'response.output_text.done',
    'response.output_item.done',
    'response.render.stopped',
    'response.done',
  ] as LifeStep[],
  /** "Interrupted responses still emit terminal events." */
  cutOrder: (_cause: CutCause): LifeStep[] => ['response.output_item.done', 'response.render.stopped', 'response.done'],
  /** "`response.render.started`: avatar output starts rendering"; there is none in `text_chat`. */
  renders: (plan: ResponsePlan): boolean =>
    plan.state.mode === 'video_avatar' && plan.kind !== 'tool_call' && !hasFailed(plan),
  finishedStatus: (run: ResponseRun): string => {
    if (hasFailed(run.plan)) return 'failed'
    return run.plan.truncated ? 'incomplete' : 'completed'
  },
  finishedDetails: (run: ResponseRun): JsonObject | null =>
    run.plan.truncated ? { type: 'incomplete', reason: 'max_output_tokens' } : null,
  cutStatus: (_cause: CutCause, _run: ResponseRun): string => 'cancelled',
  cutDetails: (cause: CutCause, _run: ResponseRun): JsonObject | null => ({
    type: 'cancelled',
    reason: `client_${cause}`,
  }),
  renderStatus: (cause: CutCause | undefined): string => {
    if (cause === undefined) return 'completed'
    return cause === 'interrupt' ? 'interrupted' : 'cancelled'
  },
  /** 2.10 Response resource. */
  resource: (run: ResponseRun): JsonObject =>
    present({
      id: run.id,
      status: run.status,
      status_details: run.statusDetails,
      output: run.output,
      max_output_tokens: run.plan.maxOutputTokens,
    }),
  /** The item of a response, finished or cut (2.9). */
  item: (run: ResponseRun, status: string, text: string): JsonObject => {
    const { call } = run.plan
    if (call !== undefined)
      return {
        id: run.itemId,
        type: 'function_call',
        status,
        call_id: `call_${run.itemId}`,
        name: call.name,
        arguments: call.arguments,
      }
    return {
      id: run.itemId,
      type: 'message',
      status,
      role: 'assistant',
      content: text === '' ? [] : [{ type: 'text', text }],
    }
  },
  itemStatus: (run: ResponseRun, cut: boolean): string => (cut || run.plan.truncated ? 'incomplete' : 'completed'),
  /** Text of a finished item, made from the deltas that were sent. */
  finalText: (sent: string, _run: ResponseRun): string => sent,
  /** Where the snapshot of `max_output_tokens` comes from. */
  maxOutputTokens: (response: JsonObject, defaults: JsonObject, _session: Session): number | 'inf' => {
    const asked = response['max_output_tokens'] ?? defaults['max_output_tokens']
    return typeof asked === 'number' ? asked : 'inf'
  },
})
