import type { Exchange } from '../client/types.ts'
import { at } from '../trace/json.ts'

/** Final states of an avatar session (3.1). */
const over = new Set(['closed', 'failed'])

export interface ClosedTools {
  readonly get: () => Promise<Exchange>
  readonly wait: (ms: number) => Promise<void>
  readonly closed_ms: number
}

/** Polls Get Session until the session is over or time is; the pauses grow from 0.2 to 3 seconds. */
export async function untilClosed({ get, wait, closed_ms }: ClosedTools): Promise<Exchange> {
  const deadline = performance.now() + closed_ms
  for (let pause = 200; ; pause = Math.min(pause * 1.6, 3_000)) {
    const answer = await get()
    if (isOver(answer) || performance.now() + pause > deadline) return answer
    await wait(Math.round(pause))
  }
}

function isOver(answer: Exchange): boolean {
  const status = at(answer.body, '/data/status')
  return answer.code === 20005 || (typeof status === 'string' && over.has(status))
}
