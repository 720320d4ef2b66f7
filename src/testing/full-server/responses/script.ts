import type { Asset, Shelf } from '../shapes/asset-shape.ts'
import type { Mode } from '../avatar-sessions/session-request.ts'
import type { Reader } from '../reader.ts'
import type { Plan } from './accepted-response.ts'
import { canFetch } from '../choices.ts'

/** How long each scripted sound lasts. Milliseconds. */
const SOUND_MS = 450

export interface Library {
  readonly mode: Mode
  readonly asset: (shelf: Shelf, id: string) => Asset | undefined
}

/** `response.script`: what it says, sounds like and shows, all at once. */
export function readScript(script: Reader, library: Library): Plan {
  const vocal = script.child('vocal')
  const visual = script.child('visual')
  if (vocal === undefined && visual === undefined) throw script.complain('a script is vocal, visual or both')
  const shown = visual === undefined ? 0 : readVisual(visual, library)
  const visual_ms = library.mode === 'video_avatar' ? shown : 0
  if (vocal === undefined) return { kind: 'silent', ms: visual_ms }
  vocal.need('type')
  switch (vocal.choice('type', ['speech', 'speech_asset', 'audio', 'audio_asset'])) {
    case 'speech':
      return { kind: 'text', parts: [vocal.words('text')], limit: Infinity, visual_ms }
    case 'speech_asset':
      return {
        kind: 'text',
        parts: [found(vocal, 'speech_text_asset_id', 'speech_text', library)],
        limit: Infinity,
        visual_ms,
      }
    case 'audio_asset':
      found(vocal, 'audio_asset_id', 'audio', library)
      break
    default:
      readSound(vocal)
  }
  if (library.mode === 'text_chat') throw script.complain('there is nothing to hear in text_chat')
  return { kind: 'silent', ms: Math.max(SOUND_MS, visual_ms) }
}

function found(reader: Reader, name: string, shelf: Shelf, library: Library): string {
  const asset = library.asset(shelf, reader.words(name))
  if (asset === undefined) throw reader.bad(name, 'names no asset of this kind')
  return asset.content
}

function readVisual(visual: Reader, library: Library): number {
  if (visual.has('prompt') === visual.has('visual_prompt_asset_id')) {
    throw visual.complain('a visual has either a prompt or an asset')
  }
  const prompt = visual.has('prompt')
    ? visual.words('prompt')
    : found(visual, 'visual_prompt_asset_id', 'visual_prompts', library)
  return (visual.whole('duration_ms', 1) ?? 5000) * prompt.split('[SHOT_SEP]').length
}

function readSound(vocal: Reader): void {
  vocal.need('mime_type')
  const type = vocal.choice('mime_type', ['audio/wav', 'audio/mpeg'])
  if (vocal.has('url') === vocal.has('audio')) throw vocal.complain('audio comes from a url or as bytes')
  if (vocal.has('url')) {
    vocal.https('url')
    if (!canFetch('audio', vocal.words('url'))) throw vocal.bad('url', 'could not be fetched')
    if (type !== 'audio/wav') throw vocal.bad('mime_type', 'is not what the address serves')
    return
  }
  const text = vocal.words('audio')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw vocal.bad('audio', 'is not base64')
  if (soundOf(Buffer.from(text, 'base64')) !== type) throw vocal.bad('audio', 'is not of its mime_type')
}

function soundOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WAVE') {
    return 'audio/wav'
  }
  const tagged = bytes.subarray(0, 3).toString('latin1') === 'ID3'
  const framed = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0
  return tagged || framed ? 'audio/mpeg' : undefined
}
