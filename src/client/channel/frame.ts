import { measure } from '#trace/depth'
import type { FrameReceivedEntry } from '#trace/entry'
import { at, type Json, parsed } from '#trace/json'
import type { Frame } from '../types.ts'

/** A frame as it can be read. */
export interface ReadFrame {
  readonly data: Json | undefined
  readonly text: string | undefined
  readonly problem: FrameReceivedEntry['problem'] | undefined
  /** What it takes to hold. */
  readonly weight: number
}

/** Reads a frame as JSON, its nesting bounded before anything parses it. */
export function readFrame(bytes: Buffer, binary: boolean): ReadFrame {
  const text = bytes.toString('utf8')
  const { deep, weight } = binary ? { deep: false, weight: bytes.length } : measure(text)
  if (binary || deep) return { data: undefined, text, problem: binary ? 'binary' : 'too-deep', weight: bytes.length }
  const data = parsed(text)
  if (data === undefined) return { data, text, problem: 'not-json', weight: bytes.length }
  return { data, text: undefined, problem: undefined, weight }
}

/** The first frame that came after a number and fits. Frames stand in the order of their numbers. */
export function firstAfter(
  frames: readonly Frame[],
  after: number,
  fits: (frame: Frame) => boolean,
): Frame | undefined {
  let low = 0
  let high = frames.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((frames[middle]?.frame ?? 0) > after) high = middle
    else low = middle + 1
  }
  for (let place = low; place < frames.length; place += 1) {
    const frame = frames[place]
    if (frame !== undefined && fits(frame)) return frame
  }
  return undefined
}

/** `type` of an event, where it is a string. */
export function typeOf(data: Json | undefined): string | undefined {
  const type = at(data, '/type')
  return typeof type === 'string' ? type : undefined
}
