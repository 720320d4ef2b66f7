import type { Exchange } from '#client/types'
import { type ListForm, listedIds, listForm } from '#judge/sessions/listed-sessions'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { Context, OpenSession } from '#scenario/author/context'
import { lookTwice, twoLooks } from '#scenario/author/look-twice'
import { look as lookAt, saysOpen } from '#scenario/author/session-ending'
import { isSilent, openBriefly } from '#scenario/author/sessions/sight'
import type { Condition } from '#trace/claim'
import { answer, any, different, equals, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { textChat } from './bodies.ts'
import { isOver } from './gone.ts'

/** Workspace concurrency limit exceeded (section 7). */
export const full = 30006

/** A workspace that a scenario fills with sessions of its own. */
export interface Floor {
  readonly key: KeyName
  /** From the profile. */
  readonly cap: number | undefined
  /** The first create: what its like is refused for cannot be the body. */
  readonly positiveControl: number
  /** Sessions that are open, oldest first. */
  readonly open: OpenSession[]
  /** Ids of all that it made. */
  readonly made: Set<string>
  /** Where List Sessions shows ids, as far as it was learned. */
  readonly form: Map<string, Place>
  /** What the last List Sessions showed. */
  listed: ReadonlySet<string>
  /** List Sessions lacked what it should show, a while later still: it is not waited for again. */
  shy: boolean
}

/** What was seen when one was refused for the first time. */
export interface Filled extends Floor {
  /** The create that found it full. */
  readonly refusal: Exchange
  /** How many sessions were open then. */
  readonly fits: number
}

type Place = ListForm extends ReadonlyMap<string, infer One> ? One : never

/** Sends a create and keeps what comes of it. */
export async function tryCreate(c: Context, floor: Floor, body: JsonObject, exchange: number): Promise<Exchange> {
  return keep(c, floor, await c.attempt(body, { exchange, key: floor.key }))
}

/** Keeps the session that an answer brought, if it brought one. */
export function keep(c: Context, floor: Floor, received: Exchange): Exchange {
  if (!received.ok) return received
  const session = c.adopt(received, floor.key)
  if (floor.made.has(session.id)) return received
  floor.open.push(session)
  floor.made.add(session.id)
  return received
}

/** What has ended, or was asked to, holds no place, so that nothing is to be had of closing it. */
export function leave({ open }: Floor, session: OpenSession): void {
  const place = open.indexOf(session)
  if (place !== -1) open.splice(place, 1)
}

/** Asks for the close of one session. */
export async function closeOne(c: Context, floor: Floor, session: OpenSession): Promise<void> {
  leave(floor, session)
  await c.close(session)
}

/** Sessions that are not ours and are looked at: they may be what a refused create has made. */
const foreignLooks = 3

/**
 * Who else is in the workspace, by List Sessions. `unknown`: it does not show all that we hold. It is asked once more where it
 * lacks something, or still shows the session that has ended.
 */
export async function look(c: Context, floor: Floor, ended?: OpenSession): Promise<'alone' | 'shared' | 'unknown'> {
  const { key, form, made, open } = floor
  const isWhole = (shown: ReadonlySet<string>): boolean => form.size > 0 && open.every(({ id }) => shown.has(id))
  const list = (exchange: number) => c.call('list-avatar-sessions', { key, exchange })
  const fits = ({ data }: Exchange): boolean => {
    for (const [name, place] of listForm(data, made)) form.set(name, place)
    const shown = listedIds(data, form)
    return (floor.shy || isWhole(shown)) && !shown.has(ended?.id ?? '')
  }
  const last = await lookTwice(c, twoLooks(c), list, fits)
  const shown = listedIds(last.data, form)
  floor.listed = shown
  const isFirst = !floor.shy
  floor.shy ||= !isWhole(shown)
  if (!isWhole(shown)) {
    // The list is to blame only where the session is open: a service may have ended it by itself (3.1).
    const missing = isFirst ? open.find(({ id }) => !shown.has(id)) : undefined
    if (missing !== undefined) await c.call('get-avatar-session', { key, params: { session_id: missing.id } })
    return 'unknown'
  }
  const others = [...shown].filter((id) => !made.has(id))
  for (const session_id of others.slice(-foreignLooks)) {
    await c.call('get-avatar-session', { key, params: { session_id } })
  }
  return others.length === 0 ? 'alone' : 'shared'
}

/**
 * A service may have ended one by itself (3.1): more than the cap are open only where Get says so of each, or its secret opens
 * it, when they have had the time to hear of an end that made room.
 */
export async function lookAtEach(c: Context, floor: Floor, looks: readonly Look[]): Promise<void> {
  await c.wait(c.timeouts.lag_ms, 'lag')
  const silent: (() => Promise<unknown>)[] = []
  const over = new Set<OpenSession>()
  for (const [place, { exchange, channel }] of looks.entries()) {
    const session = floor.open[place]
    if (session === undefined) continue
    const looked = await lookAt(c, session, { exchange })
    if (isSilent(looked, session)) silent.push(() => openBriefly(c, session, channel))
    if (isOver(looked, session)) over.add(session)
  }
  await Promise.all(silent.map((opens) => opens()))
  for (const session of over) leave(floor, session)
}

/** A Get, and an opening with the session's secret where Get tells nothing of how it fares (4.1). */
interface Look {
  readonly exchange: number
  readonly channel: number
}

export const lookOf = (c: Context): Look => ({ exchange: c.exchange(), channel: c.channelNumber() })

export const showsOpen = ({ exchange, channel }: Look): Condition => any(saysOpen(exchange), saysOpen({ channel }))

/**
 * An accepted create goes against the row if all of ours are open then: more than the cap. Where that is known and they are no
 * more, a place became free meanwhile: one that closes may have held it (3.1). Where it is not known, the workspace has to be
 * full again at the first number, once whatever closed then is closed for sure.
 */
export async function blameExcess<Row extends RequirementId>(
  c: Context<Row>,
  floor: Filled,
  rows: readonly Row[],
  extra: number,
): Promise<void> {
  const { cap, open, refusal } = floor
  if (cap === undefined ? refusal.code !== full : open.length <= cap) return
  const looks = open.map(() => lookOf(c))
  const again = cap === undefined ? c.exchange() : undefined
  const isFullAgain = again === undefined ? [] : [equals(answer(again, '/code'), value(full))]
  for (const row of rows) {
    const given = [...looks.map(showsOpen), ...isFullAgain]
    c.claim(row, different(answer(extra, '/code'), value(0)), { given, given_code: 'model_choice' })
  }
  await lookAtEach(c, floor, looks)
  if (again !== undefined) await fillAnew(c, floor, again)
}

/** Closes what is more than fitted at first, and tries one more when that has had the time to free its place. */
async function fillAnew(c: Context, floor: Filled, again: number): Promise<void> {
  while (floor.open.length > floor.fits) {
    const last = floor.open.pop()
    if (last !== undefined) await c.closed(last)
  }
  await c.wait(c.timeouts.closed_ms, 'backoff')
  await tryCreate(c, floor, textChat(c.id('again')), again)
}
