import { envelopeOf } from '#judge/answers'
import type { Report, Rule } from '#judge/rule'
import { show } from '#judge/show'
import type { ChannelRecord } from '#judge/trace-index'
import type { RequirementId } from '#spec/register'

const row: RequirementId = 'errors.channel.failures-are-events'

/** "Control channel failures arrive as `error` events, not REST codes" (section 7). */
export const channelFailures: Rule = {
  id: 'errors.channel',
  proves: [row],
  judge(trace, report) {
    for (const channel of trace.channels.values()) judgeFrames(channel, report)
  },
}

function judgeFrames({ frames }: ChannelRecord, report: Report): void {
  for (const { direction, type, data, line, scenario } of frames) {
    if (direction !== 'received') continue
    if (type === 'error') report.held(row, line)
    else if (typeof type !== 'string' && isFailure(data)) {
      report.broken(row, { expected: 'an `error` event', got: show(data), lines: [line], scenario })
    }
  }
}

/** An envelope with a code other than 0. */
function isFailure(data: Parameters<typeof envelopeOf>[0]): boolean {
  const envelope = envelopeOf(data)
  return envelope !== undefined && envelope.code !== 0
}
