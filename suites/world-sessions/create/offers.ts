import type { Exchange } from '#client/types'
import type { Profile } from '#spec/profile'
import type { Condition } from '#trace/claim'
import { answer, equals, value } from '#trace/conditions'
import { at, type Json, type JsonObject } from '#trace/json'
import { text } from '../bodies.ts'

/** What the capabilities of a first session allow the next ones (2.12), and the media that the profile vouches for. */
export interface Offers {
  /** The create that showed them. */
  readonly exchange: number
  readonly image: string | undefined
  readonly audio: string | undefined
  /** Block types of references. */
  readonly types: ReadonlySet<string>
  readonly liveAudio: boolean
  readonly automatic: boolean
  readonly references: number
  readonly images: number
}

const path = '/data/capabilities'

export function offersOf({ exchange, data }: Pick<Exchange, 'exchange' | 'data'>, profile: Profile): Offers {
  const capabilities = at(data, '/capabilities')
  const count = (pointer: string): number => Math.max(0, Math.trunc(Number(at(capabilities, pointer) ?? 0))) || 0
  const types = at(capabilities, '/reference_content_types')
  return {
    exchange,
    image: profile.media?.image_url,
    audio: profile.media?.audio_url,
    types: new Set(Array.isArray(types) ? (types as readonly Json[]).map(String) : []),
    liveAudio: at(capabilities, '/live_audio/supported') === true,
    automatic: at(capabilities, '/continuation/automatic') === true,
    references: count('/limits/max_references'),
    images: count('/limits/max_reference_images'),
  }
}

export const offersType = ({ exchange }: Pick<Offers, 'exchange'>, type: string): Condition =>
  equals(answer(exchange, `${path}/reference_content_types/**`), value(type))

export const offersLiveAudio = ({ exchange }: Pick<Offers, 'exchange'>): Condition =>
  equals(answer(exchange, `${path}/live_audio/supported`), value(true))

export const offersAutomatic = ({ exchange }: Pick<Offers, 'exchange'>): Condition =>
  equals(answer(exchange, `${path}/continuation/automatic`), value(true))

/** A block that a reference may hold in these sessions; undefined where there is none that we can send. */
export function plainBlock(offers: Offers): JsonObject | undefined {
  const { types, image, audio, references, images } = offers
  if (references < 1) return undefined
  if (types.has('input_text')) return text('A captain in a blue coat.')
  if (types.has('input_image') && image !== undefined && images > 0) return { type: 'input_image', url: image }
  return types.has('input_audio') && audio !== undefined ? { type: 'input_audio', url: audio } : undefined
}
