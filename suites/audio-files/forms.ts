import { pickKey } from '#scenario/author/pick-key'
import type { FormPart, RestCall } from '#client/types'
import type { KeyName } from '#spec/profile'
import { medium, type MediumName } from '#media/media'
import { speech } from '#media/speech'
import { wav } from '#media/wav'
import type { Context } from '#scenario/author/context'

/** Field `file` (4.3) with a medium in it, declared as a type. */
export function fileOf(name: MediumName, type: string): FormPart {
  return { name: 'file', filename: name, content_type: type, data: medium(name) }
}

/** Field `file` with bytes of our own making. */
export function wavFile(data: Uint8Array): FormPart {
  return { name: 'file', filename: 'made.wav', content_type: 'audio/wav', data }
}

/** Uploads need no workspace in particular: the key that others use least. */
export function uploadKey(context: Context): KeyName {
  return pickKey(context, 'other_workspace')
}

const rate = 16_000

/** A sample whose bytes are the end of a line: at the end of a file, a careless reader of forms takes them for its own. */
const lineEnd = 0x0a0d

/** An upload of one honest file, the positive control of what is refused: of as many bytes as `speech.wav`, and other ones. */
export function honest(key: KeyName): RestCall {
  const quiet = speech(12, rate).map((sample) => Math.trunc(sample / 2))
  quiet[quiet.length - 1] = lineEnd
  return { key, multipart: [wavFile(wav(quiet, { rate }))] }
}
