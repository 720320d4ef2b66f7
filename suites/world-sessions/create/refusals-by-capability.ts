import type { Context } from '#scenario/author/context'
import { answer, different, equals, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { merged } from '../bodies.ts'
import { type Offers, offersAutomatic, offersLiveAudio, offersType, plainBlock } from './offers.ts'
import { leaveOpen } from './bundle.ts'
import { type Faulty, widened } from './refusals.ts'

const liveAudio = {
  rows: ['world-sessions.create.live-audio-unsupported-rejected'],
  coded: ['world-sessions.code-30004.live-audio-unsupported'],
} as const
const automatic = { rows: ['world-sessions.create.start-mode-automatic-unsupported-rejected'] } as const
const unlistedRows = [
  'world-sessions.blocks.unknown-type-rejected',
  'world-sessions.blocks.unlisted-beside-listed-rejected',
] as const

const shown = (exchange: number, path: string) => answer(exchange, `/data/capabilities/${path}`)

export const automaticRows = automatic.rows
export const excludedRows = [...liveAudio.rows, ...liveAudio.coded, ...automaticRows]

/**
 * What the capabilities exclude must be refused (2.12, 2.13). What they offer leaves nothing to refuse.
 *
 * They are the contract "per allocated session" and "differ by model and deployment" (9): where another one takes what
 * the first excluded, and says so, that is right.
 */
export function excludedRefusals(c: Context<(typeof excludedRows)[number]>, offers: Offers): readonly Faulty[] {
  const found: Faulty[] = []
  const saysNo = (path: string) => equals(shown(offers.exchange, path), value(false))
  if (offers.liveAudio) leaveOpen(c, [...liveAudio.rows, ...liveAudio.coded], saysNo('live_audio/supported'))
  else {
    const fault = (body: JsonObject) => merged(body, { live_input: { audio: { enabled: true } } })
    found.push({ ...liveAudio, fault, offered: (exchange) => offersLiveAudio({ exchange }) })
  }
  if (offers.automatic) leaveOpen(c, automatic.rows, saysNo('continuation/automatic'))
  else {
    const continuation = { start_mode: 'automatic' }
    const fault = (body: JsonObject) => merged(body, { continuation })
    found.push({ ...automatic, on: 'manual', fault, offered: (exchange) => offersAutomatic({ exchange }) })
  }
  return [...found, ...unlistedBlocks(offers)]
}

/** Blocks of 2.13 that the capabilities do not list. */
function unlistedBlocks({ types, image, audio }: Offers): readonly Faulty[] {
  const blocks = [
    { type: 'input_text', text: 'A whale.' },
    ...(image === undefined ? [] : [{ type: 'input_image', url: image }]),
    ...(audio === undefined ? [] : [{ type: 'input_audio', url: audio }]),
  ]
  return blocks
    .filter(({ type }) => !types.has(type))
    .map((one) => ({
      rows: unlistedRows,
      on: 'several',
      fault: widened(one),
      offered: (exchange) => offersType({ exchange }, one.type),
    }))
}

/** One more than the capabilities allow (section 8). */
export function limitRefusals(offers: Offers): readonly Faulty[] {
  const plain = plainBlock(offers) ?? { type: 'input_text', text: 'A whale.' }
  /** That a session shows another limit than the first one, whose limit is what was gone beyond. */
  const another = (limit: 'max_references' | 'max_reference_images') => (exchange: number) =>
    different(shown(exchange, `limits/${limit}`), shown(offers.exchange, `limits/${limit}`))
  return [
    {
      rows: ['world-sessions.capabilities.above-max-references-rejected'],
      ...(offers.references === 0 ? {} : { on: 'max-references' }),
      fault: (body) => merged(body, { references: [{ name: 'one_too_many', content: [plain] }] }),
      offered: another('max_references'),
    },
    {
      rows: ['world-sessions.capabilities.above-max-reference-images-rejected'],
      on: offers.images === 0 ? 'several' : 'max-images',
      fault: widened({ type: 'input_image', url: offers.image ?? '' }),
      offered: another('max_reference_images'),
    },
  ]
}
