import { START } from '../tools/characters.ts'
import { type RateDecision, tokenBucket } from '#target/behaviour/access/rate'
import type { Behaviour, Override } from '#target/behaviour/behaviour'
import type { ErrorCode } from '#target/behaviour/codes'
import { around, remembering, set } from '#target/overrides/operators'
import type { JsonObject } from '#target/wire'
import { LITE } from '../tools/creates.ts'
import { failsOver, told } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

const recode =
  (from: ErrorCode, to: ErrorCode, fits: (operation: string) => boolean = () => true) =>
  ({ http }: Behaviour): void => {
    const { coded: old, statuses } = http
    statuses[to] = statuses[from]
    http.coded = (code, operation) => (code === from && fits(operation) ? to : old(code, operation))
  }

/** A Retry-After of this value with this code: of all operations, or of one. */
const withRetryAfter = (among: ErrorCode, asked?: string, value = '5'): Override =>
  around(
    'http.retryAfter',
    (retryAfter) => (code, seconds, now, operation) =>
      code === among && operation === (asked ?? operation) ? value : retryAfter(code, seconds, now, operation),
  )

export const code10001Defects = defectsOf('errors.code-10001', {
  'key-absent: A list without a key is answered with 10009.': set('access.missingKey', (operation) =>
    operation.startsWith('list') ? '10009' : '10001',
  ),
})

export const code10003Defects = defectsOf('errors.code-10003', {
  'key-invalid: A list with a wrong key is answered with 10001.': set('access.invalidKey', (operation) =>
    operation.startsWith('list') ? '10001' : '10003',
  ),
})

export const code10004Defects = defectsOf('errors.code-10004', {
  'billing-inactive: Inactive billing is answered with 10005.': set('access.billing', (state) =>
    state === 'billing_inactive' || state === 'insufficient_balance' ? '10005' : undefined,
  ),
})

export const code10005Defects = defectsOf('errors.code-10005', {
  'balance-too-low: An empty balance is answered with 10004.': set('access.billing', (state) =>
    state === 'billing_inactive' || state === 'insufficient_balance' ? '10004' : undefined,
  ),
  'balance-too-low~lite: Creates of the lite model ask for no balance.': remembering(() => {
    let last: JsonObject = {}
    return [
      around('create.read', (read) => (body) => {
        last = read(body)
        return last
      }),
      around(
        'create.skips',
        (skips) => (operation, step, state) =>
          skips(operation, step, state) ||
          (step === 'billing' && state === 'insufficient_balance' && last['model'] === LITE),
      ),
    ]
  }),
})

export const code10009Defects = defectsOf('errors.code-10009', {
  'key-not-granted: A key without access is answered with 20004.': set('access.permission', (state) =>
    state === 'access_denied' ? '20004' : undefined,
  ),
})

export const code10008Defects = defectsOf('errors.code-10008', {
  'rate-exceeded: A key over its limit is answered with 30008.': (b) => {
    const { retryAfter } = b.http
    recode('10008', '30008')(b)
    b.http.retryAfter = retryAfter
  },
  'status-429: A key over its limit is answered under 503.': set('http.statuses.10008', 503),
  'retry-after-present: A key over its limit gets no Retry-After.': set('http.retryAfter', () => undefined),
  'retry-after-readable: Retry-After holds words.': set('http.retryAfter', (code) =>
    code === '10008' ? 'soon' : undefined,
  ),
  'retry-after-readable~milliseconds: Retry-After has a unit.': set('http.retryAfter', (_code, seconds) =>
    seconds === undefined ? undefined : `${seconds}s`,
  ),
  'retry-after-truthful: Retry-After promises a second where ten are needed.': set(
    'rate.decide',
    (state, perMinute, now) => {
      const [until = 0] = state.times
      if (now < until) return { admitted: false, retryAfterSeconds: 1 }
      const decision: RateDecision = tokenBucket(state, perMinute, now)
      if (decision.admitted) return decision
      state.times = [now + 10_000]
      return { admitted: false, retryAfterSeconds: 1 }
    },
  ),
  'retry-after-truthful~second: Only the first refusal tells the ten seconds that are needed, later ones tell a second.':
    set('rate.decide', (state, perMinute, now) => {
      const [until = 0] = state.times
      if (now < until) return { admitted: false, retryAfterSeconds: 1 }
      const decision = tokenBucket(state, perMinute, now)
      if (decision.admitted) return decision
      state.times = [now + 10_000]
      return { admitted: false, retryAfterSeconds: 10 }
    }),
  'retry-after-present~post: Only a refused read is told when to come back.': around(
    'http.retryAfter',
    (retryAfter) => (code, seconds, now, operation) =>
      /^(?:create|close|clone)/u.test(operation) ? undefined : retryAfter(code, seconds, now, operation),
  ),
})

export const code30006Defects = defectsOf('errors.code-30006', {
  'cap-exceeded: The cap is answered with 20004.': set('quota.exceeded', () => '20004'),
  'cap-exceeded~character: At the cap a start from a character is answered with 30004.': set(
    'quota.exceeded',
    (operation) => (operation === START ? '30004' : '30006'),
  ),
  'cap-exceeded~start: At the cap a start from a character is answered with 30008.': set(
    'quota.exceeded',
    (operation) => (operation === START ? '30008' : '30006'),
  ),
  'status-429: The cap is answered under 403.': set('http.statuses.30006', 403),
  'no-retry-after: The cap comes with a Retry-After.': withRetryAfter('30006'),
  'no-retry-after~character: A 30006 of Create Session from Character has a Retry-After.': withRetryAfter(
    '30006',
    START,
  ),
  'freed-by-close: A slot is held for ever.': set('quota.holds', () => true),
  'no-retry-after~start: A start over the limit is told when to come back.': withRetryAfter('30006', START, '2'),
})

