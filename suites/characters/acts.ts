import type { Exchange } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { OperationId } from '#spec/tables'
import { Blocked } from '#scenario/author/blocked'
import type { Call, Context, OpenSession } from '#scenario/author/context'
import { retryTransient } from '#scenario/author/retry-transient'
import { either, lookTwice, twoLooks } from '#scenario/author/look-twice'
import { numbered } from '#scenario/author/numbered'
import { accepted } from '#trace/conditions'
import { at, type Json, type JsonObject, textAt } from '#trace/json'
import { brief, inAnyLanguage, named } from './bodies.ts'

/** What a scenario of this part needs at least. */
export const needsCharacters = { abilities: ['characters'] } as const
/** What one that saves characters for video needs. */
export const needsVideo = { abilities: ['characters', 'video'], media: ['image_url'] } as const

const start = 'create-session-from-character'

/** How long is waited before a create is sent again whose answer was lost. */
const lost_ms = 1_000

export interface Sending<Row extends RequirementId = never> extends Pick<Call<Row>, 'exchange' | 'expect'> {
  readonly key?: KeyName
}

/** Creates a character. @returns its id, or undefined when none came of it */
export async function save<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  sending: Sending<Row> = {},
): Promise<string | undefined> {
  return characterIn(await create(c, body, sending))
}

/**
 * Sends it once more where its answer was lost: what the first attempt made is found by its name and deleted in the end.
 */
async function create<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  sending: Sending<Row>,
): Promise<Exchange> {
  const call = numbered(c, { ...sending, body })
  const attempt = () => retryTransient(c, () => c.call('create-character', call))
  const answer = await attempt()
  if (answer.trouble === undefined || answer.failure === 'timeout') return answer
  await c.wait(lost_ms, 'backoff')
  return attempt()
}

/** What worked of several saves, the first with all that 2.5 names of `conversation`, the others with less. */
export interface Whole {
  readonly id: string
  readonly exchange: number
}

/**
 * Creates a character with what a service may refuse to keep, and where it does, without; claims may name either number.
 *
 * @throws Blocked when none came of it
 */
export async function saveWhole(
  c: Context,
  body: JsonObject,
  looks: readonly number[],
  key: KeyName = 'primary',
): Promise<Whole> {
  const plain = inAnyLanguage(named(body))
  const lesser = [body, ...[named(body), plain, brief(plain)].map((one) => keyedAnew(c, one))]
  for (const [place, exchange] of looks.slice(0, -1).entries()) {
    const id = await save(c, lesser[place] ?? body, { exchange, key })
    if (id !== undefined) return { id, exchange }
  }
  const exchange = looks.at(-1) ?? c.exchange()
  return { id: await mustSave(c, lesser[looks.length - 1] ?? body, { exchange, key }), exchange }
}

/**
 * Another body under another key: a service that honours keys here, too, may remember what it refused, or call it a conflict.
 */
export function keyedAnew(c: Context, body: JsonObject): JsonObject {
  return body['idempotency_key'] === undefined ? body : { ...body, idempotency_key: c.id('save') }
}

/** Creates a character without which the scenario can't go on. @throws Blocked when none came of it */
export async function mustSave<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  sending: Sending<Row> = {},
): Promise<string> {
  const answer = await create(c, body, sending)
  const id = characterIn(answer)
  if (id !== undefined) return id
  const code = answer.code === undefined ? 'network' : answer.code === 10008 ? 'quota' : 'prerequisite'
  return c.block(code, `no character was created (${answer.code ?? answer.failure ?? answer.status})`)
}

function characterIn({ data }: Exchange): string | undefined {
  return textAt(data, '/character_id')
}

/** Sends a call, and again while the answer says nothing about it. What a save makes by mistake is deleted at the end. */
export function send<Row extends RequirementId>(
  c: Context<Row>,
  operation: OperationId,
  call: Call<Row>,
): Promise<Exchange> {
  const sending = numbered(c, call)
  return retryTransient(c, () => c.call(operation, sending))
}

