import { besideForeignHost } from './foreign-host.ts'
import { always } from './fixed-answers.ts'
import type { HostileTarget } from './hostile-target.ts'
import { serveRest } from './serve.ts'

function row(status: number): HostileTarget {
  return {
    id: `redirect-${status}`,
    description: `${status} to another host, for everything`,
    start: () =>
      besideForeignHost(true, ({ authority }) =>
        serveRest(always(status, '', { location: `https://${authority}/v1/realtime-avatar/sessions` })),
      ),
    expect: { envelope: false, sessions: false, foreign: 0 },
  }
}

/** Redirects, which are never followed. */
export const redirects: HostileTarget[] = [302, 307, 308].map(row)
