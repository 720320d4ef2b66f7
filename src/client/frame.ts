import { tooDeep } from '../trace/depth.ts'
import type { FrameReceivedEntry } from '../trace/entry.ts'
import { at, type Json } from '../trace/json.ts'
import { parsed } from './body.ts'

/** A frame as it can be read. */
export interface ReadFrame {
  readonly data: Json | undefined
  readonly text: string | undefined
  readonly problem: FrameReceivedEntry['problem'] | undefined
}

/** Reads a frame as JSON, its nesting bounded before anything parses it. */
export function readFrame(bytes: Buffer, binary: boolean): ReadFrame {
  const text = bytes.toString('utf8')
  if (binary) return { data: undefined, text, problem: 'binary' }
  if (tooDeep(text)) return { data: undefined, text, problem: 'too-deep' }
  const data = parsed(text)
  return data === undefined ? { data, text, problem: 'not-json' } : { data, text: undefined, problem: undefined }
}

/** `type` of an event, where it is a string. */
export function typeOf(data: Json | undefined): string | undefined {
  const type = at(data, '/type')
  return typeof type === 'string' ? type : undefined
}
