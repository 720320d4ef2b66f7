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

/** What was asked for before: the same is often asked for again, and takes long. */
const spoken = new Map<string, Int16Array>()
/** By rate: the longest so far. What is shorter is its beginning. */
const voices = new Map<number, Voice>()

/**
 * Something like speech, in samples that nobody may write to; the same numbers for the same question.
 *
 * @param rate samples a second
 */
export function speech(seconds: number, rate: number): Int16Array {
  const question = `${seconds} s at ${rate}`
  const sound = spoken.get(question) ?? asLoud(voiceAt(rate).say(Math.round(seconds * rate)))
  spoken.set(question, sound)
  return sound
}

function voiceAt(rate: number): Voice {
  const voice = voices.get(rate) ?? new Voice(rate)
  voices.set(rate, voice)
  return voice
}

function asLoud(sound: Float64Array): Int16Array {
  const loudest = sound.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  // Twice as quick as `from` with a function.
  return Int16Array.from(sound.map((value) => Math.round((loudness * value) / (loudest || 1))))
}

/**
 * Pulses of a voice through the formants of changing vowels, syllable by syllable, with rising and falling pitch and
 * pauses for breath.
 */
class Voice {
  readonly #rate: number
  readonly #filters: readonly Resonator[]
  readonly #noise = noiseMaker()
  #said = new Float64Array(0)
  #phase = 0

  constructor(rate: number) {
    this.#rate = rate
    this.#filters = bandwidths.map((bandwidth) => resonator(rate, bandwidth))
  }

  /** The first samples of all that it ever says. */
  say(count: number): Float64Array {
    const before = this.#said
    if (before.length < count) {
      this.#said = new Float64Array(count)
      this.#said.set(before)
      for (let place = before.length; place < count; place += 1) this.#said[place] = this.#sampleAt(place / this.#rate)
    }
    return this.#said.subarray(0, count)
  }

  #sampleAt(t: number): number {
    const { vowel, level } = syllableAt(t)
    this.#phase += pitchAt(t) / this.#rate
    const pulse = this.#phase >= 1 ? 1 : 0
    this.#phase -= pulse
    const voice = (pulse + 0.02 * this.#noise()) * level
    return this.#filters.reduce((sum, filter, nth) => sum + filter(voice, vowel[nth] ?? 500) / (nth + 1), 0)
  }
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

type Resonator = (input: number, frequency: number) => number

/** A two-pole filter that rings at a frequency that may move. */
function resonator(rate: number, bandwidth: number): Resonator {
  const decay = Math.exp((-Math.PI * bandwidth) / rate)
  let [last, before, tuned, turn] = [0, 0, Number.NaN, 0]
  return (input, frequency) => {
    if (frequency !== tuned) turn = 2 * decay * Math.cos((2 * Math.PI * frequency) / rate)
    tuned = frequency
    const output = input + turn * last - decay * decay * before
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
