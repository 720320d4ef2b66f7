import { letters } from './endless-bodies.ts'
import { eventFrame, frame, frameHead, opcode } from './frames.ts'
import { channelRow } from './hostile-channel.ts'
import type { HostileTarget } from './hostile-target.ts'
import { byteByByte, drip, pour } from './pour.ts'

/** Ten thousand frames a second: a hundred every ten milliseconds. */
const BATCH = 100
const BATCH_MS = 10
const HALF_SECOND = 500
/** Bytes of the giant frame. */
const GIANT_FRAME = 300_000_000

const OPENING = '{"type":"service.giant","event_id":"'

function batch(one: Buffer): Buffer {
  return Buffer.concat(Array.from({ length: BATCH }, () => one))
}

const events = batch(eventFrame({ type: 'service.flood', event_id: 'flood', padding: 'x'.repeat(64) }))
const fragments = batch(frame({ opcode: opcode.continuation, fin: false }, 'a'))
const pings = batch(frame({ opcode: opcode.ping }, 'ping'))

/** Channels that send too much, or too slowly. */
export const channelFloods: HostileTarget[] = [
  channelRow('frame-flood', '10,000 events a second', ({ raw }) => drip(raw, BATCH_MS, () => events)),
  channelRow('fragment-flood', 'one message in endless fragments', ({ raw }) => {
    raw.write(frame({ opcode: opcode.text, fin: false }, OPENING))
    drip(raw, BATCH_MS, () => fragments)
  }),
  channelRow('ping-flood', '10,000 pings a second', ({ raw }) => drip(raw, BATCH_MS, () => pings)),
  channelRow('giant-frame', 'one frame of 300 MB', ({ raw }) => {
    raw.write(frameHead({ opcode: opcode.text }, GIANT_FRAME))
    pour(raw, letters(OPENING, GIANT_FRAME))
  }),
  channelRow('dribbled-frames', 'one byte of a frame every half second', ({ raw }) => {
    const event = JSON.stringify({ type: 'service.slow', event_id: 'slow', padding: 'x'.repeat(60_000) })
    drip(raw, HALF_SECOND, byteByByte(frame({ opcode: opcode.text }, event)))
  }),
]
