import { longestText } from '#client/bounds'
import { readFrame } from '#client/channel/frame'
import { decode, type ReadBody, readBody } from '#client/http/body'
import type { FrameReceivedEntry, FrameSentEntry, RequestEntry, ResponseEntry } from '#trace/entry'
import type { Json } from '#trace/json'
import type { Redactor } from '#trace/redact'
import { shownForm } from './form.ts'

/** Bodies that weigh more are not kept; the judge would have to hold them. */
export const heaviestBody = 32 * 2 ** 20

/** What a trace shows in the place of a body that an archive does not hold. */
export const notInArchive = '(not in the archive)'
const tooManyValues = 'too many values to be read'

/** Whether the text of a request stands for a body that nobody read, so that it says nothing of what the client sent. */
export function isUnread(text: string): boolean {
  return text === notInArchive || text.endsWith(`, ${tooManyValues})`)
}

type Headers = RequestEntry['headers']

/** What a trace shows of what a client sent: JSON, a form, or the beginning of a text. */
export async function shownRequest(bytes: Uint8Array, headers: Headers): Promise<Pick<RequestEntry, 'body' | 'text'>> {
  if (bytes.length === 0) return {}
  const plain = await decoded(bytes, headers['content-encoding'])
  const form = await shownForm(plain, headers['content-type'] ?? '')
  if (form !== undefined) return { body: form }
  const read = readBody(plain, heaviestBody)
  if (read === undefined) return { text: `(${bytes.length} bytes, ${tooManyValues})` }
  return read.body === undefined ? { text: (read.text ?? '').slice(0, 10 * longestText) } : { body: read.body }
}

/** A client may compress what it sends; an archive may show that without its coding. */
async function decoded(bytes: Uint8Array, codings: string | undefined): Promise<Uint8Array> {
  try {
    return await decode(bytes, codings, heaviestBody)
  } catch {
    return bytes
  }
}

/** A body that was decoded, read once: as JSON, and as a trace shows it. */
export interface SeenAnswer {
  readonly body: Json | undefined
  readonly note: Pick<ResponseEntry, 'body' | 'text' | 'problem' | 'bytes'>
}

/** Secrets go before a text is cut, lest half of one stays. */
export function seenAnswer(bytes: Uint8Array, redactor: Redactor): SeenAnswer {
  const read: ReadBody = readBody(bytes, heaviestBody) ?? { text: '', problem: 'not-json', weight: 0 }
  const note = {
    ...(read.body === undefined ? {} : { body: read.body }),
    ...(read.text === undefined ? {} : { text: redactor.text(read.text).slice(0, longestText) }),
    ...(read.problem === undefined ? {} : { problem: read.problem }),
    bytes: bytes.length,
  }
  return { body: read.body, note }
}

/** What a trace shows of a message that came from the service. */
export function receivedFrame(
  bytes: Buffer,
  binary: boolean,
  redactor: Redactor,
): Pick<FrameReceivedEntry, 'data' | 'text' | 'problem' | 'bytes'> {
  const { data, text, problem } = readFrame(bytes, binary)
  return {
    ...(data === undefined ? {} : { data }),
    ...(text === undefined ? {} : { text: redactor.text(text).slice(0, longestText) }),
    ...(problem === undefined ? {} : { problem }),
    bytes: bytes.length,
  }
}

/** What a trace shows of a message that a client sent. One in a binary frame may be JSON all the same. */
export function sentFrame(
  bytes: Buffer,
  binary: boolean,
  redactor: Redactor,
): Pick<FrameSentEntry, 'data' | 'text' | 'binary'> {
  const kind = binary ? ({ binary } as const) : {}
  const { data, text } = readFrame(bytes, false)
  if (data !== undefined) return { data, ...kind }
  if (binary) return { text: `(binary, ${bytes.length} bytes)`, binary }
  return { text: redactor.text(text ?? '').slice(0, 10 * longestText) }
}
