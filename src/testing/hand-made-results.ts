import type { RequirementResult, Results, Verdict } from '#judge/results'
import type { Entry } from '#trace/entry'

/** Text as a hostile target would send it: ANSI, markup of three kinds, bidi, a lone surrogate, a line of its own. */
export const hostileText =
  '\u001b[31m]]><script>alert(1)</script> | **x** `y` \u202egnp\u0000\ud800\n::error::\uffff"\'&'

/** What a newer Greenroom might say. */
export const unknownVerdict: Verdict = JSON.parse('"great"')

export function row(id: string, verdict: Verdict, more: Partial<RequirementResult> = {}): RequirementResult {
  return {
    id,
    section: '4.1',
    level: 'must',
    verdict,
    observations: 1,
    reason: verdict,
    evidence: [],
    scenarios: [],
    ...more,
  }
}

/** Results made by hand; the summary is counted from the rows. */
export function handMadeResults(requirements: readonly RequirementResult[], more: Partial<Results> = {}): Results {
  const count = (verdict: Verdict): number => requirements.filter((one) => one.verdict === verdict).length
  return {
    format: 'greenroom.results/1',
    run: {
      id: 'r1',
      date: '2026-11-21T12:00:00Z',
      seed: 7,
      tier: 'standard',
      only: [],
      versions: { greenroom: '0.1.0', spec: '1.0.0' },
      register: 'aa'.repeat(32),
      release: { version: '1.0.0', digest: 'dd'.repeat(32) },
      trace: 'bb'.repeat(32),
      duration_ms: 12_345,
      outcome: 'completed',
    },
    target: { base_url: 'https://staging.example', profile },
    traffic: { rest_requests: 12, sessions_created: 3, client_events: 4, server_events: 5, by_key: {} },
    summary: {
      pass: count('pass'),
      fail: count('fail'),
      warn: count('warn'),
      inconclusive: count('inconclusive'),
      not_applicable: count('not_applicable'),
      waived: count('waived'),
    },
    conformant: count('fail') === 0,
    requirements,
    unscored: [],
    choices: [],
    waivers: { stale: [], expired: [], unknown: [] },
    leaked: [],
    undeletable: [],
    harness_errors: [],
    ...more,
  }
}

export const profile = {
  base_url: 'https://staging.example',
  ca_file: 'ca.pem',
  keys: { primary: 'GR_KEY', other_workspace: 'GR_KEY_B' },
  headers: { 'X-Gate': 'GR_GATE' },
}

/** Line 1 a request, line 2 its response, lines 3 to 6 a channel with an event each way. */
export const handMadeTrace: readonly Entry[] = [
  {
    kind: 'request',
    t: 1,
    exchange: 1,
    attempt: 1,
    operation: 'create-avatar-session',
    method: 'POST',
    path: '/v1/realtime-avatar/sessions',
    key: 'primary',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ‹key primary›', 'x-gate': '‹header›' },
    body: { model: "it's", note: '\u001b' },
  },
  { kind: 'response', t: 2, exchange: 1, attempt: 1, status: 200, headers: {}, body: { code: 0 }, bytes: 9 },
  {
    kind: 'channel-open',
    t: 3,
    channel: 1,
    session: 's1',
    url: 'wss://staging.example/v1/realtime-avatar/control?session_id=s1&token=‹secret 1›',
    credential: 'query',
  },
  { kind: 'channel-opened', t: 4, channel: 1 },
  { kind: 'frame-sent', t: 5, channel: 1, frame: 1, data: { type: 'response.create' } },
  { kind: 'frame-received', t: 6, channel: 1, frame: 2, data: { type: 'error' }, bytes: 16 },
]
