import type { FakeService, ServiceAnswer, ServiceRequest, UpgradeAnswer } from '../fake-service.ts'

/** What the contract script talks to: the same behind the fake k6 and behind a real server. */
export const contractService: FakeService = {
  request: ({ method, url, headers, body }: ServiceRequest): ServiceAnswer | 'silence' => {
    if (new URL(url).pathname === '/silent') return 'silence'
    const said = `${method} ${headers['x-told'] ?? ''} ${body}`
    return { status: 429, headers: { 'retry-after': '7' }, body: said, after_ms: 50 }
  },
  upgrade: ({ url }: ServiceRequest): UpgradeAnswer => {
    if (new URL(url).pathname === '/refused') return { status: 503, body: 'no' }
    return {
      open: (socket) => ({
        heard: (frame) => {
          socket.send(`echo ${frame}`)
          socket.close(4_001)
        },
      }),
    }
  },
}
