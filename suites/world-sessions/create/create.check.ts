import { keyOf } from '#scenario/author/key-of'
import type { KeyName } from '#spec/profile'
import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import type { Condition } from '#trace/claim'
import { accepted, rejected } from '#trace/conditions'
import { at, type Json, type JsonObject } from '#trace/json'
import { merged, minimal, text } from '../bodies.ts'
import { type Offers, offersOf, plainBlock } from './offers.ts'
import { leaveOpen, sendPack, type Taken, unsendable } from './pack.ts'
import { firstPieces, type Optional, secondPieces, soundPieces } from './pieces.ts'
import {
  frameRefusals,
  optionRefusals,
  promptRefusals,
  type Refusal,
  referenceRefusals,
  urlRefusals,
} from './refusals.ts'
import { ask, closeIt, closeShared, keyed, sendCreate, sendKeyed, settled, type World, worldOf } from '../send.ts'
import { excludedRefusals, excludedRows, limitRefusals } from './refusals-by-capability.ts'
import { seenOnCreate, seenOnGet, seenOnLavishCreate, seenOnLavishGet } from '../life/seen.ts'

/** Whatever the profile and the capabilities. */
const anyOffers: Offers = {
  exchange: 0,
  image: 'https://media.example/a.png',
  audio: 'https://media.example/a.wav',
  types: new Set(['input_text', 'input_image', 'input_audio']),
  liveAudio: true,
  automatic: true,
  references: 2,
  images: 2,
}

function piecesFor(offers: Offers, resolution?: string): readonly (readonly Optional[])[] {
  return [firstPieces(offers, resolution), secondPieces(offers, resolution), soundPieces(offers)]
}

function refusalsFor(offers: Offers): readonly Refusal[] {
  const plain = plainBlock(offers) ?? text('A captain.')
  const before = { block: plainBlock(offers), most: offers.references }
  return [
    ...promptRefusals,
    ...optionRefusals,
    ...frameRefusals(offers.image ?? ''),
    ...referenceRefusals(plain, offers.references),
    ...urlRefusals('image', offers.image ?? '', before),
    ...urlRefusals('audio', offers.audio ?? '', before),
  ]
}

const rowsOf = ({ rows, code = [] }: Refusal): readonly RequirementId[] => [...rows, ...code]

/** All that a create may carry and must not carry, within the capabilities that a first session shows. */
export const creates: Scenario = {
  id: 'world-sessions.create',
  needs: { abilities: ['world_sessions'] },
  proves: [
    ...new Set([
      ...seenOnCreate,
      ...seenOnLavishCreate,
      ...seenOnGet,
      ...seenOnLavishGet,
      ...piecesFor(anyOffers, '720p').flatMap((pieces) => pieces.flatMap(({ rows }) => rows)),
      ...refusalsFor(anyOffers).flatMap(rowsOf),
      ...excludedRows,
      ...limitRefusals(anyOffers).flatMap(rowsOf),
    ]),
  ],
  price: { requests: { same_workspace: 44 }, typical: 40 },
  async drive(context: Context) {
    const key = keyOf(context, 'same_workspace')
    const exchange = context.exchange()
    const first = await sendKeyed(context, minimal(), { exchange, key })
    const world = worldOf(first, key)
    if (world === undefined) context.block('prerequisite', 'the minimal create was refused')
    await closeShared(context, world)
    const offers = offersOf(first, context.profile)
    const shown = at(first.data, '/output/resolution')
    const packs = piecesFor(offers, typeof shown === 'string' ? shown : undefined)
    leaveDefaultOpen(context, shown)
    const grounds = await sendPacks(context, packs, { key, offers })
    const refusals = [...refusalsFor(offers), ...limitRefusals(offers), ...excludedRefusals(context, offers)]
    for (const refusal of refusals) await refuse(context, refusal, { ...grounds, minimal: exchange, key })
  },
}

interface Grounds {
  readonly taken: Taken
  readonly parts: ReadonlyMap<string, JsonObject>
}

async function sendPacks(
  context: Context,
  packs: readonly (readonly Optional[])[],
  { key, offers }: { readonly key: KeyName; readonly offers: Offers },
): Promise<Grounds> {
  const taken = new Map<string, Condition>()
  for (const pack of packs) {
    for (const { unless, rows, shows = [] } of pack) {
      if (unless !== undefined) leaveOpen(context, [...rows, ...shows], unless)
    }
    const pieces = pack.filter(({ unless }) => unless === undefined)
    if (pieces.length === 0) continue
    const most = offers.references
    const sent = await sendPack(context, { pieces, key, most })
    for (const [id, condition] of sent.taken) taken.set(id, condition)
    if (sent.world !== undefined) await lookAt(context, sent.world, pack === packs[0])
  }
  return { taken, parts: new Map(packs.flat().map(({ id, part }) => [id, part])) }
}

interface Setting extends Grounds {
  readonly minimal: number
  readonly key: KeyName
}

/** A default that the answer does not tell cannot be asked for. */
function leaveDefaultOpen(context: Context, shown: Json | undefined): void {
  if (shown !== '480p' && shown !== '720p') {
    leaveOpen(context, ['world-sessions.create.resolution-default-accepted'], unsendable)
  }
}

/** What Get Session shows of a session that was created with much, before and after it has served its turn. */
async function lookAt(context: Context, world: World, first: boolean): Promise<void> {
  if (!first) {
    await ask(context, 'close-world-session', world)
    return
  }
  await settled(context, world)
  await ask(context, 'get-world-session', world)
  await closeShared(context, world)
  await ask(context, 'get-world-session', world)
}

/** One refusal, beside the same body without its fault. What could not be sent leaves its rows open. */
async function refuse(context: Context, refusal: Refusal, setting: Setting): Promise<void> {
  const { rows, code = [], on, fault, tier } = refusal
  const { key } = setting
  if (tier === 'full' && context.tier !== 'full') return
  const twin = on === undefined ? accepted(setting.minimal) : setting.taken.get(on)
  if (twin === undefined) return leaveOpen(context, [...rows, ...code], unsendable)
  const exchange = context.exchange()
  for (const row of rows) context.claim(row, rejected(exchange, twin))
  for (const row of code) context.claim(row, rejected(exchange, twin, [30004]))
  const ground = merged(minimal(), (on === undefined ? undefined : setting.parts.get(on)) ?? {})
  await closeIt(context, await sendCreate(context, keyed(context, fault(ground)), { exchange, key }), key)
}
