import { textOf, type JsonObject } from '../wire.ts'

const DELTA_CHARACTERS = 100
const SMALLEST_NUMBER_OF_DELTAS = 3

/** Text in pieces of about a hundred characters, at least three where it has as many; never inside a character. */
export function splitText(text: string): string[] {
  const characters = Array.from(text)
  const size = Math.max(1, Math.min(DELTA_CHARACTERS, Math.ceil(characters.length / SMALLEST_NUMBER_OF_DELTAS)))
  const pieces: string[] = []
  for (let start = 0; start < characters.length; start += size)
    pieces.push(characters.slice(start, start + size).join(''))
  return pieces
}

/** How fast things happen; milliseconds. */
export const pace = () => ({
  split: splitText,
  startMs: 0,
  firstDeltaMs: 15,
  deltaMs: 20,
  /** Rendering outlasts the text. */
  tailMs: (text: string): number => 120 + Math.min(400, Math.round(text.length / 20)),
  /** Length of supplied audio; that of remote audio is not known before it is fetched. */
  audioMs: (source: JsonObject): number => {
    const bytes = textOf(source['audio'])
    return bytes === undefined ? 400 : Math.min(2000, Math.max(100, Math.round((bytes.length * 3) / 4 / 32)))
  },
  /** "`[SHOT_SEP]`: separate ordered actions"; `duration_ms` counts for each of them. */
  actionsMs: (prompt: string, durationMs: number): number => prompt.split('[SHOT_SEP]').length * durationMs,
  toolCallMs: 20,
  doneMs: 0,
})
