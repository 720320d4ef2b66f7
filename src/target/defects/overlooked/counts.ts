import { type Wire } from '#target/wire'
import { defectsOf } from '../table.ts'

const LITE = 'svc-a1-stream-lite'

/** What a count or a comparison leaves out: a model, a failure, the end of a long key, another timer. */
export const overlookedCountDefects = [
  ...defectsOf('avatar-sessions', {
    'session.region-echoed~sticky': [
      'A create without region shows that of the create before it.',
      ({ create }) => {
        let last = ''
        const { region } = create
        create.region = (body) => {
          last = region(body) || last
          return last
        }
      },
    ],
    'idempotency.other-key-other-session~cut': [
      'Only the first 64 characters of a key count.',
      ({ idempotency }) => {
        const { named } = idempotency
        idempotency.named = (operation, key) => named(operation, key.slice(0, 64))
      },
    ],
    'close.leaves-others-open~character': [
      'Close ends all sessions of the same character.',
      ({ lifecycle }) => {
        lifecycle.alsoCloses = (session, all) =>
          session.plan.characterId === undefined
            ? []
            : all.filter((one) => one.plan.characterId === session.plan.characterId)
      },
    ],
    'auto-close.disconnected-never-connected~beside-idle': [
      'Beside an idle timeout the disconnected one is not counted.',
      ({ lifecycle }) => {
        const { disconnectedMs } = lifecycle
        lifecycle.disconnectedMs = (policy, session) => (policy.idleSeconds > 0 ? 0 : disconnectedMs(policy, session))
      },
    ],
    'auto-close.idle-closes~beside-disconnected': [
      'Beside a disconnected timeout the idle one is not counted.',
      ({ lifecycle }) => {
        const { idleMs } = lifecycle
        lifecycle.idleMs = (policy) => (policy.disconnectedSeconds > 0 ? 0 : idleMs(policy))
      },
    ],
  }),
  ...defectsOf('control-channel', {
    'secret.reconnect-admitted~after-update': [
      'Once the mode has changed the secret opens nothing.',
      ({ channel }) => {
        const closed = channel.admission['session-closed']
        channel.admission['session-closed'] = (attempt) =>
          closed(attempt) ||
          (attempt.session !== undefined && attempt.session.state.mode !== attempt.session.plan.state.mode)
      },
    ],
  }),
  ...defectsOf('limits', {
    'concurrency.exceeding-refused~lite': [
      'Sessions of the lite model are not counted.',
      ({ quota }) => {
        const { holds } = quota
        quota.holds = (session) => session.plan.model !== LITE && holds(session)
      },
    ],
    'api-key-rate.exceeding-refused~failures': [
      'Requests that are answered with a failure do not count.',
      ({ rate }) => {
        rate.afterFailure = (state) => {
          state.level += 1
          state.times.pop()
        }
      },
    ],
    'api-key-rate.counts-reads~list': [
      'List Sessions does not count.',
      ({ rate }) => void (rate.counts = (operation) => operation !== 'list-avatar-sessions'),
    ],
  }),
  ...defectsOf('errors', {
    'code-10005.balance-too-low~lite': [
      'Creates of the lite model ask for no balance.',
      ({ create }) => {
        let last: Wire = {}
        const { read, skips } = create
        create.read = (body) => {
          last = read(body)
          return last
        }
        create.skips = (operation, step, state) =>
          skips(operation, step, state) ||
          (step === 'billing' && state === 'insufficient_balance' && last['model'] === LITE)
      },
    ],
  }),
]
