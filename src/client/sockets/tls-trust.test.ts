import { createServer, get } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
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
  listener = await listen(createServer(own, (_request, response) => response.end()))
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const where = { host: '127.0.0.1', port: listener.port, agent: false } as const
  get({ ...where, secureContext: trust(own.cert) }, ({ statusCode }) => resolve(statusCode)).on('error', reject)
  expect(await promise).toBe(200)
})
