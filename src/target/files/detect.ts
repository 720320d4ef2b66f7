import { fileTypeFromBuffer } from 'file-type'

const OTHER_NAMES: Readonly<Record<string, string>> = { 'audio/x-m4a': 'audio/mp4', 'audio/vnd.wave': 'audio/wav' }
const VIDEO_CODECS = ['V_VP8', 'V_VP9', 'V_AV1', 'V_MPEG']
const HEAD_BYTES = 64 * 1024
/** The handler box of an MP4 track that holds pictures. */
const VIDEO_HANDLER = Buffer.from('hdlr\0\0\0\0\0\0\0\0vide', 'latin1')

/** The media type of a file by its bytes, without parameters; undefined where they are of no known type. */
export async function detectType(bytes: Buffer): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(bytes)
  const type = found?.mime.split(';')[0]?.trim()
  // Containers of both kinds count as video unless nothing in them is.
  if (type === 'video/webm') return hasVideoCodec(bytes) ? type : 'audio/webm'
  if (type === 'video/mp4') return bytes.includes(VIDEO_HANDLER) ? type : 'audio/mp4'
  return type === undefined ? undefined : (OTHER_NAMES[type] ?? type)
}

function hasVideoCodec(bytes: Buffer): boolean {
  const head = bytes.subarray(0, HEAD_BYTES)
  return VIDEO_CODECS.some((codec) => head.includes(codec))
}
