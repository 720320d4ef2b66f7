import type { Exchange } from '#client/types'
import type { Context, OpenSession } from '#scenario/author/context'
import { rejection } from '#scenario/author/expectation'
import type { KeyName } from '#spec/profile'
import { characterFaults, type Fault, withFaults } from '#arbitraries/rest/faults'
import { accepted } from '#trace/conditions'
import { type JsonObject, textAt } from '#trace/json'
import { get, list, listedIn, remove, replace, save, tryBegin } from '../acts.ts'
import { ada, cleo, without } from '../bodies.ts'
import { bare, coldest, filmed, filmedLess, lean, rich, spoken, voiced } from './kinds.ts'
import type { Refuse } from './refuse.property.ts'
import { replaced, toNextSecond_ms } from '../list/two-replaced.ts'
import { duringDelete, duringReplace, sessionRows } from './running.ts'

const START = 'create-session-from-character'

/** Rows that the tours of a long walk claim. */
export const tourRows = [
  ...sessionRows,
  replaced,
  'characters.create.output-missing-rejected',
  'characters.replace.output-missing-rejected',
  'characters.code-20014.create-output-missing',
  'characters.code-20014.replace-output-missing',
] as const

type TourRow = (typeof tourRows)[number]

type Tourist = Context<TourRow>

/** What a long walk begins with: what only comes of a few things in their order, which chance seldom brings. */
export async function takeTours(c: Tourist, key: KeyName, refuse: Refuse): Promise<void> {
  await poorer(c, key)
  if (c.offers('video') && c.profile.media?.image_url !== undefined) await onFilm(c, key)
  await beside(c, key)
  await refused(c, key, refuse)
}

/** Lists, once more where that does not show yet what was saved last. */
async function shows(c: Tourist, key: KeyName, id: string, { ok, data }: Exchange): Promise<void> {
  const places = ['/name', '/model'] as const
  await list(c, key, (shown) => {
    const item = shown.get(id)
    const same = places.every((place) => textAt(item, place) === textAt(data, place))
    return !ok || (same && (textAt(item, '/resolution') ?? '') === (textAt(data, '/output/resolution') ?? ''))
  })
}

/** Starts a session and closes it again. */
async function visit(c: Tourist, key: KeyName, character_id: string): Promise<void> {
  const session = await tryBegin(c, { character_id, idempotency_key: c.id('start') }, { key })
  if (session !== undefined) await c.close(session)
}

/** Rich, with less, rich again, and bare: what a replace omits is gone, also from sessions that start then. */
async function poorer(c: Tourist, key: KeyName): Promise<void> {
  const whole = await save(c, spoken(rich(c)), { key })
  const id = whole ?? (await save(c, rich(c), { key }))
  if (id === undefined) return
  // How long a session is to last is said for it alone.
  const brief = { character_id: id, idempotency_key: c.id('start'), max_duration_seconds: 593 }
  const session = await tryBegin(c, brief, { key })
  await get(c, id, { key })
  const less = () => replace(c, id, whole === undefined ? lean(c) : spoken(lean(c), coldest), { key })
  if (session === undefined) await less()
  else await duringReplace(c, session, less)
  if (session !== undefined) await c.close(session)
  await get(c, id, { key })
  await visit(c, key, id)
  const again = await replace(c, id, spoken(rich(c)), { key })
  if (!again.ok) await replace(c, id, rich(c), { key })
  // Whoever was active is none of its avatars any more.
  const last = await replace(c, id, bare(c, { avatars: [{ avatar_id: cleo }] }), { key })
  await get(c, id, { key })
  await visit(c, key, id)
  await shows(c, key, id, c.offers('lite_model') ? await lighter(c, key, id) : last)
  // Whether one without a model is stored is not said (4.2).
  await replace(c, id, without(bare(c), 'model'), { key })
  await get(c, id, { key })
}

/** The model that is offered beside the usual one is taken by a replace, as any other is. */
function lighter(c: Tourist, key: KeyName, id: string): Promise<Exchange> {
  const exchange = c.exchange()
  c.claim(replaced, accepted(exchange))
  return replace(c, id, bare(c, { model: 'svc-a1-stream-lite' }), { key, exchange })
}

/** In video: what one start overrides is not in force for the next one, and what a replace omits for none. */
async function onFilm(c: Tourist, key: KeyName): Promise<void> {
  const id = await save(c, filmed(c), { key })
  if (id === undefined) return
  await c.call('list-characters', { key })
  await visit(c, key, id)
  const transport = c.offers('rtc_b') ? { delivery: { media: { transport: 'rtc_a' } } } : {}
  const over = { character_id: id, idempotency_key: c.id('start'), output: { resolution: '720p' }, ...transport }
  const session = await tryBegin(c, over, { key })
  await c.call(START, { body: over, key, retry: 'never' })
  if (session !== undefined) await c.close(session)
  await get(c, id, { key })
  await visit(c, key, id)
  await shows(c, key, id, await replace(c, id, filmedLess(c), { key }))
  await get(c, id, { key })
  await visit(c, key, id)
  const last = await replace(c, id, bare(c), { key })
  await get(c, id, { key })
  await shows(c, key, id, last)
}

