import type { RequirementId } from '#spec/register'
import type { AnyContext as Context } from '#scenario/author/context'
import { answer, equals, value } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { merged } from '../bodies.ts'
import { type Offers, plainBlock } from './offers.ts'
import { leaveOpen } from './pack.ts'
import { type Refusal, widened } from './refusals.ts'

const liveAudioRows: readonly RequirementId[] = ['world-sessions.create.live-audio-unsupported-rejected']
const liveAudioCode: readonly RequirementId[] = ['world-sessions.code-30004.live-audio-unsupported']
const automaticRows: readonly RequirementId[] = ['world-sessions.create.start-mode-automatic-unsupported-rejected']
const unlistedRows: readonly RequirementId[] = [
  'world-sessions.blocks.unknown-type-rejected',
  'world-sessions.blocks.unlisted-beside-listed-rejected',
]

export const excludedRows: readonly RequirementId[] = [...liveAudioRows, ...liveAudioCode, ...automaticRows]

/** What the capabilities exclude must be refused (2.12, 2.13). What they offer leaves nothing to refuse. */
export function excludedRefusals(context: Context, offers: Offers): readonly Refusal[] {
  const { exchange, liveAudio, automatic } = offers
  const found: Refusal[] = []
  const saysNo = (path: string) => equals(answer(exchange, `/data/capabilities/${path}`), value(false))
  if (liveAudio) leaveOpen(context, [...liveAudioRows, ...liveAudioCode], saysNo('live_audio/supported'))
  else {
    const live_input = { audio: { enabled: true } }
    const fault = (body: JsonObject) => merged(body, { live_input })
    found.push({ rows: liveAudioRows, code: liveAudioCode, fault })
  }
  if (automatic) leaveOpen(context, automaticRows, saysNo('continuation/automatic'))
  else {
    const continuation = { start_mode: 'automatic' }
    found.push({ rows: automaticRows, on: 'manual', fault: (body) => merged(body, { continuation }) })
  }
  return [...found, ...unlistedBlocks(offers)]
}

/** Blocks of 2.13 that the capabilities do not list. */
function unlistedBlocks({ types, image, audio }: Offers): readonly Refusal[] {
  const blocks = [
    { type: 'input_text', text: 'A whale.' },
    ...(image === undefined ? [] : [{ type: 'input_image', url: image }]),
    ...(audio === undefined ? [] : [{ type: 'input_audio', url: audio }]),
  ]
  return blocks
    .filter(({ type }) => !types.has(type))
    .map((one) => ({ rows: unlistedRows, on: 'several', fault: widened(one) }))
}

/** One more than the capabilities allow (section 8). */
export function limitRefusals(offers: Offers): readonly Refusal[] {
  const plain = plainBlock(offers) ?? { type: 'input_text', text: 'A whale.' }
  return [
    {
      rows: ['world-sessions.capabilities.above-max-references-rejected'],
      ...(offers.references === 0 ? {} : { on: 'max-references' }),
      fault: (body) => merged(body, { references: [{ name: 'one too many', content: [plain] }] }),
    },
    {
      rows: ['world-sessions.capabilities.above-max-reference-images-rejected'],
      on: offers.images === 0 ? 'several' : 'max-images',
      fault: widened({ type: 'input_image', url: offers.image ?? '' }),
    },
  ]
}
