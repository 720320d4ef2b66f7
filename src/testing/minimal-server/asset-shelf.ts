import type { addedAssets, createAssets } from './asset-shape.ts'
import { Fault } from './reading.ts'

type Created = ReturnType<typeof createAssets>
type Added = ReturnType<typeof addedAssets>
type JsonObject = Record<string, unknown>

const arrays = ['images', 'audio', 'speech_text', 'visual_prompts'] as const

/** The assets of one session. Additive only: an id, once taken, keeps its meaning. */
export class AssetShelf {
  readonly #ids = new Set<string>()
  readonly #speech = new Map<string, string>()

  constructor(created: Created | undefined) {
    for (const { asset_id } of [...(created?.audio ?? []), ...(created?.visual_prompts ?? [])]) this.#ids.add(asset_id)
    for (const speech of created?.speech_text ?? []) this.#speak(speech)
  }

  speechText(assetId: string): string | undefined {
    return this.#speech.get(assetId)
  }

  /** Registers all of `given` or, by throwing a `Fault`, none. Returns the four arrays of `asset.added`. */
  add(given: Added): Record<(typeof arrays)[number], JsonObject[]> {
    const ids = arrays.flatMap((name) => (given[name] ?? []).map((asset) => asset.asset_id))
    if (ids.length === 0) throw new Fault('assets', 'must hold at least one asset')
    if (new Set(ids).size < ids.length) throw new Fault('assets[].asset_id', 'must be unique')
    const taken = ids.find((id) => this.#ids.has(id))
    if (taken !== undefined) throw new Fault('assets[].asset_id', 'exists already and cannot be replaced')
    for (const id of ids) this.#ids.add(id)
    for (const speech of given.speech_text ?? []) this.#speak(speech)
    const { images = [], audio = [], speech_text = [], visual_prompts = [] } = given
    return { images, audio, speech_text, visual_prompts }
  }

  #speak(speech: { asset_id: string; text: string }): void {
    this.#ids.add(speech.asset_id)
    this.#speech.set(speech.asset_id, speech.text)
  }
}
