import { around } from '#target/overrides/operators'
import type { Override } from '../behaviour/behaviour.ts'
import type { EdgeAnswer } from '../behaviour/http.ts'
import { variationsOf } from './table.ts'

const pages = [503, 403, 502, 408, 504, 429]
const refusals: readonly EdgeAnswer[] = [503, 429, 'reset', 502]

/** Upgrades without a way to the service. */
const unrouted = [404, 403, 302]
/** As Kong, APISIX and the gateways of clouds say it. */
const gateways: readonly EdgeAnswer[] = [
  { status: 404, json: { message: 'no Route matched with those values' } },
  { status: 404, json: { error_msg: '404 Route Not Found' } },
  302,
  { status: 400, json: { message: 'Bad Request' } },
  { status: 401, json: { message: 'Unauthorized' } },
]

/** After how many requests the edge loses its service, and for how many milliseconds. */
const downAfter = 40
const down_ms = 8_000

/** For a while, once, nothing comes but this. */
const goneOnce =
  (answer: EdgeAnswer): Override =>
  ({ http }) => {
    let count = 0
    let since: number | undefined
    http.edge = () => {
      count += 1
      if (count >= downAfter) since ??= performance.now()
      return since !== undefined && performance.now() - since < down_ms ? answer : undefined
    }
  }

/** What stands between a service and its callers. Nothing promises that every answer is the service's own. */
export const edgeVariations = variationsOf({
  'edge-pages §7: An edge answers every 83rd request itself, by a page with 403, 408, 429, 502, 503 or 504 ("on 429, 5xx or timeout, retry").':
    around('http.edge', () => {
      let count = 0
      return (asked) => {
        if (asked === 'upgrade') return undefined
        count += 1
        return count % 83 === 0 ? pages[(count / 83) % pages.length] : undefined
      }
    }),
  'edge-gateway §7: A gateway without a route for a moment answers every 83rd request itself, in JSON of its own or by a redirect, and refuses every 13th upgrade by 404, 403 or 302 ("on 429, 5xx or timeout, retry").':
    around('http.edge', () => {
      const counts = { upgrade: 0, request: 0 }
      return (asked) => {
        const kind = asked === 'upgrade' ? 'upgrade' : 'request'
        counts[kind] += 1
        if (kind === 'upgrade') return counts.upgrade % 13 === 0 ? unrouted[(counts.upgrade / 13) % 3] : undefined
        return counts.request % 83 === 0 ? gateways[(counts.request / 83) % gateways.length] : undefined
      }
    }),
  'edge-down §7: Behind its edge the service is gone for eight seconds, once ("on 429, 5xx or timeout, retry").':
    goneOnce(503),
  'edge-unrouted §7: For eight seconds, once, its gateway has no route to the service ("on 429, 5xx or timeout, retry").':
    goneOnce({ status: 404, json: { message: 'no Route matched with those values' } }),
  'edge-refuses-upgrades §5: An edge refuses every 13th upgrade by 429, 502 or 503, or breaks its connection.': around(
    'http.edge',
    () => {
      let count = 0
      return (asked) => {
        if (asked !== 'upgrade') return undefined
        count += 1
        return count % 13 === 0 ? refusals[(count / 13) % refusals.length] : undefined
      }
    },
  ),
})
