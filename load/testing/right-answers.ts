/** What the service does after so many milliseconds: sends an event, closes the socket, or says nothing. */
export type Step = readonly [after_ms: number, what: object | 'close' | 'restart' | 'drop']

export interface ClientEvent {
  readonly type: string
  readonly event_id: string
  readonly response?: {
    readonly script: { readonly vocal: { readonly text: string } }
    readonly scheduling_policy?: string
  }
  readonly session?: { readonly active_avatar_id?: string }
}

/** `session.updated`, and its end. */
export function rightUpdate({ event_id, session }: ClientEvent): readonly Step[] {
  return [
    [2, { event_id, type: 'session.updated', session: { mode: 'text_chat', ...session, source_image_id: null } }],
    [3, { event_id: `e ${event_id}`, type: 'session.update.done', request_event_id: event_id, status: 'completed' }],
  ]
}

/** Two deltas, 20 ms apart. */
export function rightResponse({ event_id, response }: ClientEvent): readonly Step[] {
  const text = response?.script.vocal.text ?? ''
  const place = { response_id: `r ${event_id}`, item_id: `i ${event_id}`, output_index: 0 }
  const told = { id: `r ${event_id}`, status: 'completed' }
  return [
    [5, { type: 'response.created', response: told, request_event_id: event_id }],
    [10, { type: 'response.output_text.delta', ...place, delta: text.slice(0, 7) }],
    [20, { type: 'response.output_text.delta', ...place, delta: text.slice(7) }],
    [0, { type: 'response.output_text.done', ...place, text }],
    [0, { type: 'response.output_item.done', ...place, item: { id: place.item_id, type: 'message' } }],
    [1, { type: 'response.done', response: told }],
  ]
}

/** A response that is cancelled; also because its session ends, which is told a moment later. */
export function cutShort(event: ClientEvent, ends: boolean): readonly Step[] {
  const [created, delta] = rightResponse(event)
  if (created === undefined || delta === undefined) return []
  const id = `r ${event.event_id}`
  const item = { response_id: id, output_index: 0, item: { id: `i ${event.event_id}`, type: 'message' } }
  const cancelled: Step[] = [
    created,
    delta,
    [5, { type: 'response.output_item.done', ...item }],
    [0, { type: 'response.done', response: { id, status: 'cancelled' } }],
  ]
  const told: Step = [40, { type: 'session.closed', session_id: 's1', reason: 'maintenance' }]
  return ends ? [...cancelled, told, [10, 'close']] : cancelled
}
