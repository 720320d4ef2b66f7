import type { ClientTraffic } from './options.ts'

/** Counts what goes over the wire. */
export interface TrafficCount {
  request(key: string): void
  sent(): void
  received(): void
  total(): ClientTraffic
}

export function createTrafficCount(): TrafficCount {
  const requests = new Map<string, number>()
  let sent = 0
  let received = 0
  return {
    request: (key) => void requests.set(key, (requests.get(key) ?? 0) + 1),
    sent: () => {
      sent += 1
    },
    received: () => {
      received += 1
    },
    total: () => ({
      rest_requests: [...requests.values()].reduce((sum, count) => sum + count, 0),
      client_events: sent,
      server_events: received,
      by_key: Object.fromEntries([...requests].map(([key, count]) => [key, { rest_requests: count }])),
    }),
  }
}
