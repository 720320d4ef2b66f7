import { pickKey } from '#scenario/author/pick-key'
import type { KeyName } from '#spec/profile'
import type { Context } from '#scenario/author/context'
import type { Taken } from '#scenario/author/bundle'
import { orAccepted, rejection, rowsOfRefusals } from '#scenario/author/expectation'
import { eachRowOnce, type Optional as OptionalRequests, refusalsNeeding, sentOf } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import type { RequirementId } from '#spec/register'
import type { Condition } from '#trace/claim'
import { accepted } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { world as minimal } from '#scenario/author/bodies'
import { merged, text } from '../bodies.ts'
import { type Offers, offersOf, plainBlock } from './offers.ts'
import { leaveOpen, sendWorldBundle, unsendable } from './bundle.ts'
import { firstOptions, type Optional, secondOptions, soundOptions } from './create-options.ts'
import {
  frameRefusals,
  optionRefusals,
  promptRefusals,
  type Faulty,
  referenceRefusals,
  soundRefusals,
  urlRefusals,
} from './refusals.ts'
import { ask, closeIt, closeShared, keyed, sendCreate, sendKeyed, settled, type World, worldOf } from '../send.ts'
import { automaticRows, excludedRefusals, excludedRows, limitRefusals } from './refusals-by-capability.ts'
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

interface Piece {
  readonly id: string
  readonly options: readonly Optional[]
}

function piecesFor(offers: Offers, resolution?: string): readonly Piece[] {
  return [
    { id: 'first', options: firstOptions(offers, resolution) },
    // Right behind the first, of which it repeats hardly anything: what is left of that would show.
    { id: 'sound', options: soundOptions(offers) },
    { id: 'second', options: secondOptions(offers, resolution) },
  ]
}

const pieces = piecesFor(anyOffers, '720p')

/** A fault stands in what a bundle carries, and what none carries in a minimal body. */
function piecesWith({ on }: Faulty): readonly string[] {
  return pieces.flatMap(({ id, options }) => (options.some((one) => one.id === on) ? [id] : []))
}

function refusalsFor(offers: Offers): readonly Faulty[] {
  const plain = plainBlock(offers) ?? text('A captain.')
  const before = { block: plainBlock(offers), most: offers.references }
  return [
    ...promptRefusals,
    ...optionRefusals,
    ...frameRefusals(offers.image ?? ''),
    ...soundRefusals(offers.audio ?? ''),
    ...referenceRefusals(plain, offers),
    ...urlRefusals('image', offers.image ?? '', before),
    ...urlRefusals('audio', offers.audio ?? '', before),
  ]
}

interface Setting {
  readonly key: KeyName
  readonly offers: Offers
}

interface Grounds {
  readonly taken: Taken
  readonly parts: ReadonlyMap<string, JsonObject>
}

const packRows = pieces.flatMap(({ options }) => options.flatMap(({ rows }) => rows))
const shownRows = pieces.flatMap(({ options }) => options.flatMap(({ shows = [] }) => shows))

/** Sends all that these sessions may carry, in a few creates. What they cannot carry leaves its rows open. */
const sendBundles = step(
  [...packRows, ...shownRows],
  async (c, all: readonly Piece[], { key, offers }: Setting): Promise<Grounds> => {
    const taken = new Map<string, Condition>()
    const bundles = all.filter(({ id }) => c.takes(id))
    for (const { id: piece, options: bundle } of bundles) {
      for (const { unless, rows, shows = [] } of bundle) {
        if (unless !== undefined) leaveOpen(c, [...rows, ...shows], unless)
      }
      const options = bundle.filter(({ unless }) => unless === undefined)
      if (options.length === 0) continue
      const sent = await sendWorldBundle(c, { options, key, most: offers.references })
      for (const [id, condition] of sent.taken) taken.set(id, condition)
      if (sent.world !== undefined) await lookAt(c, sent.world, piece === 'first' && c.takes('looks'))
    }
    return { taken, parts: new Map(bundles.flatMap(({ options }) => options).map(({ id, part }) => [id, part])) }
  },
)

