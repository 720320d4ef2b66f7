import { show } from '#judge/show'
import type { ChannelRecord, FrameRecord } from '#judge/trace-index'
import { isServerEventType } from '#spec/tables'
import { isObject, own } from '#trace/json'
import { ruleOf, type Say } from '../model/say.ts'
import { rows } from '../rows.ts'

const proves = rows({
  message: 'server-json-object',
  'server-event': 'type-nonempty event-id-nonempty',
})

type Own = (typeof proves)[number]

/** "Each message is a JSON object with `type`" (4.4); "all server events carry `event_id` and `type`" (6). */
export const frames = ruleOf('frames', proves, (trace, say) => {
  for (const channels of Map.groupBy(trace.channels.values(), ({ session }) => session).values()) {
    const odd = new Set(channels.flatMap(({ frames: all }) => all.flatMap(oddId)))
    for (const { frames: all } of channels) {
      for (const frame of all) if (frame.direction === 'received') judgeFrame(frame, odd, say)
    }
  }
  seeTypes(trace.channels.values(), say)
})

function judgeFrame(frame: FrameRecord, odd: ReadonlySet<string>, say: Say<Own>): void {
  if (frame.problem === 'too-deep') return
  const { data } = frame
  if (!isObject(data)) {
    const got = frame.problem === 'binary' ? 'a binary frame' : show(data ?? frame.text ?? '')
    say.broken('message.server-json-object', 'a JSON object in a text frame', got, frame)
    return
  }
  say.held('message.server-json-object', frame)
  const { type } = frame
  if (isFilled(type)) say.held('server-event.type-nonempty', frame)
  else say.broken('server-event.type-nonempty', 'a nonempty string `type`', show(type), frame)
  const id = own(data, 'event_id')
  if (type === 'session.updated' && odd.has(JSON.stringify(id))) return
  if (isFilled(id)) say.held('server-event.event-id-nonempty', frame)
  else say.broken('server-event.event-id-nonempty', 'a nonempty string `event_id`', show(id), frame)
}

/** An id of ours that is empty, or no string, may come back in `session.updated` as it came. */
function oddId({ direction, data }: FrameRecord): readonly string[] {
  if (direction !== 'sent' || !isObject(data)) return []
  const id = own(data, 'event_id')
  return id === undefined || isFilled(id) ? [] : [JSON.stringify(id)]
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function seeTypes(channels: Iterable<ChannelRecord>, say: Say<Own>): void {
  const seen = new Set<string>()
  for (const channel of channels) seeTypesOf(channel, seen, say)
}

function seeTypesOf({ frames: all }: ChannelRecord, seen: Set<string>, say: Say<Own>): void {
  let last: string | undefined
  for (const frame of all) {
    if (frame.direction !== 'received') continue
    const { type } = frame
    if (typeof type !== 'string' || type === last || seen.has(type) || seen.size > 40) continue
    last = type
    seen.add(type)
    if (!isServerEventType(type)) say.saw('message.unknown-event-types', type.slice(0, 80), frame)
  }
}
