import type { Rule } from '#judge/rule'
import { show } from '#judge/show'
import { at, isObject, stringAt } from '#trace/json'

const variants = ['rtc_a', 'rtc_b'] as const
const row = 'avatar-sessions.delivery.variant-matches-transport'

/**
 * "Updated connection details" (6.2) are of the transport that is named with them: details of one beside the name of the
 * other lead a client nowhere. Whether an update tells any, and how much, is not said.
 */
export const updatedMedia: Rule = {
  id: 'avatar-sessions.updated-media',
  proves: [row],
  judge(trace, report) {
    for (const { frames, scenario } of trace.channels.values()) {
      for (const { direction, type, data, line } of frames) {
        if (direction !== 'received' || type !== 'session.updated') continue
        const media = at(data, '/media')
        if (!isObject(media)) continue
        const shown = variants.filter((name) => isObject(media[name]))
        const named = [stringAt(data, '/media_transport'), stringAt(media, '/transport')]
        const other = shown.length === 1 ? named.find((name) => name !== shown[0] && isVariant(name)) : undefined
        if (other !== undefined)
          report.broken(row, { expected: `details of ${other}`, got: show(shown), lines: [line], scenario })
      }
    }
  },
}

const isVariant = (name: string | undefined): boolean => variants.some((one) => one === name)
