import { setTimeout as wait } from 'node:timers/promises'
import { readEnvelope } from '../../../load/core/envelope.ts'
import { seeded } from '../../../load/core/random.ts'
import { newBudget } from '../../../load/core/retry.ts'
import { tallyFor } from '../../../load/core/common-measures.ts'
import type { Machine, RestRequest } from '../../../load/scenarios/machine.ts'
import type { Scenario } from '../../../load/scenarios/scenario.ts'
import { workloads } from '../../../load/workloads.ts'

/** The machine of one iteration, over HTTP and without k6; control channels don't open. */
export function fetchMachine<Count extends string, Time extends string>(
  scenario: Scenario<Count, Time>,
  { base_url, secret, name }: { readonly base_url: string; readonly secret: string; readonly name: string },
): Machine<Count, Time> {
  const key = { name: 'primary', requests_per_minute: 60_000, concurrent_sessions: undefined }
  const now = (): number => performance.timeOrigin + performance.now()
  return {
    name,
    run: name,
    workload: workloads.smoke,
    key,
    keys: [key],
    tally: tallyFor(scenario.measures({ serverEvents: [], errorCodes: [] }), { serverEvents: [], errorCodes: [] }),
    retries: newBudget(),
    intended: now(),
    now,
    later: (ms, task) => {
      const timer = setTimeout(task, ms)
      return () => clearTimeout(timer)
    },
    wait: (ms) => wait(ms),
    random: seeded(name),
    request: async (request) => {
      const sentAt = now()
      const response = await fetch(`${base_url}${request.path}`, initOf(request, secret))
      const body = await response.text()
      const answeredAt = now()
      return {
        ...readEnvelope(response.status, body),
        retryAfter: response.headers.get('retry-after') ?? undefined,
        date: response.headers.get('date') ?? undefined,
        sentAt,
        answeredAt,
        ms: answeredAt - sentAt,
      }
    },
    connect: () => undefined,
    explainRefusal: async () => undefined,
    flush: () => undefined,
  }
}

function initOf({ method, body, file }: RestRequest, secret: string): RequestInit {
  // A connection for each: one that is kept may be hung up by the target just as the next request goes out.
  const headers = { Authorization: `Bearer ${secret}`, Connection: 'close' }
  if (file !== undefined) {
    const form = new FormData()
    form.set(file.field, new Blob([file.bytes], { type: file.type }), file.name)
    return { method, headers, body: form }
  }
  if (body === undefined) return { method, headers }
  return { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}
