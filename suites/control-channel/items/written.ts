import type { Response } from '../model/response.ts'
import type { Row } from '../rows.ts'

export type WrittenRow = Extract<
  Row,
  | 'script.auto-speech-written'
  | 'script.default-speech-written'
  | 'script.auto-speech-asset-written'
  | 'script.none-speech-not-written'
  | 'script.none-speech-asset-not-written'
  | 'response-create.auto-output-written'
  | 'response-create.default-output-written'
  | 'response-create.none-output-not-written'
>

/** The row that says whether the output of a response is written to the conversation (4.4); undefined where nobody can say. */
export function writtenRow({ origin }: Response): { readonly row: WrittenRow; readonly forbids: boolean } | undefined {
  const { request } = origin
  if (request === undefined || request.conversation === 'unknown') return undefined
  const forbids = request.conversation === 'none'
  if (request.kind === 'speech') {
    if (forbids) return { row: 'script.none-speech-not-written', forbids }
    const row = request.names_conversation ? 'script.auto-speech-written' : 'script.default-speech-written'
    return { row, forbids }
  }
  if (request.kind === 'speech_asset') {
    return { row: forbids ? 'script.none-speech-asset-not-written' : 'script.auto-speech-asset-written', forbids }
  }
  if (request.kind !== 'model') return undefined
  if (forbids) return { row: 'response-create.none-output-not-written', forbids }
  const row = request.names_conversation
    ? 'response-create.auto-output-written'
    : 'response-create.default-output-written'
  return { row, forbids }
}
