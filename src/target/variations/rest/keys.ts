import { add, append, around, remembering, set, several } from '#target/overrides/operators'
import { type RateState, tokenBucket } from '#target/behaviour/access/rate'
import { validation } from '#target/behaviour/validations/input-validation'
import type { CreateInput } from '#target/behaviour/validations/create-session'
import type { WorldInput } from '#target/behaviour/world/input'
import type { Variation } from '#target/deviation'
import { Refusal } from '#target/refusal'
import { isWire, textOf, type JsonObject } from '#target/wire'
import { variationsOf } from '../table.ts'

const MINUTE_MS = 60_000

/** Digits, letters, hyphens and underscores. */
const isPlain = (key: unknown): boolean => /^[\w-]{0,48}$/u.test(textOf(key) ?? '')

const plainKeys = <Input extends { body: JsonObject }>() =>
  validation('4.1', 'idempotency_key', ({ body }: Input) => !isPlain(body['idempotency_key']))

/** Section 5: keys. */
const accessVariations = variationsOf({
  'keys-malformed-are-invalid §5: A credential of another scheme, or an empty one, is an invalid key and not a missing one.':
    set('access.credential', (authorization) =>
      authorization === undefined ? undefined : (/^bearer +(\S.*)$/iu.exec(authorization.trim())?.[1] ?? 'none'),
    ),
  'keys-looked-at-last §7: An unknown id in the path, and a body without fields, are told before a missing or an invalid key.':
    set('access.looksFirst', true),
  'keys-read-as-bytes §5: A key is read as bytes, so that a letter too few for another byte says nothing.': around(
    'access.accountOf',
    (accountOf) =>
      (secret, ...more) =>
        accountOf(secret, ...more) ?? accountOf(secret.slice(0, -1), ...more),
  ),
  'keys-without-clones §5: The other workspace may not clone, and is told so whatever it asks to clone ("A key lacking access to a model or API").':
    around('access.accountOf', (accountOf) => (secret, accounts, sessions, operation) => {
      const account = accountOf(secret, accounts, sessions, operation)
      const isElsewhere = account?.name === 'other_workspace' && operation === 'clone-voice'
      if (isElsewhere) throw new Refusal('10009', '')
      return account
    }),
})

/** Section 8: "60 requests per minute per key by default". */
const rateVariations = variationsOf({
  'retry-after-generous §7: Retry-After is three seconds longer than it has to be.': around(
    'http.retryAfter',
    (retryAfter) =>
      (code, seconds, ...rest) =>
        retryAfter(code, seconds === undefined ? undefined : seconds + 3, ...rest),
  ),
  'rate-window-of-clock §8: The rate limit counts by the minutes of the clock.': set(
    'rate.decide',
    (state, perMinute, now) => {
      const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
      if (state.since !== minute) Object.assign(state, { since: minute, level: 0 })
      state.level += 1
      if (state.level <= perMinute) return { admitted: true, retryAfterSeconds: 0 }
      return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil((minute + MINUTE_MS - now) / 1000)) }
    },
  ),
  'rate-refused-costs §8: A request that the rate limit refused puts the next one off by half a second ("back off exponentially").':
    around('rate.decide', () => {
      const penalties = new Map<RateState, number>()
      return (state, perMinute, now) => {
        const until = penalties.get(state) ?? 0
        const decided = now < until ? { admitted: false, retryAfterSeconds: 1 } : tokenBucket(state, perMinute, now)
        if (!decided.admitted) penalties.set(state, Math.max(until, now) + 500)
        if (decided.admitted) return decided
        const wait = Math.ceil(((penalties.get(state) ?? now) - now) / 1000)
        return { admitted: false, retryAfterSeconds: Math.max(wait, decided.retryAfterSeconds) }
      }
    }),
})

/** 4.1 and 4.5: `idempotency_key`. */
const idempotencyVariations = variationsOf({
  'session-keys-per-key §4.1: Idempotency keys of avatar sessions belong to the API key that sent them.': set(
    'idempotency.scope',
    (account, key) => `${account.secret}\n${key}`,
  ),
  'session-keys-with-body §4.1: A known idempotency key with another body makes another session (that is no retry).':
    set('idempotency.named', (operation, key, body) => `${operation}\n${key}\n${JSON.stringify(body)}`),
  'session-keys-in-conflict §4.1: A known idempotency key with another body is refused, as with world sessions.':
    remembering(() => {
      const bodies = new Map<string, string>()
      let text = ''
      return [
        around('idempotency.named', (named) => (operation, key, body) => {
          text = JSON.stringify(body)
          return named(operation, key, body)
        }),
        around('idempotency.scope', (scope) => (account, name) => {
          const scoped = scope(account, name)
          if ((bodies.get(scoped) ?? text) !== text) throw new Refusal('30004', 'idempotency conflict')
          bodies.set(scoped, text)
          return scoped
        }),
      ]
    }),
  'idempotency-keys-plain §4.1: An idempotency key of a create is at most 48 letters, digits, hyphens and underscores.':
    several(
      add('validations.createSession', 'key-not-plain', plainKeys<CreateInput>()),
      add('validations.start.session', 'key-not-plain', plainKeys<CreateInput>()),
      add('world.validations', 'key-not-plain', plainKeys<WorldInput>()),
    ),
  'repeats-as-first §4.1: The answer to a repeated create is that of the first time, whatever has become of the session.':
    remembering(() => {
      const first = new Map<unknown, unknown>()
      return append('http.data', (shown, operation) => {
        if (!/^create-.*session/u.test(operation) || !isWire(shown)) return shown
        const id = shown['session_id']
        if (!first.has(id)) first.set(id, structuredClone(shown))
        return first.get(id)
      })
    }),
})

export const keyVariations: readonly Variation[] = [...accessVariations, ...rateVariations, ...idempotencyVariations]
