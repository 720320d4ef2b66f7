/** Formants of a vowel in hertz. */
type Vowel = readonly [number, number, number]

const vowels: readonly Vowel[] = [
  [730, 1090, 2440],
  [270, 2290, 3010],
  [530, 1840, 2480],
  [570, 840, 2410],
  [300, 870, 2240],
]
const bandwidths = [80, 100, 140] as const
const syllableSeconds = 0.24
/** A breath after so many syllables; 4.3 recommends 5 seconds of continuous speech, which these exceed. */
const phrase = 26
const breath = 2
const loudness = 20_000

/** What was synthesized before: the same is often asked for again, and takes long. */
const spoken = new Map<string, Int16Array>()

/**
 * Something like speech, in samples that nobody may write to; the same numbers for the same question.
 *
 * @param rate samples a second
 */
export function speech(seconds: number, rate: number): Int16Array {
  const question = `${seconds} s at ${rate}`
  const sound = spoken.get(question) ?? synthesized(seconds, rate)
  spoken.set(question, sound)
  return sound
}

/**
 * Pulses of a voice through the formants of changing vowels, syllable by syllable, with rising and falling pitch and
 * pauses for breath.
 */
function synthesized(seconds: number, rate: number): Int16Array {
  const count = Math.round(seconds * rate)
  const sound = new Float64Array(count)
  const filters = bandwidths.map((bandwidth) => resonator(rate, bandwidth))
  const noise = noiseMaker()
  let phase = 0
  let loudest = 0
  for (let place = 0; place < count; place += 1) {
    const t = place / rate
    const { vowel, level } = syllableAt(t)
    phase += pitchAt(t) / rate
    const pulse = phase >= 1 ? 1 : 0
    phase -= pulse
    const voice = (pulse + 0.02 * noise()) * level
    const value = filters.reduce((sum, filter, nth) => sum + filter(voice, vowel[nth] ?? 500) / (nth + 1), 0)
    sound[place] = value
    loudest = Math.max(loudest, Math.abs(value))
  }
  return Int16Array.from(sound, (value) => Math.round((loudness * value) / (loudest || 1)))
}

/** Which vowel sounds at a moment, and how strongly: each swells and fades, and a breath is silent. */
function syllableAt(t: number): { readonly vowel: Vowel; readonly level: number } {
  const nth = Math.floor(t / syllableSeconds)
  const vowel = vowels[(nth * 7 + Math.floor(nth / 3)) % vowels.length] ?? vowels[0] ?? [500, 1500, 2500]
  if (nth % (phrase + breath) >= phrase) return { vowel, level: 0 }
  const part = t / syllableSeconds - nth
  return { vowel, level: 0.15 + 0.85 * Math.sin(Math.PI * part) ** 2 }
}

function pitchAt(t: number): number {
  return 125 + 18 * Math.sin(2 * Math.PI * 0.31 * t) + 9 * Math.sin(2 * Math.PI * 1.7 * t)
}

/** A two-pole filter that rings at a frequency that may move. */
function resonator(rate: number, bandwidth: number): (input: number, frequency: number) => number {
  const decay = Math.exp((-Math.PI * bandwidth) / rate)
  let [last, before] = [0, 0]
  return (input, frequency) => {
    const output = input + 2 * decay * Math.cos((2 * Math.PI * frequency) / rate) * last - decay * decay * before
    before = last
    last = output
    return output
  }
}

/** Noise from -1 to 1, always the same. */
function noiseMaker(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}