/** What Get Session shows of a session that was created with much, before and after it has served its turn. */
async function lookAt(c: Context, world: World, wanted: boolean): Promise<void> {
  if (!wanted) {
    await ask(c, 'close-world-session', world)
    return
  }
  const { status } = await settled(c, world)
  // Fresh secrets change nothing of what a session was created with.
  if (status === 'active') await ask(c, 'create-client-secret', world)
  await ask(c, 'get-world-session', world)
  await closeShared(c, world)
  await ask(c, 'get-world-session', world)
}

/** One refusal, beside the same body without its fault. What could not be sent leaves its rows open. */
const refuse = step(
  rowsOfRefusals([...refusalsFor(anyOffers), ...limitRefusals(anyOffers)]),
  async (c, refusal: Faulty, { minimal: exchange, key, taken, parts }: Grounds & { minimal: number; key: KeyName }) => {
    const { rows, coded = [], on, fault, tier, offered } = refusal
    if (tier === 'full' && c.tier !== 'full') return
    const control = on === undefined ? accepted(exchange) : taken.get(on)
    if (control === undefined) return leaveOpen(c, [rows, coded].flat(), unsendable)
    const ground = merged(minimal(), (on === undefined ? undefined : parts.get(on)) ?? {})
    const rejected = rejection({ rows, coded, codes: [30004], control })
    const expect = offered === undefined ? rejected : orAccepted(rejected, offered)
    await closeIt(c, await sendCreate(c, keyed(c, fault(ground)), { key, expect }), key)
  },
)

/** What a run is spared that leaves these out: what only the tier full sends is not among it. */
function savedBy(group: OptionalRequests): OptionalRequests {
  const rare = refusalsFor(anyOffers).filter(
    ({ tier, rows }) => tier === 'full' && rows.some((row) => group.rows.includes(row)),
  )
  return { ...group, requests: group.requests - rare.length }
}

/** What rules judge of a session that was created with much. */
const seenIn: { readonly [piece: string]: readonly RequirementId[] } = {
  first: seenOnLavishCreate,
  second: seenOnLavishCreate,
  sound: seenOnLavishCreate,
}

/** A create, and the close of its session. */
const eachPiece = 2

/** Fresh secrets and two looks by Get, at the session of the first piece. */
const looks: OptionalRequests = {
  id: 'looks',
  rows: [...seenOnGet, ...seenOnLavishGet],
  also: ['world-sessions.references.name-only'],
  requests: 3,
  needs: ['first'],
}

const defaultResolution = 'world-sessions.create.resolution-default-accepted'

/** All that a create may carry and must not carry, within the capabilities that a first session shows. */
export const creates = scenario({
  id: 'world-sessions.create',
  needs: { abilities: ['world_sessions'] },
  steps: [sendBundles, refuse],
  claims: [defaultResolution, ...excludedRows],
  observes: [...seenOnCreate, ...seenOnLavishCreate, ...seenOnGet, ...seenOnLavishGet],
  price: { requests: { same_workspace: 47 }, typical: 44 },
  optional: eachRowOnce([
    ...refusalsNeeding(piecesWith, refusalsFor(anyOffers), limitRefusals(anyOffers)).map(savedBy),
    // Sent in the place of what the capabilities exclude, beside an option of the first piece.
    { id: 'automatic', rows: automaticRows, requests: 0, needs: ['first'] },
    ...pieces.map(({ id, options }) => ({
      id,
      rows: [...options.flatMap(({ rows, shows = [] }) => [...rows, ...shows]), ...(seenIn[id] ?? [])],
      also: seenOnCreate,
      requests: eachPiece,
    })),
    looks,
  ]),
  async drive(c) {
    const key = pickKey(c, 'same_workspace')
    const first = await sendKeyed(c, minimal(), { key })
    const world = worldOf(first, key)
    if (world === undefined) return c.block('prerequisite', 'the minimal create was refused')
    await closeShared(c, world)
    const offers = offersOf(first, c.profile)
    const shown = at(first.data, '/output/resolution')
    const sending = piecesFor(offers, typeof shown === 'string' ? shown : undefined)
    // A default that the answer does not tell cannot be asked for.
    if (shown !== '480p' && shown !== '720p') leaveOpen(c, [defaultResolution], unsendable)
    const grounds = await sendBundles(c, sending, { key, offers })
    const refusals = [...refusalsFor(offers), ...limitRefusals(offers), ...excludedRefusals(c, offers)]
    for (const refusal of sentOf(c, refusals)) await refuse(c, refusal, { ...grounds, minimal: first.exchange, key })
  },
})
