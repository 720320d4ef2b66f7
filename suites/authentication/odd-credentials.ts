import type { RestCall } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { OpenSession } from '#scenario/author/context'
import { type Refusal, rejection, rowsOfRefusals } from '#scenario/author/expectation'
import { type Optional, optionalRefusals, sentOf } from '#scenario/author/optional'
import { step } from '#scenario/author/step'
import { textAt } from '#trace/json'

interface Odd extends Refusal<RequirementId> {
  readonly credential: RestCall
}

/**
 * Credentials that are nearly right. The client puts the key where `{primary}` stands. What it is longer by is two digits: a
 * key may be read as bytes, and then one letter more than a whole number of bytes is no other key to the usual decoders.
 */
const odd = [
  ...['Bearer {primary}11', 'Bearer {primary:cut}', 'Bearer {primary:marred}', 'Bearer {primary:turned}'].map(
    (authorization) => ({
      coded: 'authentication.invalid-key.near-miss' as const,
      credential: { key: 'malformed' as const, authorization },
      codes: [10003],
    }),
  ),
  {
    coded: 'authentication.missing-key.empty-token',
    credential: { key: 'malformed', authorization: 'Bearer ' },
    codes: [10001, 10003],
  },
  {
    rows: 'authentication.api-key.other-scheme-rejected',
    credential: { key: 'malformed', authorization: 'Basic {primary}' },
  },
  {
    rows: 'authentication.api-key.bare-key-rejected',
    credential: { key: 'malformed', authorization: '{primary}' },
  },
  {
    rows: 'authentication.api-key.other-header-rejected',
    credential: { key: 'none', headers: { 'x-api-key': '{primary}' } },
  },
] as const satisfies readonly Odd[]

const secretRow = 'authentication.api-key.control-secret-rejected'

const otherCase = 'other-case'

/** What is left without these has sent nothing of it. */
export const optionalCredentials: readonly Optional[] = [
  ...optionalRefusals(odd),
  { id: otherCase, rows: [], requests: 1 },
  { id: secretRow, rows: [secretRow], requests: 1 },
]

/** Lists sessions with each of them, and once with a scheme that the spec leaves open; gets the session with its own secret. */
export const withOddCredentials = step(
  [...rowsOfRefusals(odd), secretRow],
  async (c, session: OpenSession, { list, get }: { readonly list: number; readonly get: number }) => {
    for (const { credential, ...refusal } of sentOf(c, odd)) {
      await c.call('list-avatar-sessions', { ...credential, expect: rejection({ ...refusal, control: list }) })
    }
    if (c.takes(otherCase)) {
      await c.call('list-avatar-sessions', { key: 'malformed', authorization: 'bearer {primary}' })
    }
    const secret = textAt(session.data, '/control/client_secret')
    if (secret === undefined || !c.takes(secretRow)) return
    await c.call('get-avatar-session', {
      key: 'malformed',
      authorization: `Bearer ${secret}`,
      params: { session_id: session.id },
      expect: rejection({ rows: secretRow, control: get }),
    })
  },
)
