import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'

/** What a codec says when nothing is to be heard: one packet, which may be repeated. */
interface Silence {
  readonly codec: 'aac' | 'opus'
  readonly packet: Uint8Array
  readonly seconds: number
  readonly config: AudioDecoderConfig
}

const opus: Silence = {
  codec: 'opus',
  packet: Uint8Array.of(0xf8, 0xff, 0xfe),
  seconds: 0.02,
  config: {
    codec: 'opus',
    numberOfChannels: 1,
    sampleRate: 48_000,
    // OpusHead, version 1, one channel, 312 samples of pre-skip.
    description: Buffer.concat([Buffer.from('OpusHead'), Buffer.from('0101380180bb0000000000', 'hex')]),
  },
}

const aac: Silence = {
  codec: 'aac',
  packet: Uint8Array.of(0x00, 0xc8, 0x00, 0x80, 0x23, 0x80),
  seconds: 1024 / 16_000,
  // AudioSpecificConfig: AAC LC, 16 kHz, one channel.
  config: { codec: 'mp4a.40.2', numberOfChannels: 1, sampleRate: 16_000, description: Uint8Array.of(0x14, 0x08) },
}

/** An Ogg file of Opus silence. */
export const ogg = async (seconds: number): Promise<Uint8Array> => mux(new OggOutputFormat(), opus, seconds)
/** A WebM file of Opus silence. */
export const webm = async (seconds: number): Promise<Uint8Array> => mux(new WebMOutputFormat(), opus, seconds)

/** An M4A file of AAC silence, by its own brand and not as any MP4. */
export async function m4a(seconds: number): Promise<Uint8Array> {
  const file = await mux(new Mp4OutputFormat({ fastStart: 'in-memory' }), aac, seconds)
  file.set(Buffer.from('M4A '), 8)
  return file
}

async function mux(
  format: OggOutputFormat | WebMOutputFormat | Mp4OutputFormat,
  silence: Silence,
  seconds: number,
): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const source = new EncodedAudioPacketSource(silence.codec)
  output.addAudioTrack(source)
  await output.start()
  const meta = { decoderConfig: silence.config }
  for (let nth = 0; nth * silence.seconds < seconds; nth += 1) {
    const packet = new EncodedPacket(silence.packet, 'key', nth * silence.seconds, silence.seconds)
    await source.add(packet, nth === 0 ? meta : undefined)
  }
  await output.finalize()
  if (target.buffer === null) throw new Error('the muxer wrote nothing')
  return new Uint8Array(target.buffer)
}
