import type { Exchange } from '#client/types'
import { at, textsIn } from '#trace/json'

/** States of an avatar session (3.1), the final ones last. */
const going = ['active', 'closing']
const over = ['closed', 'failed']

export interface ClosedTools {
  readonly get: () => Promise<Exchange>
  readonly wait: (ms: number) => Promise<void>
  readonly closed_ms: number
  /** Where every request counts, the pauses are longer from the start. */
  readonly sparing?: boolean
}

/** After how many answers without any state we stop asking: the payload of Get is not shown (4.1). */
const mostUnanswered = 4

/**
 * Polls Get Session until the session is over or time is; the pauses grow from 0.2 to 3 seconds. A target that never
 * shows a state is not asked for ever.
 */
export async function untilClosed({ get, wait, closed_ms, sparing = false }: ClosedTools): Promise<Exchange> {
  const deadline = performance.now() + closed_ms
  let silent = 0
  const [first, growth] = sparing ? [400, 4] : [200, 1.6]
  for (let pause = first; ; pause = Math.min(pause * growth, 3_000)) {
    const late = performance.now() >= deadline
    const answer = await get()
    const states = statesIn(answer)
    silent = states.length === 0 ? silent + 1 : 0
    if (isOver(answer, states) || silent >= mostUnanswered || late) return answer
    await wait(Math.round(Math.min(pause, Math.max(1, deadline - performance.now()))))
  }
}

/** Get says that it is over, or that there is no such session. */
export function isOver(answer: Exchange, states: readonly string[]): boolean {
  if (answer.code === 20005) return true
  return states.length > 0 && states.every((state) => over.includes(state))
}

/** `data.status` where it is one of the four, else every state that is named anywhere in `data`. */
export function statesIn(answer: Exchange): readonly string[] {
  const status = at(answer.body, '/data/status')
  const named = typeof status === 'string' ? [status] : textsIn(answer.data)
  const states = named.filter((text) => going.includes(text) || over.includes(text))
  return states.length > 0 || typeof status !== 'string'
    ? states
    : textsIn(answer.data).filter((text) => over.includes(text))
}
