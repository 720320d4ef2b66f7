import type { Exchange, FormPart } from '#client/types'
import type { KeyName } from '#spec/profile'
import { medium } from '#media/media'
import { marked } from '#media/marked'
import { voiceSample } from '#media/voice-sample'
import type { Call, Context } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { type JsonObject, textAt } from '#trace/json'
import type { RequirementId } from '#spec/register'

/** A voice that this run cloned. */
export interface Cloned {
  readonly id: string
  /** The clone that made it. */
  readonly exchange: number
  readonly key: KeyName
}

/** What a run has in the workspace of `primary`. */
export interface Library {
  /** An honest sample that was uploaded. */
  readonly file: string
  /** A file is gone once a voice was cloned from it. */
  readonly usesUp: boolean
  /** That a clone of it was accepted: the positive control of every refusal. */
  readonly works: Condition
  /** The same with a language. */
  readonly speaks: Condition
  /** Cloned with a language, and without one. */
  readonly spoken?: Cloned | undefined
  readonly unspoken?: Cloned | undefined
}

/**
 * The user's own sample where the profile names one; else what sounds like speech: 12 seconds, WAV, 16 bits, 16 kHz. The same
 * bytes may be the same file, which another workspace may have from an earlier run: each run has bytes of its own.
 */
function sampleFor(context: Context): FormPart {
  const file = context.profile.media?.voice_sample
  const part = file === undefined ? undefined : voiceSample(file)
  const { filename, content_type, data } = part ?? plainSample()
  const [, run = ''] = context.id('sample').split('-')
  return sampleOf(filename, content_type, content_type === 'audio/wav' ? marked(data, run) : data)
}

function plainSample() {
  return { filename: 'speech.wav', content_type: 'audio/wav', data: medium('speech.wav') }
}

/** Of the same name, type and size, with other bytes: in a WAV file the last one ends the last sample. */
export function sampleLikeIt(context: Context, nth = 1): FormPart {
  const part = sampleFor(context)
  if (!(part.data instanceof Uint8Array) || part.content_type !== 'audio/wav') return part
  const data = Uint8Array.from(part.data)
  data[data.length - 1] = (data.at(-1) ?? 0) ^ nth
  return { ...part, data }
}

export function sampleOf(filename: string, content_type: string, data: Uint8Array): FormPart {
  return { name: 'file', filename, content_type, data }
}

/**
 * Uploads a sample.
 *
 * @returns its `file_id`
 * @throws Blocked when it was not taken
 */
export async function upload(
  context: Context,
  part: FormPart = sampleFor(context),
  key: KeyName = 'primary',
): Promise<string> {
  const { data, code } = await context.call('upload-audio', { key, multipart: [part] })
  const id = textAt(data, '/file_id')
  if (id !== undefined) return id
  return context.block('prerequisite', `the sample was not taken (code ${code ?? 'missing'})`)
}

/** A file from which one can clone: how long one is kept is not said. */
export async function cloneable(context: Context, { file, usesUp }: Library): Promise<string> {
  return usesUp ? upload(context, sampleLikeIt(context, 2)) : file
}

interface Sending<Row extends RequirementId> extends Pick<Call<Row>, 'exchange' | 'expect'> {
  readonly key?: KeyName
}

/** Asks for a clone. A voice that comes of it stays: there is no way to delete it. */
export function clone<Row extends RequirementId>(
  context: Context<Row>,
  body: JsonObject,
  sending: Sending<Row> = {},
): Promise<Exchange> {
  const fails = body['name'] === context.profile.triggers?.failing_voice_name
  // The provider's call may fail at any time (section 7).
  const passing = fails ? {} : { passing: 30007 }
  return context.call('clone-voice', { ...sending, ...passing, body, deadline_ms: cloneDeadline(context) })
}

/** How long a clone takes is not said; its provider may need a while. */
function cloneDeadline({ timeouts }: Context): number {
  return Math.max(timeouts.reply_ms, 60_000)
}

/** The voice of a clone that was accepted. */
export function cloned(answer: Exchange, key: KeyName = 'primary'): Cloned | undefined {
  const id = answer.ok ? textAt(answer.data, '/voice_id') : undefined
  return id === undefined ? undefined : { id, exchange: answer.exchange, key }
}