/** Two of one body and one more: what is done to one is done to no other, and its sessions go on. */
async function beside(c: Tourist, key: KeyName): Promise<void> {
  await c.wait(toNextSecond_ms, 'timer')
  const known_by = c.id('known')
  const told = { avatars: [cleo, ada, known_by].map((avatar_id) => ({ avatar_id })) }
  const body = bare(c, { ...told, session: { mode: 'text_chat', active_avatar_id: cleo } })
  const alike = await save(c, body, { key })
  const one = await save(c, body, { key })
  const other = (await save(c, voiced(c), { key })) ?? (await save(c, bare(c), { key }))
  await paged(c, key)
  if (one === undefined || alike === undefined || other === undefined) return
  await remove(c, alike, { key })
  for (const id of [one, other]) await get(c, id, { key })
  const first = await startWithoutKey(c, { key, id: one, known_by })
  if (first !== undefined) await c.close(first)
  const second = await startWithoutKey(c, { key, id: one, known_by })
  await replace(c, other, bare(c), { key })
  await get(c, one, { key })
  // The path names the character; an id in the body, which a service may refuse, names nothing.
  await replace(c, one, { ...bare(c, told), session: body['session'] ?? {}, character_id: other }, { key })
  await get(c, other, { key })
  const third = await startBeside(c, key, one)
  const goes = () => remove(c, one, { key })
  const running = third ?? second
  if (running === undefined) await goes()
  else await duringDelete(c, running, goes)
  await replace(c, one, bare(c), { key })
  for (let times = 0; times < 2; times += 1) {
    const late = await startBeside(c, key, one)
    if (late !== undefined) await c.close(late)
  }
  await get(c, one, { key })
  for (const session of [second, third]) if (session !== undefined) await c.close(session)
}

const opened = ({ ok, data }: Exchange): boolean => ok && textAt(data, '/session_id') !== undefined

interface Keyless {
  readonly key: KeyName
  readonly id: string
  /** Finds the session should the answer be lost. */
  readonly known_by: string
}

async function startWithoutKey(c: Tourist, { key, id, known_by }: Keyless): Promise<OpenSession | undefined> {
  const answer = await c.call(START, { body: { character_id: id }, key, recall: { known_by } })
  return opened(answer) ? c.adopt(answer, key) : undefined
}

/** One more where the workspace has room for it. */
async function startBeside(c: Tourist, key: KeyName, character_id: string): Promise<OpenSession | undefined> {
  const body = { character_id, idempotency_key: c.id('start') }
  const answer = await c.call(START, { body, key, retry: 'never' })
  return opened(answer) ? c.adopt(answer, key) : undefined
}

/** With timeouts that nobody has for a default. */
const timed = (seconds: number): JsonObject => ({
  auto_close: { disconnected_timeout_seconds: seconds, interaction_idle_timeout_seconds: seconds },
})

/** A replace of each kind of mistake, with a look after it; a create of some, with one list after all. */
async function refused(c: Tourist, key: KeyName, refuse: Refuse): Promise<void> {
  const first = bare(c, timed(53))
  const exchange = c.exchange()
  const id = await save(c, first, { key, exchange })
  if (id === undefined) return
  const ground = { id, key, saved: exchange }
  for (const fault of onePerCode()) {
    await refuse('replace-refused', withFaults(bare(c, timed(57)), [fault]), ground)
    await get(c, id, { key })
  }
  await filmedWithout(c, ground)
  for (const fault of onePerCode()) {
    if (fault.id !== 'name-missing') await refuse('create-refused', withFaults(bare(c), [fault]), ground)
  }
  const text = c.profile.triggers?.moderated_text
  if (text !== undefined) await save(c, bare(c, { avatars: [{ avatar_id: ada, instructions: text }] }), { key })
  await c.call('list-characters', { key })
}

/** Mistakes of a save, one for each code that it is refused with. */
function onePerCode(): readonly Fault[] {
  const codes = Map.groupBy(characterFaults, (fault) => String(fault.codes))
  return [...codes.values()].flatMap(([fault]) => fault ?? [])
}

/** Video that names no output (20014). */
async function filmedWithout(c: Tourist, { id, key, saved }: Parameters<Refuse>[2]): Promise<void> {
  if (!c.offers('video') || c.profile.media?.image_url === undefined) return
  const body = () => ({ ...without(filmed(c), 'output', 'delivery'), ...timed(57) })
  const expecting = <By extends 'create' | 'replace'>(by: By) =>
    rejection({
      rows: `characters.${by}.output-missing-rejected` as const,
      coded: `characters.code-20014.${by}-output-missing` as const,
      codes: [20014],
      control: saved,
    })
  await replace(c, id, body(), { key, expect: expecting('replace') })
  await get(c, id, { key })
  await save(c, body(), { key, expect: expecting('create') })
}

/**
 * Pages of two to the end, and pages that change their size, once they have caught up. The last three were most probably
 * saved within one second, and others before it: pages part characters of one time.
 */
async function paged(c: Tourist, key: KeyName): Promise<void> {
  await c.wait(c.timeouts.lag_ms, 'lag')
  for (const sizes of [
    ['2', '2', '2', '2'],
    ['2', '1', '1'],
  ]) {
    let page_token: string | undefined
    for (const page_size of sizes) {
      const page = await c.call('list-characters', {
        key,
        query: { page_size, ...(page_token === undefined ? {} : { page_token }) },
      })
      page_token = textAt(page.data, '/next_page_token')
      if (page_token === undefined || page_token === '' || listedIn(page).size === 0) break
    }
  }
}
