import type { Behaviour } from '../behaviour/behaviour.ts'
import type { ErrorCode } from '../behaviour/codes.ts'
import { type RateDecision, tokenBucket } from '../behaviour/access/rate.ts'
import { defectsOf } from './table.ts'

/** Rules whose code can be changed. */
type CodedRules = Record<string, { code?: ErrorCode }>

const coded =
  (pick: (rules: Behaviour['rules']) => CodedRules, code: ErrorCode, ...ids: string[]) =>
  (behaviour: Behaviour): void => {
    const table = pick(behaviour.rules)
    for (const id of ids) {
      const rule = table[id]
      if (rule === undefined) throw new Error(`no such rule: ${id}`)
      rule.code = code
    }
  }
const ofAvatars = ({ avatars }: Behaviour['rules']): CodedRules => avatars
const ofCreate = ({ createSession }: Behaviour['rules']): CodedRules => createSession

const recode =
  (from: ErrorCode, to: ErrorCode, fits: (operation: string) => boolean = () => true) =>
  ({ http }: Behaviour): void => {
    const { coded: old, statuses } = http
    statuses[to] = statuses[from]
    http.coded = (code, operation) => (code === from && fits(operation) ? to : old(code, operation))
  }

const keyCodeDefects = defectsOf('errors', {
  'code-10001.key-absent': [
    'A list without a key is answered with 10009.',
    ({ access }) => void (access.missingKey = (operation) => (operation.startsWith('list') ? '10009' : '10001')),
  ],
  'code-10003.key-invalid': [
    'A list with a wrong key is answered with 10001.',
    ({ access }) => void (access.invalidKey = (operation) => (operation.startsWith('list') ? '10001' : '10003')),
  ],
  'code-10004.billing-inactive': [
    'Inactive billing is answered with 10005.',
    ({ access }) =>
      void (access.billing = (state) =>
        state === 'billing_inactive' || state === 'insufficient_balance' ? '10005' : undefined),
  ],
  'code-10005.balance-too-low': [
    'An empty balance is answered with 10004.',
    ({ access }) =>
      void (access.billing = (state) =>
        state === 'billing_inactive' || state === 'insufficient_balance' ? '10004' : undefined),
  ],
  'code-10009.key-not-granted': [
    'A key without access is answered with 20004.',
    ({ access }) => void (access.permission = (state) => (state === 'access_denied' ? '20004' : undefined)),
  ],
})

const waitingDefects = defectsOf('errors', {
  'code-10008.rate-exceeded': [
    'A key over its limit is answered with 30008.',
    (b) => {
      const { retryAfter } = b.http
      recode('10008', '30008')(b)
      b.http.retryAfter = retryAfter
    },
  ],
  'code-10008.status-429': [
    'A key over its limit is answered under 503.',
    ({ http }) => void (http.statuses['10008'] = 503),
  ],
  'code-10008.retry-after-present': [
    'A key over its limit gets no Retry-After.',
    ({ http }) => void (http.retryAfter = () => undefined),
  ],
  'code-10008.retry-after-readable': [
    'Retry-After holds words.',
    ({ http }) => void (http.retryAfter = (code) => (code === '10008' ? 'soon' : undefined)),
  ],
  'code-10008.retry-after-readable~milliseconds': [
    'Retry-After has a unit.',
    ({ http }) => void (http.retryAfter = (_code, seconds) => (seconds === undefined ? undefined : `${seconds}s`)),
  ],
  'code-10008.retry-after-truthful': [
    'Retry-After promises a second where ten are needed.',
    ({ rate }) => {
      rate.decide = (state, perMinute, now) => {
        const [until = 0] = state.times
        if (now < until) return { admitted: false, retryAfterSeconds: 1 }
        const decision: RateDecision = tokenBucket(state, perMinute, now)
        if (decision.admitted) return decision
        state.times = [now + 10_000]
        return { admitted: false, retryAfterSeconds: 1 }
      }
    },
  ],
  'code-30006.cap-exceeded': ['The cap is answered with 20004.', ({ quota }) => void (quota.exceeded = () => '20004')],
  'code-30006.status-429': ['The cap is answered under 403.', ({ http }) => void (http.statuses['30006'] = 403)],
  'code-30006.no-retry-after': ['The cap comes with a Retry-After.', ({ http }) => withRetryAfter(http, '30006')],
  'code-30006.freed-by-close': ['A slot is held for ever.', ({ quota }) => void (quota.holds = () => true)],
  'code-30008.capacity-exceeded': [
    'Lacking capacity is answered with 30004.',
    ({ quota }) => void (quota.capacity = (state) => (state === 'capacity_exhausted' ? '30004' : undefined)),
  ],
  'code-30008.status-429': [
    'Lacking capacity is answered under 503.',
    ({ http }) => void (http.statuses['30008'] = 503),
  ],
  'code-30008.no-retry-after': [
    'Lacking capacity comes with a Retry-After.',
    ({ http }) => withRetryAfter(http, '30008'),
  ],
})

