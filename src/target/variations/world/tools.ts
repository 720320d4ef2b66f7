import { append } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { cancelAll } from '#target/timers'
import { isWire, type JsonObject, objectAt } from '#target/wire'
import type { WorldSession } from '#target/worlds/session'

const SHOWING = ['create-world-session', 'get-world-session', 'create-client-secret']

/** Changes every answer that shows a world session or its descriptors. */
export const onWorlds = (make: (data: JsonObject, operation: string) => JsonObject): Override =>
  append('http.data', (data, operation) => (SHOWING.includes(operation) && isWire(data) ? make(data, operation) : data))

/** Changes the address of a channel wherever it is shown. */
export const onAddress = (channel: 'control' | 'media', make: (url: string) => string): Override =>
  onWorlds((data) => {
    const descriptor = objectAt(data, channel)
    return { ...data, [channel]: { ...descriptor, url: make(String(descriptor['url'])) } }
  })

/** A session is over at once, without being asked to close; what it has generated still counts. */
export function endAtOnce(session: WorldSession, status: 'closed' | 'failed'): void {
  const { runtime } = session
  if (runtime.mediaStatus === 'running') runtime.mediaMs += Date.now() - runtime.since
  session.status = status
  runtime.mediaStatus = status === 'failed' ? 'failed' : 'disconnected'
  cancelAll(session.clocks)
}
