import { type Finding, timesOf } from '../findings.ts'
import { type LawEntry, resourceLaws } from './resource-laws.ts'

/** What is judged of a target's limits, keys, files, pages and worlds under load. Each stands on rows of the register. */
export const laws = {
  'rate-never-refused': {
    says: 'a key that sends more than twice its limit in a minute is refused with 10008',
    requirements: ['limits.api-key-rate.exceeding-refused', 'errors.code-10008.rate-exceeded'],
  },
  'rate-refused-early': {
    says: 'a key is not refused with 10008 before its limit is reached',
    requirements: ['limits.api-key-rate.below-limit-admitted'],
  },
  'rate-never-recovers': {
    says: 'a key that has sent nothing for two minutes is admitted again',
    requirements: ['limits.api-key-rate.recovers'],
  },
  'rate-other-key-refused': {
    says: 'a key is not refused because another key has reached its limit',
    requirements: ['limits.api-key-rate.per-key'],
  },
  'rate-creates-free': {
    says: 'creates count toward the limit of their key, and are refused beyond it',
    requirements: ['limits.api-key-rate.counts-creates'],
  },
  'rate-gets-free': {
    says: 'Get Session counts toward the limit of its key, and is refused beyond it',
    requirements: ['limits.api-key-rate.counts-reads'],
  },
  'rate-wrong-code': {
    says: 'a key over its limit is refused with 10008 and with no other code',
    requirements: ['errors.code-10008.rate-exceeded'],
  },
  'rate-wrong-status': { says: 'a 10008 travels under HTTP 429', requirements: ['errors.code-10008.status-429'] },
  'retry-after-missing': {
    says: 'a 10008 has a Retry-After',
    requirements: ['errors.code-10008.retry-after-present', 'limits.api-key-rate.retry-after'],
  },
  'retry-after-unreadable': {
    says: 'the Retry-After of a 10008 is a number of seconds or an HTTP date',
    requirements: ['errors.code-10008.retry-after-readable'],
  },
  'retry-after-untruthful': {
    says: 'a request sent after the announced wait, and a second more, is admitted',
    requirements: ['errors.code-10008.retry-after-truthful'],
  },
  'rate-refused-create-made-session': {
    says: 'a create refused with 10008 makes no session',
    requirements: ['limits.api-key-rate.refused-create-makes-nothing'],
  },
  'cap-exceeded': {
    says: 'no more sessions are open than the profile declares',
    requirements: ['limits.concurrency.exceeding-refused'],
  },
  'cap-overrun': {
    says: 'creates sent at once open no more sessions than the cap that was found one by one',
    requirements: ['limits.concurrency.volley-within-cap'],
  },
  'cap-not-shared': {
    says: 'the keys of a workspace share its cap',
    requirements: ['limits.concurrency.shared-by-keys'],
  },
  'cap-wrong-code': {
    says: 'at the cap that the profile declares a create is refused with 30006',
    requirements: ['errors.code-30006.cap-exceeded'],
  },
  'cap-wrong-status': { says: 'a 30006 travels under HTTP 429', requirements: ['errors.code-30006.status-429'] },
  'cap-retry-after': { says: 'a 30006 has no Retry-After', requirements: ['errors.code-30006.no-retry-after'] },
  'cap-below-declared': {
    // Section 7 gives 30006 one condition, "reached the workspace limit"; the register has no row for its converse.
    says: 'as many sessions find a place as the profile declares',
    requirements: [],
  },
  'place-not-freed': {
    says: 'a closed session frees its place',
    requirements: ['limits.concurrency.slot-free-when-closed', 'errors.code-30006.freed-by-close'],
  },
  'refused-create-holds-place': {
    says: 'a create that was refused or failed holds no place',
    requirements: ['limits.concurrency.refused-create-holds-nothing'],
  },
  'refused-create-made-session': {
    says: 'a create refused with 30006 makes no session',
    requirements: ['limits.concurrency.refused-create-makes-nothing'],
  },
  'refused-key-stuck': {
    says: 'a create refused with 30006 succeeds with the same idempotency key once a place is free',
    requirements: ['errors.retry.after-30006-same-key'],
  },
  'limited-key-stuck': {
    says: 'a create refused with 10008 succeeds with the same idempotency key after the announced wait',
    requirements: ['errors.retry.after-10008-same-key'],
  },
  'failed-key-stuck': {
    says: 'a create that failed with a 5xx succeeds with the same idempotency key',
    requirements: ['errors.retry.after-5xx-same-key'],
  },
  'lost-key-stuck': {
    says: 'a create whose answer was given up succeeds with the same idempotency key',
    requirements: ['errors.retry.after-timeout-same-key'],
  },
  'capacity-key-stuck': {
    says: 'a create refused with 30008 succeeds with the same idempotency key once creates with fresh keys do',
    // Section 7: "on 429 … retry Create Session with the same `idempotency_key`". The register's row is for runs that can't tell
    // when capacity is back; here fresh keys tell it.
    requirements: [],
  },
  'capacity-wrong-status': { says: 'a 30008 travels under HTTP 429', requirements: ['errors.code-30008.status-429'] },
  'capacity-retry-after': { says: 'a 30008 has no Retry-After', requirements: ['errors.code-30008.no-retry-after'] },
  'duplicate-after-success': {
    says: 'a create repeated with its key returns the session of the first one',
    requirements: ['avatar-sessions.idempotency.retry-same-session'],
  },
  'duplicate-in-flight': {
    says: 'creates sent at once with one key make one session',
    requirements: ['avatar-sessions.idempotency.concurrent-one-session'],
  },
  'duplicate-after-429': {
    says: 'retries after a 429 with the same key end in one session',
    requirements: ['avatar-sessions.idempotency.after-429-one-session'],
  },
  'duplicate-after-5xx': {
    says: 'retries after a 5xx with the same key end in one session',
    requirements: ['avatar-sessions.idempotency.after-5xx-one-session'],
  },
  'duplicate-after-timeout': {
    says: 'retries with the same key, after an answer was given up, end in one session',
    requirements: ['avatar-sessions.idempotency.after-timeout-one-session'],
  },
  'key-shared-session': {
    says: 'creates with different keys make different sessions',
    requirements: ['avatar-sessions.idempotency.other-key-other-session'],
  },
  'valid-create-refused': {
    says: 'a create is not refused as a wrong request where others are taken that have the same body',
    requirements: ['avatar-sessions.create.minimal-text-chat-accepted'],
  },
  ...resourceLaws,
  'world-duplicate': {
    says: 'a world create repeated with its key and body returns the session of the first one',
    requirements: ['world-sessions.idempotency.retry-same-session'],
  },
  'world-duplicate-in-flight': {
    says: 'world creates sent at once with one key and body make one session',
    requirements: ['world-sessions.idempotency.concurrent-one-session'],
  },
  'world-key-shared': {
    says: 'world creates with different keys make different sessions',
    requirements: ['world-sessions.idempotency.other-key-other-session'],
  },
  'world-get-of-another': {
    says: 'Get Session of a world shows the `session_id` that was asked for',
    requirements: ['world-sessions.get.names-session'],
  },
  'world-secrets-of-another': {
    says: 'Create Client Secret returns the `session_id` of its world session',
    requirements: ['world-sessions.client-secret.names-session'],
  },
  'world-close-of-another': {
    says: 'the close of a world session returns its `session_id`',
    requirements: ['world-sessions.close.names-session'],
  },
  'world-metadata-of-another': {
    says: 'a world session shows the metadata of its own create',
    requirements: ['world-sessions.metadata.own-only'],
  },
  'world-secret-shared': {
    says: 'two world sessions never have the same control secret',
    requirements: ['world-sessions.control.secret-session-scoped'],
  },
  'world-media-secret-shared': {
    says: 'two world sessions never have the same media secret',
    requirements: ['world-sessions.media.secret-session-scoped'],
  },
  'world-secret-shown': {
    says: 'Get Session of a world shows nothing under the name `client_secret`',
    requirements: ['world-sessions.get.no-client-secret'],
  },
  'world-secret-stale': {
    says: 'Create Client Secret returns a control secret that was not given before',
    requirements: ['world-sessions.client-secret.control-secret-fresh'],
  },
  'world-media-secret-stale': {
    says: 'Create Client Secret returns a media secret that was not given before',
    requirements: ['world-sessions.client-secret.media-secret-fresh'],
  },
  'world-secret-refused': {
    says: 'Create Client Secret is carried out for an active world session',
    requirements: ['world-sessions.client-secret.accepted'],
  },
  'world-secret-missing': {
    says: 'Create Client Secret of an active world session returns a control secret',
    requirements: ['world-sessions.client-secret.control-secret'],
  },
  'world-media-secret-missing': {
    says: 'Create Client Secret of an active world session returns a media secret',
    requirements: ['world-sessions.client-secret.media-secret'],
  },
  'world-close-refused': {
    says: 'the close of an active world session is carried out',
    requirements: ['world-sessions.close.accepted'],
  },
  'world-close-not-repeatable': {
    says: 'a close repeated with its idempotency key succeeds, or finds the world session closed',
    requirements: ['world-sessions.close.repeated-same-key'],
  },
  'world-not-closed': {
    says: 'a world session that was asked to close becomes `closed`, or is not found any more',
    requirements: ['world-sessions.close.reaches-closed'],
  },
} as const satisfies { readonly [law: string]: LawEntry }

export type Law = keyof typeof laws

/** What came of a law: `got` says in words what speaks against it, and is undefined where it held. */
export interface Ruling {
  readonly law: Law
  readonly got: string | undefined
}

export const held = (law: Law): Ruling => ({ law, got: undefined })
export const broken = (law: Law, got: string): Ruling => ({ law, got })

/** One finding for each requirement of a broken law. */
export function findingsOf(law: Law, times: number): Finding[] {
  const { says, requirements }: LawEntry = laws[law]
  const text = `${law}, ${timesOf(times)}: it must hold that ${says}`
  return requirements.length === 0 ? [{ text }] : requirements.map((requirement) => ({ text, requirement }))
}
