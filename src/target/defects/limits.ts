import { type RateDecision, slidingWindow, tokenBucket } from '../behaviour/access/rate.ts'
import { waive } from '../behaviour/rules/waive.ts'
import { wireAt } from '../wire.ts'
import { drop } from './paths.ts'
import { defectsOf } from './table.ts'
import { onCreated, refuseCreate, sent } from './tools.ts'

const DISCONNECTED = 'disconnected_timeout_seconds'
const IDLE = 'interaction_idle_timeout_seconds'
const admitted: RateDecision = { admitted: true, retryAfterSeconds: 0 }

const rateDefects = defectsOf('limits', {
  'api-key-rate.exceeding-refused': ['No key is ever limited.', ({ rate }) => void (rate.decide = () => admitted)],
  'api-key-rate.below-limit-admitted': [
    'A key is limited at two thirds of its limit.',
    ({ rate }) => void (rate.perMinute = (account) => Math.floor((account.requestsPerMinute * 2) / 3)),
  ],
  'api-key-rate.retry-after': [
    'A limited key is not told when to come back.',
    ({ http }) => void (http.retryAfter = () => undefined),
  ],
  'api-key-rate.recovers': [
    'A key that crossed its limit is never admitted again.',
    ({ rate }) => {
      rate.decide = (state, perMinute, now) => {
        const decision: RateDecision =
          state.times.length > 0 ? { admitted: false, retryAfterSeconds: 1 } : tokenBucket(state, perMinute, now)
        if (!decision.admitted) state.times = [now]
        return decision
      }
    },
  ],
  'api-key-rate.per-key': [
    'When one key crosses its limit, all are refused for five seconds.',
    ({ rate }) => {
      let until = 0
      rate.decide = (state, perMinute, now) => {
        if (now < until) return { admitted: false, retryAfterSeconds: Math.ceil((until - now) / 1000) }
        const decision = tokenBucket(state, perMinute, now)
        if (!decision.admitted) until = now + 5000
        return decision
      }
    },
  ],
  'api-key-rate.per-key~together': [
    'The requests of all keys count for each of them.',
    ({ rate }) => {
      rate.scope = () => 'all'
      rate.decide = slidingWindow
    },
  ],
  'api-key-rate.counts-reads': [
    'Only creates and closes count.',
    ({ rate }) => void (rate.counts = (operation) => /create|close/u.test(operation)),
  ],
  'api-key-rate.counts-creates': [
    'Creates do not count.',
    ({ rate }) => void (rate.counts = (operation) => !operation.startsWith('create')),
  ],
  'api-key-rate.counts-characters': [
    'Lists of characters do not count.',
    ({ rate }) => void (rate.counts = (operation) => operation !== 'list-characters'),
  ],
  'api-key-rate.counts-voices': [
    'Voices do not count.',
    ({ rate }) => void (rate.counts = (operation) => !operation.includes('voice')),
  ],
  'api-key-rate.counts-worlds': [
    'Worlds do not count.',
    ({ rate }) => void (rate.counts = (operation) => !operation.includes('world')),
  ],
  'api-key-rate.refused-create-makes-nothing': [
    'A create over the limit makes its session all the same.',
    ({ rate }) => void (rate.actsAnyway = (operation) => operation.startsWith('create')),
  ],
})

const capDefects = defectsOf('limits', {
  'concurrency.exceeding-refused': ['The cap is not enforced.', ({ quota }) => void (quota.admits = () => true)],
  'concurrency.full-told-by-30006': [
    'A full workspace is told by 30008.',
    ({ quota }) => void (quota.exceeded = () => '30008'),
  ],
  'concurrency.volley-within-cap': [
    'Creates in flight are not counted.',
    ({ quota, create }) => {
      quota.countsInFlight = false
      create.allocationMs = 120
    },
  ],
  'concurrency.slot-free-when-closed': [
    'A closed session keeps its slot.',
    ({ quota }) => void (quota.holds = () => true),
  ],
  'concurrency.refused-create-makes-nothing': [
    'A create over the cap makes its session.',
    ({ create }) => void (create.makesRefused = (code) => code === '30006'),
  ],
  'concurrency.refused-create-holds-nothing': [
    'An invalid create takes a slot.',
    ({ quota }) => void (quota.leaks = (code) => code === '30004'),
  ],
  'concurrency.video-sessions-count': [
    'Video sessions take no slot.',
    ({ quota }) => void (quota.holds = ({ status, plan }) => status === 'active' && plan.state.mode !== 'video_avatar'),
  ],
  'concurrency.text-chat-sessions-count': [
    'Text chats take no slot.',
    ({ quota }) => void (quota.holds = ({ status, plan }) => status === 'active' && plan.state.mode !== 'text_chat'),
  ],
  'concurrency.shared-by-keys': [
    'Each key has a cap of its own.',
    ({ quota }) => void (quota.scope = (account) => account.secret),
  ],
})

const durationDefects = defectsOf('limits', {
  'max-duration.three-rejected': ['Three seconds are accepted.', ({ limits }) => void (limits.maxDurationMinimum = 3)],
  'max-duration.four-accepted': ['Four seconds are refused.', ({ limits }) => void (limits.maxDurationMinimum = 5)],
  'max-duration.zero-rejected': [
    'Zero means the default.',
    ({ rules, create }) => {
      waive(rules.createSession, 'duration-zero')
      create.maxDuration = ({ max_duration_seconds: asked }, { maxDurationDefault }) =>
        typeof asked === 'number' && asked !== 0 ? asked : maxDurationDefault
    },
  ],
  'max-duration.negative-rejected': [
    'A negative duration means the default.',
    ({ rules, create }) => {
      waive(rules.createSession, 'duration-negative')
      create.maxDuration = ({ max_duration_seconds: asked }, { maxDurationDefault }) =>
        typeof asked === 'number' && asked > 0 ? asked : maxDurationDefault
    },
  ],
})

