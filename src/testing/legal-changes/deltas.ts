import type { Entry, FrameReceivedEntry } from '#trace/entry'
import { isObject, type JsonObject, stringAt } from '#trace/json'
import { typeOf } from './additions.ts'
import { furtherEvent, newFrames } from './content.ts'
import type { Chance, LegalChange } from './legal-change.ts'

const isDelta = (entry: Entry | undefined): entry is FrameReceivedEntry =>
  entry?.kind === 'frame-received' && typeOf(entry) === 'response.output_text.delta' && isObject(entry.data)

function withDelta(entry: FrameReceivedEntry, delta: string, event_id?: string): JsonObject {
  const data = isObject(entry.data) ? entry.data : {}
  return { ...data, delta, ...(event_id === undefined ? {} : { event_id }) }
}

function split(pieces: (text: string, chance: Chance) => readonly string[]): LegalChange['apply'] {
  return (entries, chance) => {
    const frame = newFrames(entries)
    return entries.flatMap((entry): readonly Entry[] => {
      if (!isDelta(entry) || !chance.here()) return [entry]
      const [first = '', ...others] = pieces(stringAt(entry.data, '/delta') ?? '', chance)
      const further = others.map((piece) => {
        const number = frame()
        return furtherEvent(entry, number, withDelta(entry, piece, `piece-${number}`))
      })
      return [{ ...entry, data: withDelta(entry, first) }, ...further]
    })
  }
}

const letters = (text: string): readonly string[] => Array.from(text)

function inTwo(text: string, chance: Chance): readonly string[] {
  const all = letters(text)
  const place = chance.below(all.length + 1)
  return [all.slice(0, place).join(''), all.slice(place).join('')]
}

function keyOf({ channel, data }: FrameReceivedEntry): string {
  return JSON.stringify([
    channel,
    ...['/response_id', '/item_id', '/output_index'].map((path) => stringAt(data, path) ?? ''),
  ])
}

/** Deltas of one item that nothing of ours parts are one, at the place of the last. */
function merged(entries: readonly Entry[], chance: Chance): readonly Entry[] {
  const out: (Entry | undefined)[] = [...entries]
  const last = new Map<number, { readonly key: string; readonly place: number }>()
  for (const [place, entry] of entries.entries()) {
    if (entry.kind === 'frame-sent' || (entry.kind === 'frame-received' && !isDelta(entry))) last.delete(entry.channel)
    if (!isDelta(entry)) continue
    const [key, before] = [keyOf(entry), last.get(entry.channel)]
    last.set(entry.channel, { key, place })
    const earlier = before === undefined ? undefined : out[before.place]
    if (before?.key !== key || !isDelta(earlier) || !chance.here()) continue
    const delta = `${stringAt(earlier.data, '/delta') ?? ''}${stringAt(entry.data, '/delta') ?? ''}`
    out[before.place] = undefined
    out[place] = { ...entry, data: withDelta(entry, delta) }
  }
  return out.filter((entry) => entry !== undefined)
}

const why = 'Number and size of deltas are free.'

/** Text that comes in other pieces. */
export const deltas: readonly LegalChange[] = [
  { id: 'deltas-of-a-letter', section: '6.2', why, apply: split(letters) },
  { id: 'deltas-in-two', section: '6.2', why, apply: split(inTwo) },
  { id: 'deltas-empty-behind', section: '6.2', why, apply: split((text) => [text, '']) },
  { id: 'deltas-empty-ahead', section: '6.2', why, apply: split((text) => ['', text]) },
  { id: 'deltas-merged', section: '6.2', why, apply: merged },
]
