import { opened } from './opened.ts'
import type { Step, Steps } from './steps.ts'
import { come, message, pass, resource, send, speech, state } from './talk.ts'

// Responses of one session that meet: what is asked for, and what comes of it.

const words = 'Once upon a time there was a river.'

/** Requests, all with the same words: `i` interrupts, `r` rejects if busy, `q` waits. */
const policies = { i: 'interrupt', r: 'reject_if_busy', q: 'after_current_response' } as const
export const ask = (id: string): Step => {
  const scheduling_policy = policies[id[0] as keyof typeof policies]
  return send(id, 'response.create', { response: speech(words, { scheduling_policy }) })
}
export const created = (id: string): Step =>
  come(`${id}.created`, 'response.created', { request_event_id: id, response: resource(`r-${id}`, 'in_progress') })
export const done = (id: string, status = 'completed'): Step =>
  come(`${id}.done`, 'response.done', { response: resource(`r-${id}`, status) })

export const update = (id: string): Step => send(id, 'session.update', { session: { active_avatar_id: 'guide' } })
export const updated = (id: string): Step =>
  come(`${id}.done`, 'session.update.done', { request_event_id: id, status: 'completed' })

/** What was sent before it was read; a while later it was handled, too. */
let pings = 0
export const ping = (): Steps => {
  pings += 1
  const known = message('known', 'user', 'Hello.')
  return [
    send(`ping${pings}`, 'conversation.item.retrieve', { item_id: 'known' }),
    come(`pong${pings}`, 'conversation.item.retrieved', { item: known }),
  ]
}
export const later: Step = pass(400)
export const text = (id: string): Step =>
  come(`${id}.delta`, 'response.output_text.delta', {
    response_id: `r-${id}`,
    item_id: `m-${id}`,
    output_index: 0,
    delta: 'Once ',
  })

/** The first response tells that the words are fine. */
export const first: Steps = [
  ...opened('text', state('text_chat', 'guide')),
  send('known', 'conversation.item.create', { item: message('known', 'user', 'Hello.') }),
  come('known.created', 'conversation.item.created', {
    previous_item_id: null,
    item: message('known', 'user', 'Hello.'),
  }),
  ask('i0'),
  created('i0'),
  done('i0'),
]
