import { add, around, remembering, set, several } from '#target/overrides/operators'
import { onData } from '#target/overrides/data'
import type { RateState } from '#target/behaviour/access/rate'
import type { CreateInput } from '#target/behaviour/validations/create-session'
import type { ResponseInput } from '#target/behaviour/validations/response-create'
import { validation } from '#target/behaviour/validations/input-validation'
import { Refusal } from '#target/refusal'
import { type JsonObject, objectAt, objectsAt, textOf } from '#target/wire'
import { variationsOf } from '../table.ts'

const MINUTE_MS = 60_000
const ALLOCATION_MS = 300

const isLoose = ({ parameters }: JsonObject): boolean =>
  parameters !== undefined && objectAt({ parameters }, 'parameters')['type'] !== 'object'

const GET = 'get-avatar-session'

/** How long avatar sessions live, and what is told of them, where the interface leaves it open. */
export const lifeVariations = variationsOf({
  'expiry-in-whole-seconds §2.1: The expiry of a session is told in whole seconds.': ({ views }) => {
    for (const fields of [views.created, views.replayed, views.got])
      fields['expires_at'] = ({ expiresAt }) => new Date(expiresAt).toISOString().replace(/\.\d+Z$/u, 'Z')
  },
  'expiry-swept-each-second §2.1: Sessions that have expired are ended by a sweep, at the next whole second.': set(
    'lifecycle.expiryMs',
    (seconds) => {
      const now = Date.now()
      return Math.ceil((now + seconds * 1000) / 1000) * 1000 - now
    },
  ),
  'platform-timeout-short §4.1: Where no disconnected timeout is named, it is fifteen seconds ("omission uses the platform setting").':
    { contradicts: /^platform-timeout-off$/, override: set('limits.disconnectedPlatform', 15) },
  'duration-default-short §4.1: A session for which no duration is named lasts a minute ("default is the service-configured value").':
    set('limits.maxDurationDefault', 60),
  'session-creates-in-progress §4.1: A create that is repeated while it is still allocated is refused as in progress ("retry Create Session with the same `idempotency_key`").':
    remembering(() => {
      const begun = new Map<string, number>()
      return [
        set('create.allocationMs', ALLOCATION_MS),
        around('idempotency.scope', (scope) => (account, name) => {
          const scoped = scope(account, name)
          const since = Date.now() - (begun.get(scoped) ?? -Infinity)
          if (since < ALLOCATION_MS) throw new Refusal('30004', 'a create with this key is in progress')
          if (since === Infinity) begun.set(scoped, Date.now())
          return scoped
        }),
      ]
    }),
  'get-tells-two-statuses §4.1: The status of what Get shows is that of the request, and that of the session stands under its name (its payload is not shown).':
    onData(GET, (shown) => ({ status: 'ok', session: shown })),
  'get-tells-history §4.1: Get shows which statuses a session has had, beside the one that it has (its payload is not shown).':
    set('views.got.history', ({ past }) => past.map(({ status, since }) => ({ status, since }))),
  'close-accepted §4.1: A close is answered with the status of the request (its payload is not shown).': set(
    'views.closed.status',
    () => 'accepted',
  ),
  'sessions-end-after-twelve-seconds §3.1: Every session is ended by the service twelve seconds after it was made ("for account limits").':
    { concerns: /avatar-session|character/, override: set('lifecycle.maintainedAfterMs', () => 12_000) },
  'allocation-takes-long §4.1: A create takes a second and a half.': set('create.allocationMs', 1500),
  'pipeline-bounded §2.6: An end of utterance is judged within a fifth of a second to two, and no model gives more than 4,096 tokens (no bounds are given).':
    several(
      add(
        'validations.createSession',
        'utterance-out-of-bounds',
        validation('2.6', 'pipeline_config.asr_config.eou_timeout_ms', ({ body }: CreateInput) => {
          const ms = textOf(objectAt(objectAt(body, 'pipeline_config'), 'asr_config')['eou_timeout_ms'])
          return ms !== undefined && (Number(ms) < 200 || Number(ms) > 2000)
        }),
      ),
      add(
        'validations.createSession',
        'tokens-out-of-bounds',
        validation('2.6', 'pipeline_config.llm_config.llm_max_output_tokens', ({ body }: CreateInput) => {
          const { llm_max_output_tokens: own } = objectAt(objectAt(body, 'pipeline_config'), 'llm_config')
          const { max_output_tokens: usual } = objectAt(objectAt(body, 'conversation'), 'response_defaults')
          return [own, usual].some((tokens) => typeof tokens === 'number' && tokens > 4096)
        }),
      ),
    ),
  'rate-window-counts-refused §8: The rate limit counts the requests of the last minute, refused ones, too.': set(
    'rate.decide',
    (state: RateState, perMinute, now) => {
      state.times = [...state.times.filter((time) => now - time < MINUTE_MS), now]
      const over = state.times.length - perMinute
      if (over <= 0) return { admitted: true, retryAfterSeconds: 0 }
      const free = (state.times[over] ?? now) + MINUTE_MS
      return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil((free - now) / 1000)) }
    },
  ),
  'retry-after-rounded-down §7: What is left of a second is not told, so that Retry-After may be 0.': around(
    'http.retryAfter',
    (retryAfter) =>
      (code, seconds, ...rest) =>
        retryAfter(code, seconds === undefined ? undefined : Math.max(0, seconds - 1), ...rest),
  ),
  'rate-limit-with-slack §8: The rate limit is met a quarter later than it is told (a limit is no promise to refuse).':
    around('rate.perMinute', (perMinute) => (account) => Math.ceil(perMinute(account) * 1.25)),
  'tool-parameters-strict §2.5: The parameters of a tool are a schema of the type `object`.': several(
    add(
      'validations.createSession',
      'parameters-no-object',
      validation('2.5', 'conversation.tools', ({ body }: CreateInput) =>
        objectsAt(objectAt(body, 'conversation'), 'tools').some(isLoose),
      ),
    ),
    add(
      'validations.responseCreate',
      'parameters-no-object',
      validation('4.4', 'response.tools', ({ response }: ResponseInput) => objectsAt(response, 'tools').some(isLoose)),
    ),
  ),
  'access-denied-everywhere §5: A key without access may read nothing, either ("A key lacking access to a model or API").':
    around('access.accountOf', (accountOf) => (...facts) => {
      const account = accountOf(...facts)
      if (account?.state === 'access_denied') throw new Refusal('10009', '')
      return account
    }),
  'billing-inactive-everywhere §5: The workspace whose billing is not active may read nothing, either ("an inactive workspace … is rejected").':
    around('access.accountOf', (accountOf) => (...facts) => {
      const account = accountOf(...facts)
      if (account?.state === 'billing_inactive') throw new Refusal('10004', '')
      return account
    }),
})
