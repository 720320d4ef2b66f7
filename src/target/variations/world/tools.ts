import type { Behaviour } from '#target/behaviour/behaviour'
import { isWire, type Wire, wireAt } from '#target/wire'

const SHOWING = ['create-world-session', 'get-world-session', 'create-client-secret']

/** Changes every answer that shows a world session or its descriptors. */
export const onWorlds = ({ http }: Behaviour, make: (data: Wire, operation: string) => Wire): void =>
  void http.data.push((data, operation) => (SHOWING.includes(operation) && isWire(data) ? make(data, operation) : data))

/** Changes the address of a channel wherever it is shown. */
export const onAddress = (behaviour: Behaviour, channel: 'control' | 'media', make: (url: string) => string): void =>
  onWorlds(behaviour, (data) => {
    const descriptor = wireAt(data, channel)
    return { ...data, [channel]: { ...descriptor, url: make(String(descriptor['url'])) } }
  })
