import { cutLong, isCut } from './cuts.ts'
import { play, rejectBehind } from './rendered.ts'
import type { Operation } from './stages.ts'
import { type Asking, queueAside, queueOverMode, queueText } from './waiting.ts'

/** What an operation asks for that needs nothing but to ask and to hear, where it is such a one. */
export function askFor(operation: Operation, asking: Asking): Promise<void> | undefined {
  if (isCut(operation)) return cutLong(operation, asking)
  switch (operation) {
    case 'play audio':
      return play(asking)
    case 'reject behind the text':
    case 'reject behind the item':
      return rejectBehind(operation, asking)
    case 'queue a registered text':
    case 'queue an unknown text':
      return queueText(operation, asking)
    case 'queue out of band and look':
      return queueAside(asking)
    case 'queue over a change of mode':
      return queueOverMode(asking)
    default:
      return undefined
  }
}
