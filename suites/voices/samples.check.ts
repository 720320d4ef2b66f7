import type { FormPart } from '#client/types'
import type { RequirementId } from '#spec/register'
import { medium } from '#media/media'
import { speech } from '#media/speech'
import { stereo, wav } from '#media/wav'
import { acceptance } from '#scenario/author/expectation'
import { scenario } from '#scenario/author/scenario'
import { accepted, any } from '#trace/conditions'
import { clone, sampleOf, upload } from './library.ts'

const rate = 16_000

interface Sample {
  readonly row: RequirementId
  readonly part: () => FormPart
}

/** Samples that meet all of what 4.3 asks for. Each leaves a voice behind. Two channels do not make twice the length. */
const samples = [
  {
    row: 'voices.clone.mp3-sample-accepted',
    part: () => sampleOf('speech.mp3', 'audio/mpeg', medium('speech.mp3')),
  },
  {
    row: 'voices.clone.stereo-sample-accepted',
    part: () => sampleOf('stereo.wav', 'audio/wav', wav(stereo(speech(35, rate)), { rate, channels: 2 })),
  },
  {
    row: 'voices.sample.59-seconds-accepted',
    part: () => sampleOf('minute.wav', 'audio/wav', wav(speech(59, rate), { rate })),
  },
] as const satisfies readonly Sample[]

/** Samples that a service may refuse; the words are those of the choices that they show. */
const borderline = [
  { word: 'short', part: () => sampleOf('short.wav', 'audio/wav', medium('short.wav')) },
  { word: 'ogg', part: () => sampleOf('silence.ogg', 'audio/ogg', medium('silence.ogg')) },
]

export const honestSamples = scenario({
  id: 'voices.samples',
  tier: 'full',
  needs: { abilities: ['voices', 'audio_files'] },
  claims: samples.map(({ row }) => row),
  price: { requests: { primary: 2 * samples.length + 2 * borderline.length } },
  async drive(c) {
    const numbered = samples.map((sample) => ({ ...sample, exchange: c.exchange() }))
    // A service may look for speech (4.3), and find none in any of these.
    const heard = any(...numbered.map(({ exchange }) => accepted(exchange)))
    for (const { row, part, exchange } of numbered) {
      const file_id = await upload(c, part())
      await clone(c, { name: c.id('voice'), file_id }, { exchange, expect: acceptance(row, { onlyIf: [heard] }) })
    }
    for (const { word, part } of borderline) {
      const file_id = await upload(c, part())
      await clone(c, { name: c.id(word), file_id })
    }
  },
})
