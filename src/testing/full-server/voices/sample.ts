/** What can be told of a reference recording without decoding it. */
export interface Sample {
  readonly seconds: number
  readonly rate: number | undefined
  readonly bits: number | undefined
}

export function sampleOf(mimeType: string, bytes: Buffer): Sample | undefined {
  if (mimeType === 'audio/wav') return wave(bytes)
  if (mimeType === 'audio/mp3') return layer3(bytes)
  return undefined
}

function wave(bytes: Buffer): Sample | undefined {
  let perSecond = 0
  let rate = 0
  let bits = 0
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    if (name === 'fmt ' && at + 24 <= bytes.length) {
      rate = bytes.readUInt32LE(at + 12)
      perSecond = bytes.readUInt32LE(at + 16)
      bits = bytes.readUInt16LE(at + 22)
    }
    if (name === 'data') {
      const length = Math.min(size, bytes.length - at - 8)
      return perSecond === 0 ? undefined : { seconds: length / perSecond, rate, bits }
    }
    at += 8 + size + (size % 2)
  }
  return undefined
}

const KILOBITS_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KILOBITS_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES = [44_100, 48_000, 32_000]

/** Adds up the frames of an MPEG layer III stream. */
function layer3(bytes: Buffer): Sample | undefined {
  let at = bytes.toString('latin1', 0, 3) === 'ID3' ? 10 + syncSafe(bytes.subarray(6, 10)) : 0
  let seconds = 0
  let rate: number | undefined
  while (at + 4 <= bytes.length) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3)
    if (a !== 0xff || (b & 0xe6) !== 0xe2) {
      at += 1
      continue
    }
    const version = (b >> 3) & 3
    const kilobits = (version === 3 ? KILOBITS_1 : KILOBITS_2)[c >> 4] ?? 0
    rate = (RATES[(c >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4)
    if (kilobits === 0 || rate === 0) return undefined
    const samples = version === 3 ? 1152 : 576
    at += Math.floor((samples * kilobits * 125) / rate) + ((c >> 1) & 1)
    seconds += samples / rate
  }
  return { seconds, rate, bits: undefined }
}

function syncSafe(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 128 + (byte & 127), 0)
}
