import type { FastifyInstance } from 'fastify'
import type { Visit } from '../options.ts'
import type { Service } from '../service.ts'

/** Tells of each request and upgrade. */
export function tellVisits(service: Service, app: FastifyInstance, tell: (visit: Visit) => void): void {
  app.addHook('onResponse', async ({ method, url, headers }, { statusCode, elapsedTime }) => {
    const key = service.accounts.find(({ secret }) => headers.authorization?.endsWith(` ${secret}`) === true)?.name
    const path = pathOf(url)
    tell({ method, path, status: statusCode, ms: elapsedTime, ...(key === undefined ? {} : { key }) })
  })
  app.server.on('upgrade', ({ url = '' }) => {
    tell({ method: 'UPGRADE', path: pathOf(url) })
  })
}

/** The query of an upgrade holds a secret: of any query only the session and the page are kept. */
function pathOf(url: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  const kept = [...new URLSearchParams(query)].filter(([name]) => name === 'session_id' || name === 'page_size')
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept).toString()}`
}