function withRetryAfter(http: Behaviour['http'], among: ErrorCode): void {
  const { retryAfter } = http
  http.retryAfter = (code, seconds, now) => (code === among ? '5' : retryAfter(code, seconds, now))
}

const unseenDefects = defectsOf('errors', {
  'code-20005.get-unknown-avatar-session': [
    'Get of an unknown session is answered with 30004.',
    recode('20005', '30004', (operation) => operation.startsWith('get')),
  ],
  'code-20005.close-unknown-avatar-session': [
    'A close of an unknown session is answered with 20004.',
    recode('20005', '20004', (operation) => operation.startsWith('close')),
  ],
  'code-20005.get-avatar-session-of-other-workspace': [
    'Get of another workspace’s session is answered with 10009.',
    ({ access }) => void (access.unseen = (operation) => (operation.startsWith('get') ? '10009' : '20005')),
  ],
  'code-20005.close-avatar-session-of-other-workspace': [
    'A close of another workspace’s session is answered with 10009.',
    ({ access }) => void (access.unseen = (operation) => (operation.startsWith('close') ? '10009' : '20005')),
  ],
})

const argumentDefects = defectsOf('errors', {
  'code-30004.avatars-missing': [
    'Missing avatars are answered with 20012.',
    coded(ofAvatars, '20012', 'avatars-missing'),
  ],
  'code-30004.avatars-empty': ['Empty avatars are answered with 20012.', coded(ofAvatars, '20012', 'avatars-empty')],
  'code-30004.avatar-id-duplicate': [
    'Duplicate avatar ids are answered with 20013.',
    coded(ofAvatars, '20013', 'avatar-id-repeated'),
  ],
  'code-30004.avatar-id-missing': [
    'A missing avatar id is answered with 20003.',
    coded(ofAvatars, '20003', 'avatar-id-missing'),
  ],
  'code-30004.avatar-id-empty': [
    'An empty avatar id is answered with 20013.',
    coded(ofAvatars, '20013', 'avatar-id-empty'),
  ],
  'code-30004.avatar-voice-incomplete': [
    'An incomplete voice is answered with 20003.',
    coded(ofAvatars, '20003', 'voice-provider-missing', 'voice-id-missing', 'voice-model-missing'),
  ],
  'code-30004.source-image-incomplete': [
    'An incomplete source image is answered with 20004.',
    coded(ofAvatars, '20004', 'source-image-id-missing', 'media-type-missing'),
  ],
  'code-30004.active-avatar-unknown': [
    'An unknown active avatar is answered with 20013.',
    coded(ofCreate, '20013', 'active-avatar-unknown'),
  ],
  'code-30004.active-avatar-ambiguous': [
    'An ambiguous active avatar is answered with 20013.',
    coded(ofCreate, '20013', 'active-avatar-ambiguous'),
  ],
  'code-30004.source-image-unresolvable': [
    'An unresolvable image is answered with 20005.',
    coded(ofCreate, '20005', 'source-image-unresolved'),
  ],
  'code-30004.source-image-unknown': [
    'An unknown image is answered with 20005.',
    coded(ofCreate, '20005', 'source-image-unknown'),
  ],
  'code-30004.mode-unknown': ['An unknown mode is answered with 20004.', coded(ofCreate, '20004', 'mode-unknown')],
  'code-30004.model-unsupported': [
    'An unsupported model is answered with 20005.',
    coded(ofCreate, '20005', 'model-unsupported'),
  ],
  'code-30004.output-unsupported': [
    'An unsupported output is answered with 20014.',
    coded(ofCreate, '20014', 'resolution-unsupported'),
  ],
  'code-30004.duration-unsupported': [
    'An unsupported duration is answered with 20004.',
    coded(ofCreate, '20004', 'duration-zero', 'duration-low', 'duration-negative', 'duration-high'),
  ],
  'code-30004.disconnected-timeout-out-of-range': [
    'A disconnected timeout out of range is answered with 20004.',
    coded(ofCreate, '20004', 'disconnected-low', 'disconnected-high', 'disconnected-negative'),
  ],
  'code-30004.idle-timeout-out-of-range': [
    'An idle timeout out of range is answered with 20004.',
    coded(ofCreate, '20004', 'idle-low', 'idle-high', 'idle-negative'),
  ],
  'code-30004.disconnected-timeout-above-duration': [
    'A disconnected timeout above the duration is answered with 20004.',
    coded(ofCreate, '20004', 'disconnected-over-duration'),
  ],
  'code-30004.idle-timeout-above-duration': [
    'An idle timeout above the duration is answered with 20004.',
    coded(ofCreate, '20004', 'idle-over-duration'),
  ],
})

export const errorCodeDefects = [...keyCodeDefects, ...waitingDefects, ...unseenDefects, ...argumentDefects]
