import type { FormPart } from '#client/types'
import type { RequirementId } from '#spec/register'
import { medium } from '#media/media'
import { speech } from '#media/speech'
import { stereo, wav } from '#media/wav'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, any } from '#trace/conditions'
import { clone, sampleOf, upload } from './library.ts'

const rate = 16_000

interface Sample {
  readonly row: RequirementId
  readonly part: () => FormPart
}

/** Samples that meet all of what 4.3 asks for. Each leaves a voice behind. Two channels do not make twice the length. */
const samples: readonly Sample[] = [
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
]

/** Samples that a service may refuse; the words are those of the choices that they show. */
const doubtful = [
  { word: 'short', part: () => sampleOf('short.wav', 'audio/wav', medium('short.wav')) },
  { word: 'ogg', part: () => sampleOf('silence.ogg', 'audio/ogg', medium('silence.ogg')) },
]

export const honestSamples: Scenario = {
  id: 'voices.samples',
  tier: 'full',
  needs: { abilities: ['voices', 'audio_files'] },
  proves: samples.map(({ row }) => row),
  price: { requests: { primary: 2 * samples.length + 2 * doubtful.length } },
  async drive(context) {
    const numbers = samples.map(() => context.exchange())
    // A service may look for speech (4.3), and find none in any of these.
    const heard = { given: [any(...numbers.map(accepted))], given_code: 'model_choice' } as const
    for (const [place, { row, part }] of samples.entries()) {
      const file_id = await upload(context, part())
      const exchange = numbers[place] ?? context.exchange()
      context.claim(row, accepted(exchange), heard)
      await clone(context, { name: context.id('voice'), file_id }, { exchange })
    }
    for (const { word, part } of doubtful) {
      const file_id = await upload(context, part())
      await clone(context, { name: context.id(word), file_id })
    }
  },
}
