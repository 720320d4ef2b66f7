import { at } from '#trace/json'
import { readOnce } from '../read-once.ts'
import type { ChannelRecord, FrameRecord, TraceIndex } from '../trace-index.ts'
import { failedOver, isOwnFailure } from './own-failure.ts'
import { onlyEachTime, type Outcome } from './outcome.ts'
import { isToFail } from './to-fail.ts'

/** What an event of this type asked for is not missed by what comes later. */
const changesNothing = 'conversation.item.retrieve'

/** By the line of each frame behind the first failure of its session: the line of that failure. */
const behindFailures = readOnce((trace: TraceIndex): ReadonlyMap<number, number> => {
  const behind = new Map<number, number>()
  const channels = Map.groupBy(trace.channels.values(), ({ session }) => session)
  for (const own of channels.values()) {
    const first = Math.min(...own.flatMap((channel) => failuresOf(trace, channel, own)))
    if (first === Infinity) continue
    for (const { line } of own.flatMap(({ frames }) => frames)) if (line > first) behind.set(line, first)
  }
  return behind
})

/**
 * What follows a failure of the service's own ("a client or server processing step fails", 6.2) over an event that it was to
 * follow: what the event asked for was not done, so that whatever stands on it decides nothing, unless it is so each time.
 */
export function excused(trace: TraceIndex, outcome: Outcome): Outcome {
  if (outcome.state !== 'broken' || outcome.isProven === true) return outcome
  const { lines } = outcome
  const failure = lines.map((line) => behindFailures(trace).get(line)).find((line) => line !== undefined)
  if (failure === undefined) return outcome
  return onlyEachTime('the service had failed over an event before', outcome, failure, ...lines)
}

function failuresOf(trace: TraceIndex, { frames }: ChannelRecord, own: readonly ChannelRecord[]): readonly number[] {
  return frames
    .filter(({ data, direction }) => direction === 'received' && isOwnFailure(data))
    .flatMap((frame) => {
      const asked = own.flatMap((one) => one.frames).find((sent) => sent.direction === 'sent' && isCause(sent, frame))
      const counts =
        asked !== undefined && asked.type !== changesNothing && !isToFail(trace, at(asked.data, '/event_id'))
      return counts ? [frame.line] : []
    })
}

function isCause({ data }: FrameRecord, failure: FrameRecord): boolean {
  return failedOver(failure.data, at(data, '/event_id'))
}
