import type { RestCall } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import { rejected } from '#trace/conditions'
import { at } from '#trace/json'

interface Odd {
  readonly row: RequirementId
  readonly credential: RestCall
  /** Any code where missing. */
  readonly codes?: readonly number[]
}

/** Credentials that are nearly right. The client puts the key where `{primary}` stands. */
const odd: readonly Odd[] = [
  ...['Bearer {primary}x', 'Bearer {primary:cut}', 'Bearer {primary:marred}', 'Bearer {primary:turned}'].map(
    (authorization): Odd => ({
      row: 'authentication.invalid-key.near-miss',
      credential: { key: 'malformed', authorization },
      codes: [10003],
    }),
  ),
  {
    row: 'authentication.missing-key.empty-token',
    credential: { key: 'malformed', authorization: 'Bearer ' },
    codes: [10001, 10003],
  },
  {
    row: 'authentication.api-key.other-scheme-rejected',
    credential: { key: 'malformed', authorization: 'Basic {primary}' },
  },
  {
    row: 'authentication.api-key.bare-key-rejected',
    credential: { key: 'malformed', authorization: '{primary}' },
  },
  {
    row: 'authentication.api-key.other-header-rejected',
    credential: { key: 'none', headers: { 'x-api-key': '{primary}' } },
  },
]

const secretRow: RequirementId = 'authentication.api-key.control-secret-rejected'

export const oddRows: readonly RequirementId[] = [...new Set(odd.map(({ row }) => row)), secretRow]

/** Lists sessions with each of them, and once with a scheme that the spec leaves open; gets the session with its own secret. */
export async function knockOddly(
  context: Context,
  { list, get, session }: { readonly list: number; readonly get: number; readonly session: OpenSession },
): Promise<void> {
  for (const { row, credential, codes } of odd) {
    const exchange = context.exchange()
    context.claim(row, rejected(exchange, list, codes))
    await context.call('list-avatar-sessions', { ...credential, exchange })
  }
  await context.call('list-avatar-sessions', { key: 'malformed', authorization: 'bearer {primary}' })
  const secret = at(session.data, '/control/client_secret')
  if (typeof secret !== 'string' || secret === '') return
  const exchange = context.exchange()
  context.claim(secretRow, rejected(exchange, get))
  await context.call('get-avatar-session', {
    exchange,
    key: 'malformed',
    authorization: `Bearer ${secret}`,
    params: { session_id: session.id },
  })
}
