import { eventFrame, frame, opcode } from './frames.ts'
import { channelRow, type HostileChannel, type Misbehave } from './hostile-channel.ts'
import type { HostileTarget } from './hostile-target.ts'
import { deepArray, pollution } from './nasty-text.ts'
import { drip } from './pour.ts'

/** Says it on opening and again ten times a second: the client has every chance to stumble. */
const AGAIN_MS = 100

function repeatedly(...frames: Buffer[]): Misbehave {
  const all = Buffer.concat(frames)
  return ({ raw }) => drip(raw, AGAIN_MS, () => all)
}

function text(payload: string | Uint8Array): Buffer {
  return frame({ opcode: opcode.text }, payload)
}

function once(bytes: Buffer): Misbehave {
  return ({ raw }: HostileChannel) => void raw.write(bytes)
}

const event = JSON.stringify({ type: 'service.note', event_id: 'note-1' })
const masked = frame({ opcode: opcode.text, mask: Buffer.of(1, 2, 3, 4) }, event)
const invalidUtf8 = Buffer.concat([Buffer.from('{"type":"error","event_id":"'), Buffer.of(0xff, 0xc3, 0x28)])
/** A reserved opcode, a fragmented control frame, a set reserved bit, then noise. */
const garbage = Buffer.concat([
  frame({ opcode: 0xb }, 'x'),
  frame({ opcode: opcode.ping, fin: false }, 'x'),
  frame({ opcode: opcode.text, reserved: true }, 'x'),
  Buffer.alloc(4096, 0xa7),
])

/** Channels whose frames break the protocol, the encoding or JSON. */
export const badFrames: HostileTarget[] = [
  channelRow('binary-frames', 'events in binary frames', repeatedly(frame({ opcode: opcode.binary }, event))),
  channelRow('invalid-utf8-frame', 'a text frame that is no UTF-8', once(text(invalidUtf8))),
  channelRow(
    'invalid-json-frames',
    'text frames that are no JSON',
    repeatedly(text('{"type":'), text('nonsense'), text('')),
  ),
  channelRow(
    'deep-json-frames',
    'JSON nested 100,000 deep',
    repeatedly(text(`{"type":"service.deep","event_id":"d","x":${deepArray}}`)),
  ),
  channelRow(
    'proto-frames',
    '__proto__ and constructor as keys of events',
    repeatedly(
      text(`{"type":"error",${pollution},"event_id":"p","error":{${pollution},"message":"m","type":"__proto__"}}`),
    ),
  ),
  channelRow(
    'typeless-frames',
    'events without type, and JSON that is no object',
    repeatedly(eventFrame({ event_id: 'typeless' }), text('[]'), text('null'), text('7'), text('"type"')),
  ),
  channelRow('masked-frames', 'masked frames, which only a client may send', once(masked)),
  channelRow('garbage-bytes', 'bytes that are no frames', once(garbage)),
]
