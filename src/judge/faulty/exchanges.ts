import type { Condition } from '#trace/claim'
import { isOperationId, operations } from '#spec/tables'
import { validate } from '#spec/validators'
import { readOnce } from '../read-once.ts'
import { isRecording } from '../recordings.ts'
import type { TraceIndex } from '../trace-index.ts'
import { contradictsItself } from './bodies.ts'

/** Exchanges that some claim expects to be rejected; in a recording, which has no claims, requests that are wrong by themselves. */
export const faultyExchanges = readOnce((trace: TraceIndex): ReadonlySet<number> => {
  const faulty = new Set<number>()
  for (const { entry } of trace.claims) collect(entry.condition, faulty)
  if (isRecording(trace)) for (const one of wrongByThemselves(trace)) faulty.add(one)
  return faulty
})

function collect(condition: Condition, faulty: Set<number>): void {
  if (condition.is === 'rejected') faulty.add(condition.exchange)
  else if (condition.is === 'any' || condition.is === 'all') for (const one of condition.of) collect(one, faulty)
}

/** What a client sent in a wrong shape, or contradicting itself, may come back as it was sent: that is its own fault. */
function wrongByThemselves(trace: TraceIndex): readonly number[] {
  return [...trace.asked.values()].flatMap(({ exchange, operation, attempts }) => {
    const shape = isOperationId(operation) ? operations[operation].request : null
    const body = attempts[0]?.request.entry.body
    if (shape === null || body === undefined) return []
    return validate(shape, body).length > 0 || contradictsItself(operation, body) ? [exchange] : []
  })
}
