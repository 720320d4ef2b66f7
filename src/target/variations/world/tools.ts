import { append } from '#target/overrides/operators'
import type { Override } from '#target/behaviour/behaviour'
import { isWire, type JsonObject, objectAt } from '#target/wire'

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
