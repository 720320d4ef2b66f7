import { once } from 'node:events'
import { connect, createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, expect, test, vi } from 'vitest'
import { makeCertificate } from '#testing/certificate'
import { type Listener, listen } from '#testing/listener'

const before = getCACertificates('default')
let listener: Listener | undefined

afterEach(async () => {
  setDefaultCACertificates(before)
  vi.resetModules()
  await listener?.stop()
})

test('a self-signed certificate of the profile is trusted beside another one of the same subject', async () => {
  const [own, other] = await Promise.all([makeCertificate(), makeCertificate()])
  setDefaultCACertificates([...before, other.cert])
  vi.resetModules()
  const { trust } = await import('./tls-trust.ts')
  listener = await listen(createServer(own, (socket) => socket.end()))
  const socket = connect({ host: '127.0.0.1', port: listener.port, secureContext: trust(own.cert) })
  await once(socket, 'secureConnect')
  expect(socket.authorized).toBe(true)
  socket.destroy()
})