const timeoutDefects = defectsOf('limits', {
  'disconnected-timeout.0-accepted': [
    'Zero is below the minimum.',
    (b) => refuseCreate(b, (input) => sent(input, 'auto_close', DISCONNECTED) === 0),
  ],
  'disconnected-timeout.negative-rejected': [
    'A negative timeout is accepted.',
    ({ rules }) => waive(rules.createSession, 'disconnected-negative'),
  ],
  'disconnected-timeout.9-rejected': [
    'Nine seconds are accepted.',
    ({ limits }) => void (limits.disconnectedMinimum = 9),
  ],
  'disconnected-timeout.10-accepted': [
    'Ten seconds are refused.',
    ({ limits }) => void (limits.disconnectedMinimum = 11),
  ],
  'disconnected-timeout.3600-accepted': [
    '3600 seconds are refused.',
    ({ limits }) => void (limits.disconnectedMaximum = 3599),
  ],
  'disconnected-timeout.3601-rejected': [
    '3601 seconds are accepted.',
    ({ limits }) => void (limits.disconnectedMaximum = 3601),
  ],
  'disconnected-timeout.omitted-accepted': [
    'The timeout is required.',
    (b) => refuseCreate(b, (input) => sent(input, 'auto_close', DISCONNECTED) === undefined),
  ],
  'disconnected-timeout.above-duration-rejected': [
    'A timeout above the duration is accepted.',
    ({ rules }) => waive(rules.createSession, 'disconnected-over-duration'),
  ],
  'disconnected-timeout.equal-to-duration-accepted': [
    'A timeout must be below the duration.',
    (b) => refuseCreate(b, (input) => sent(input, 'auto_close', DISCONNECTED) === input.maxDuration),
  ],
  'interaction-idle-timeout.0-accepted': [
    'Zero is below the minimum.',
    (b) => refuseCreate(b, (input) => sent(input, 'auto_close', IDLE) === 0),
  ],
  'interaction-idle-timeout.negative-rejected': [
    'A negative timeout is accepted.',
    ({ rules }) => waive(rules.createSession, 'idle-negative'),
  ],
  'interaction-idle-timeout.29-rejected': ['29 seconds are accepted.', ({ limits }) => void (limits.idleMinimum = 29)],
  'interaction-idle-timeout.30-accepted': ['30 seconds are refused.', ({ limits }) => void (limits.idleMinimum = 31)],
  'interaction-idle-timeout.3600-accepted': [
    '3600 seconds are refused.',
    ({ limits }) => void (limits.idleMaximum = 3599),
  ],
  'interaction-idle-timeout.3601-rejected': [
    '3601 seconds are accepted.',
    ({ limits }) => void (limits.idleMaximum = 3601),
  ],
  'interaction-idle-timeout.omitted-off': [
    'An omitted timeout means half an hour.',
    ({ create }) => {
      const { autoClose } = create
      create.autoClose = (body, limits, duration) => {
        const policy = autoClose(body, limits, duration)
        const omitted = wireAt(body, 'auto_close')[IDLE] === undefined
        return omitted ? { ...policy, idleSeconds: 1800 } : policy
      }
    },
  ],
  'interaction-idle-timeout.above-duration-rejected': [
    'A timeout above the duration is accepted.',
    ({ rules }) => waive(rules.createSession, 'idle-over-duration'),
  ],
  'interaction-idle-timeout.equal-to-duration-accepted': [
    'A timeout must be below the duration.',
    (b) => refuseCreate(b, (input) => sent(input, 'auto_close', IDLE) === input.maxDuration),
  ],
})

const rangeDefects = defectsOf('limits', {
  'avatar-voice-speed.below-minimum-rejected': [
    'A speed of a half is accepted.',
    ({ rules }) => waive(rules.avatars, 'voice-speed-low'),
  ],
  'avatar-voice-speed.minimum-accepted': [
    'A speed of 0.7 is refused.',
    ({ limits }) => void (limits.speedMinimum = 0.71),
  ],
  'avatar-voice-speed.maximum-accepted': [
    'A speed of 1.2 is refused.',
    ({ limits }) => void (limits.speedMaximum = 1.19),
  ],
  'avatar-voice-speed.above-maximum-rejected': [
    'A speed above 1.2 is accepted.',
    ({ rules }) => waive(rules.avatars, 'voice-speed-high'),
  ],
  'temperature.below-0-rejected': [
    'A negative temperature is accepted.',
    ({ rules }) => waive(rules.conversation, 'temperature-low'),
  ],
  'temperature.0-accepted': [
    'A temperature of 0 is refused.',
    (b) => refuseCreate(b, (input) => sent(input, 'conversation', 'response_defaults', 'temperature') === 0),
  ],
  'temperature.2-accepted': ['A temperature of 2 is refused.', ({ limits }) => void (limits.temperatureMaximum = 1.99)],
  'temperature.above-2-rejected': [
    'A temperature above 2 is accepted.',
    ({ rules }) => waive(rules.conversation, 'temperature-high'),
  ],
  'output-fps.default-24': ['The frame rate is 25.', ({ limits }) => void (limits.fps = 25)],
  'output-fps.effective-value-returned': ['The frame rate is not returned.', (b) => onCreated(b, drop('output.fps'))],
})

export const limitDefects = [...rateDefects, ...capDefects, ...durationDefects, ...timeoutDefects, ...rangeDefects]
