import type { Exchange, RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { OperationId } from '#spec/tables'
import { Blocked } from '#scenario/author/blocked'
import type { AnyContext as Context, OpenSession } from '#scenario/author/context'
import { insist } from '#scenario/author/insist'
import { type Looks, lookTwice, twoLooks } from '#scenario/author/look-twice'
import type { Condition } from '#trace/claim'
import { accepted, rejected } from '#trace/conditions'
import { at, type Json, type JsonObject } from '#trace/json'
import { named } from './bodies.ts'

/** What a scenario of this part needs at least. */
export const needsCharacters = { abilities: ['characters'] } as const
/** What one that saves characters for video needs. */
export const needsVideo = { abilities: ['characters', 'video'], media: ['image_url'] } as const

const start = 'create-session-from-character'

/** How long is waited before a create is sent again whose answer was lost. */
const lost_ms = 1_000

export interface Sending {
  readonly exchange?: number
  readonly key?: KeyName
}

/** Creates a character. @returns its id, or undefined when none came of it */
export async function save(c: Context, body: JsonObject, sending: Sending = {}): Promise<string | undefined> {
  return characterIn(await create(c, body, sending))
}

/**
 * Sends it once more where its answer was lost: what the first attempt made is found by its name and deleted in the end.
 */
async function create(c: Context, body: JsonObject, sending: Sending): Promise<Exchange> {
  const send = () => insist(c, () => c.call('create-character', { ...sending, body }))
  const answer = await send()
  if (answer.trouble === undefined || answer.failure === 'timeout') return answer
  await c.wait(lost_ms, 'backoff')
  return send()
}

/** What worked of two saves, the first with all that 2.5 names of `conversation`, the other with what 4.2 names of it. */
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
  [first, second]: Looks,
  key: KeyName = 'primary',
): Promise<Whole> {
  const id = await save(c, body, { exchange: first, key })
  if (id !== undefined) return { id, exchange: first }
  return { id: await mustSave(c, named(body), { exchange: second, key }), exchange: second }
}

/** Creates a character without which the scenario can't go on. @throws Blocked when none came of it */
export async function mustSave(c: Context, body: JsonObject, sending: Sending = {}): Promise<string> {
  const answer = await create(c, body, sending)
  const id = characterIn(answer)
  if (id !== undefined) return id
  const code = answer.code === undefined ? 'network' : answer.code === 10008 ? 'quota' : 'prerequisite'
  return c.block(code, `no character was created (${answer.code ?? answer.failure ?? answer.status})`)
}

function characterIn(answer: Exchange): string | undefined {
  const id = at(answer.data, '/character_id')
  return typeof id === 'string' && id !== '' ? id : undefined
}

export function replace(c: Context, character_id: string, body: JsonObject, sending: Sending = {}): Promise<Exchange> {
  return insist(c, () => c.call('replace-character', { ...sending, params: { character_id }, body }))
}

export function get(c: Context, character_id: string, sending: Sending = {}): Promise<Exchange> {
  return c.call('get-character', { ...sending, params: { character_id } })
}

export function remove(c: Context, character_id: string, sending: Sending = {}): Promise<Exchange> {
  return c.call('delete-character', { ...sending, params: { character_id } })
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
export function begin(c: Context, body: JsonObject, sending: Sending = {}): Promise<OpenSession> {
  return c.create(body, { ...sending, operation: start })
}

/** Starts a session, or finds that the target refuses it. @throws Blocked for whatever else stands in the way */
export async function tryBegin(c: Context, body: JsonObject, sending: Sending = {}): Promise<OpenSession | undefined> {
  try {
    return await begin(c, body, sending)
  } catch (error) {
    if (error instanceof Blocked && error.code === 'prerequisite') return undefined
    throw error
  }
}

/** Starts a session and closes it again. @returns whether it was accepted */
export async function beginAndClose(c: Context, body: JsonObject, sending: Sending = {}): Promise<boolean> {
  const session = await tryBegin(c, body, sending)
  if (session !== undefined) await c.close(session)
  return session !== undefined
}

/** Sends a start that is to be refused, waits where the workspace is full, and closes what comes of it by mistake. */
export async function beginInVain(c: Context, body: JsonObject, sending: Sending): Promise<Exchange> {
  const send = () => c.call(start, { ...sending, body: { idempotency_key: c.id('start'), ...body } })
  const answer = await insist(c, send)
  if (answer.ok && sessionIn(answer)) await c.close(c.adopt(answer, sending.key))
  return answer
}

function sessionIn(answer: Exchange): boolean {
  return typeof at(answer.data, '/session_id') === 'string'
}

/** A fault, its rows and what it is sent with. */
export interface Refusal {
  /** Rows that ask for a rejection, whatever its code. */
  readonly rows: readonly RequirementId[]
  /** Rows that ask for one of these codes. */
  readonly code?: readonly [readonly RequirementId[], readonly number[]]
  readonly twin: number | Condition
  /** A correct target may refuse the twin as well. */
  readonly soft?: boolean
}

export function claimRefusal(c: Context, exchange: number, { rows, code, twin, soft }: Refusal): void {
  const held = typeof twin === 'number' ? accepted(twin) : twin
  const options = soft === true ? ({ given: [held], given_code: 'model_choice' } as const) : {}
  for (const row of rows) c.claim(row, rejected(exchange, twin), options)
  if (code === undefined) return
  for (const row of code[0]) c.claim(row, rejected(exchange, twin, code[1]), options)
}

/** A call that must be refused, with its claims. What a save makes by mistake is deleted at the end. */
export async function refuse(c: Context, refusal: Refusal, operation: OperationId, call: RestCall): Promise<Exchange> {
  const exchange = c.exchange()
  claimRefusal(c, exchange, refusal)
  return insist(c, () => c.call(operation, { ...call, exchange }))
}

/** A start that must be refused, with its claims. */
export function refuseStart(c: Context, refusal: Refusal, body: JsonObject, key: KeyName): Promise<Exchange> {
  const exchange = c.exchange()
  claimRefusal(c, exchange, refusal)
  return beginInVain(c, body, { exchange, key })
}