export const code30008Defects = defectsOf('errors.code-30008', {
  'capacity-exceeded: Lacking capacity is answered with 30004.': set('quota.capacity', (state) =>
    state === 'capacity_exhausted' ? '30004' : undefined,
  ),
  'status-429: Lacking capacity is answered under 503.': set('http.statuses.30008', 503),
  'status-429~world: On world creates 30008 travels under 503.': ({ http }) => {
    const { coded } = http
    http.coded = (code, operation) => {
      http.statuses['30008'] = operation === 'create-world-session' ? 503 : 429
      return coded(code, operation)
    }
  },
  'no-retry-after: Lacking capacity comes with a Retry-After.': withRetryAfter('30008'),
})

export const code20005Defects = defectsOf('errors.code-20005', {
  'get-unknown-avatar-session: Get of an unknown session is answered with 30004.': recode(
    '20005',
    '30004',
    (operation) => operation.startsWith('get'),
  ),
  'get-unknown-avatar-session~world-id: Get of an avatar session finds world sessions.': set(
    'access.getsOtherKind',
    (operation) => operation === 'get-avatar-session',
  ),
  'close-unknown-avatar-session: A close of an unknown session is answered with 20004.': recode(
    '20005',
    '20004',
    (operation) => operation.startsWith('close'),
  ),
  'get-avatar-session-of-other-workspace: Get of another workspace’s session is answered with 10009.': set(
    'access.unseen',
    (operation) => (operation.startsWith('get') ? '10009' : '20005'),
  ),
  'close-avatar-session-of-other-workspace: A close of another workspace’s session is answered with 10009.': set(
    'access.unseen',
    (operation) => (operation.startsWith('close') ? '10009' : '20005'),
  ),
})

export const code30004Defects = defectsOf('errors.code-30004', {
  'avatars-missing: Missing avatars are answered with 20012.': told('validations.avatars', '20012', 'avatars-missing'),
  'avatars-empty~failure: The service fails over empty avatars.': failsOver('validations.avatars', 'avatars-empty'),
  'avatars-empty: Empty avatars are answered with 20012.': told('validations.avatars', '20012', 'avatars-empty'),
  'avatar-id-duplicate: Duplicate avatar ids are answered with 20013.': told(
    'validations.avatars',
    '20013',
    'avatar-id-repeated',
  ),
  'avatar-id-missing: A missing avatar id is answered with 20003.': told(
    'validations.avatars',
    '20003',
    'avatar-id-missing',
  ),
  'avatar-id-empty: An empty avatar id is answered with 20013.': told(
    'validations.avatars',
    '20013',
    'avatar-id-empty',
  ),
  'avatar-voice-incomplete: An incomplete voice is answered with 20003.': told(
    'validations.avatars',
    '20003',
    'voice-provider-missing',
    'voice-id-missing',
    'voice-model-missing',
  ),
  'source-image-incomplete: An incomplete source image is answered with 20004.': told(
    'validations.avatars',
    '20004',
    'source-image-id-missing',
    'media-type-missing',
  ),
  'active-avatar-unknown: An unknown active avatar is answered with 20013.': told(
    'validations.createSession',
    '20013',
    'active-avatar-unknown',
  ),
  'active-avatar-ambiguous: An ambiguous active avatar is answered with 20013.': told(
    'validations.createSession',
    '20013',
    'active-avatar-ambiguous',
  ),
  'source-image-unresolvable: An unresolvable image is answered with 20005.': told(
    'validations.createSession',
    '20005',
    'source-image-unresolved',
  ),
  'source-image-unknown: An unknown image is answered with 20005.': told(
    'validations.createSession',
    '20005',
    'source-image-unknown',
  ),
  'mode-unknown: An unknown mode is answered with 20004.': told('validations.createSession', '20004', 'mode-unknown'),
  'model-unsupported: An unsupported model is answered with 20005.': told(
    'validations.createSession',
    '20005',
    'model-unsupported',
  ),
  'output-unsupported: An unsupported output is answered with 20014.': told(
    'validations.createSession',
    '20014',
    'resolution-unsupported',
  ),
  'duration-unsupported: An unsupported duration is answered with 20004.': told(
    'validations.createSession',
    '20004',
    'duration-zero',
    'duration-low',
    'duration-negative',
    'duration-high',
  ),
  'disconnected-timeout-out-of-range: A disconnected timeout out of range is answered with 20004.': told(
    'validations.createSession',
    '20004',
    'disconnected-low',
    'disconnected-high',
    'disconnected-negative',
  ),
  'idle-timeout-out-of-range: An idle timeout out of range is answered with 20004.': told(
    'validations.createSession',
    '20004',
    'idle-low',
    'idle-high',
    'idle-negative',
  ),
  'disconnected-timeout-above-duration: A disconnected timeout above the duration is answered with 20004.': told(
    'validations.createSession',
    '20004',
    'disconnected-over-duration',
  ),
  'idle-timeout-above-duration: An idle timeout above the duration is answered with 20004.': told(
    'validations.createSession',
    '20004',
    'idle-over-duration',
  ),
})