export function replace<Row extends RequirementId>(
  c: Context<Row>,
  character_id: string,
  body: JsonObject,
  sending: Sending<Row> = {},
): Promise<Exchange> {
  return send(c, 'replace-character', { ...sending, params: { character_id }, body })
}

export function get<Row extends RequirementId>(
  c: Context<Row>,
  character_id: string,
  sending: Sending<Row> = {},
): Promise<Exchange> {
  return c.call('get-character', { ...sending, params: { character_id } })
}

export function remove<Row extends RequirementId>(
  c: Context<Row>,
  character_id: string,
  sending: Sending<Row> = {},
): Promise<Exchange> {
  return c.call('delete-character', { ...sending, params: { character_id } })
}

/**
 * Deletes a character that is there, which must work. A proxy may send a DELETE again by itself (RFC 9110, 9.2.2) and hand on
 * that nothing was found then: where it did not work, another character is made and deleted, and that decides.
 *
 * @returns the answer to the first delete
 */
export async function removeOwn<Row extends RequirementId>(
  c: Context<Row>,
  row: Row,
  { id, another, key }: { readonly id: string; readonly another: () => JsonObject; readonly key?: KeyName },
): Promise<Exchange> {
  const looks = twoLooks(c)
  c.claim(row, either(looks, accepted))
  const sending = key === undefined ? {} : { key }
  const first = await remove(c, id, { ...sending, exchange: looks[0] })
  if (first.ok) return first
  const other = await save(c, another())
  if (other !== undefined) await remove(c, other, { ...sending, exchange: looks[1] })
  return first
}

/** The characters that a page shows, by id. */
export function listedIn({ data }: Exchange): ReadonlyMap<string, Json> {
  const items = at(data, '/items')
  const listed = Array.isArray(items) ? (items as readonly Json[]) : []
  return new Map(
    listed.flatMap((item) => {
      const id = at(item, '/character_id')
      return typeof id === 'string' ? [[id, item] as const] : []
    }),
  )
}

/** Lists the newest characters; once more where lists have not caught up yet. */
export function list(c: Context, key: KeyName, fits: (shown: ReadonlyMap<string, Json>) => boolean): Promise<Exchange> {
  const look = (exchange: number) => c.call('list-characters', { exchange, key })
  return lookTwice(c, twoLooks(c), look, (page) => fits(listedIn(page)))
}

/** Starts a session. @throws Blocked when none came of it */
export function begin<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  sending: Sending<Row> = {},
): Promise<OpenSession> {
  return c.create(body, { ...sending, operation: start })
}

/** Starts a session, or finds that the target refuses it. @throws Blocked for whatever else stands in the way */
export async function tryBegin<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  sending: Sending<Row> = {},
): Promise<OpenSession | undefined> {
  try {
    return await begin(c, body, sending)
  } catch (error) {
    if (error instanceof Blocked && error.code === 'prerequisite') return undefined
    throw error
  }
}

/** Starts a session and closes it again. @returns whether it was accepted */
export async function beginAndClose<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  sending: Sending<Row> = {},
): Promise<boolean> {
  const session = await tryBegin(c, body, sending)
  if (session !== undefined) await c.close(session)
  return session !== undefined
}

/** Sends a start that is to be refused, waits where the workspace is full, and closes what comes of it by mistake. */
export async function beginInVain<Row extends RequirementId>(
  c: Context<Row>,
  body: JsonObject,
  sending: Sending<Row> = {},
): Promise<Exchange> {
  const call = numbered(c, sending)
  // A body that has a key stays as it is: who repeats it sends the same to the letter.
  const keyed = () => (body['idempotency_key'] === undefined ? { ...body, idempotency_key: c.id('start') } : body)
  const answer = await retryTransient(c, () => c.call(start, { ...call, body: keyed() }))
  if (answer.ok && typeof at(answer.data, '/session_id') === 'string') await c.close(c.adopt(answer, sending.key))
  return answer
}
