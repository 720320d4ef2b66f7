import { show } from '#judge/show'
import type { ChannelRecord, FrameRecord } from '#judge/trace-index'
import { isServerEventType } from '#spec/tables'
import { isObject, type JsonObject } from '#trace/json'
import { ruleOf, type Say } from '../model/say.ts'
import { rows } from '../rows.ts'

const proves = rows({
  message: 'server-json-object',
  'server-event': 'type-nonempty event-id-nonempty',
})

type Own = (typeof proves)[number]

/** "Each message is a JSON object with `type`" (4.4); "all server events carry `event_id` and `type`" (6). */
export const frames = ruleOf('frames', proves, (trace, say) => {
  for (const channel of trace.channels.values()) {
    const emptyIds = channel.frames.some(isEmptyId)
    for (const frame of channel.frames) if (frame.direction === 'received') judgeFrame(frame, emptyIds, say)
  }
  seeTypes(trace.channels.values(), say)
})

function judgeFrame(frame: FrameRecord, emptyIds: boolean, say: Say<Own>): void {
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
  const echoesEmpty = emptyIds && type === 'session.updated' && id === ''
  if (echoesEmpty) return
  if (isFilled(id)) say.held('server-event.event-id-nonempty', frame)
  else say.broken('server-event.event-id-nonempty', 'a nonempty string `event_id`', show(id), frame)
}

/** An empty id of ours may come back in `session.updated`. */
function isEmptyId({ direction, data }: FrameRecord): boolean {
  return direction === 'sent' && isObject(data) && data['event_id'] === ''
}

function own(data: JsonObject, name: string) {
  return Object.hasOwn(data, name) ? data[name] : undefined
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
