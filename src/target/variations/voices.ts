import { set, around, several, remembering } from '#target/overrides/operators'
import type { Variation } from '../deviation.ts'
import type { Voices } from '../behaviour/voices.ts'
import type { WavFacts } from '../files/wav.ts'
import { isWire, without, objectAt } from '../wire.ts'
import { variationsOf } from './table.ts'
import { byAge } from './voice-ages.ts'

/** Refuses samples whose WAV is found wanting. */
const demand =
  (wanting: (wav: WavFacts) => boolean) =>
  ({ voices }: { voices: Voices }): void => {
    voices.unfit = ({ wav }) => wav !== undefined && wanting(wav)
  }

/** "Clone sample requirements" may be checked or not, and by which code is not said. */
const sampleVariations = variationsOf({
  'samples-short-refused §4.3: A sample of less than five seconds is refused.': demand(({ seconds }) => seconds < 5),
  'samples-coarse-refused §4.3: A sample of less than 16 kHz, of other than 16 bits, or of more than two channels is refused.':
    demand(({ rate, bits, channels }) => rate < 16_000 || bits !== 16 || channels > 2),
  'samples-silent-refused §4.3: A sample in which nothing can be heard is refused.': demand(({ audible }) => !audible),
  'samples-of-three-types §4.3: A sample must be WAV, MP3 or M4A.': set(
    'voices.unfit',
    ({ detected }) => !['audio/wav', 'audio/mpeg', 'audio/mp4'].includes(detected),
  ),
  'samples-refused-with-30004 §7: A sample that is too long or unfit is an invalid argument.': several(
    set('validations.clone.sample-too-long.code', '30004'),
    set('validations.clone.sample-unfit.code', '30004'),
  ),
})

/** How far the list is behind. */
const LATE_MS = 1_200

/** What a clone may ask besides, and how it says so. */
const cloneVariations = variationsOf({
  'clones-empty-is-missing §7: An empty name or file id is a missing one.': several(
    set('validations.clone.name-empty.code', '20003'),
    set('validations.clone.file-id-empty.code', '20003'),
  ),
  'clones-empty-language-refused §4.3: A language that is sent must be one of the codes, so that the empty string is none.':
    around(
      'validations.clone.language-unknown.broken',
      (broken) => (input) => input.body['language'] === '' || broken(input),
    ),
  'clones-names-in-utf16 §8: A name is counted in UTF-16 units.': set('voices.nameLength', (name) => name.length),
  'clones-names-in-graphemes §8: A name is counted in characters as they are seen.': around('voices.nameLength', () => {
    const segmenter = new Intl.Segmenter('en')
    return (name) => Array.from(segmenter.segment(name)).length
  }),
  'clones-names-unique §4.3: No two voices of a workspace have the same name.': set('voices.taken', (name, own) =>
    [...own].some((voice) => voice.name === name),
  ),
  'clones-names-of-three-bytes §7: A name with a character that UTF-8 writes in four bytes is an invalid one.': set(
    'voices.taken',
    (name) => /[\u{10000}-\u{10ffff}]/u.test(name),
  ),
  'clones-broken-json-30004 §7: A clone that is no JSON object is an invalid argument.': set(
    'validations.clone.body-not-object.code',
    '30004',
  ),
  'clones-slow §4.3: A clone takes a second and a half.': set('voices.cloneMs', 1500),
})

/** How voices are shown. */
const shownVariations = variationsOf({
  'voices-public-first §4.3: Public voices come before own ones, and own ones newest first.': set(
    'voices.list',
    (own, shared) => ({ voices: [...shared, ...own.toReversed()] }),
  ),
  'voices-public-many §4.3: There are three hundred public voices, in all languages.': ({ voices }) => {
    const { languages } = voices
    voices.public = Array.from({ length: 300 }, (_, place) => ({
      id: `voice_${String(place + 1).padStart(4, '0')}`,
      name: place % 50 === 0 ? '' : `Public voice ${place + 1}`,
      language: languages[place % (languages.length + 1)] ?? '',
    }))
  },
  'voice-lists-late §4.3: List Voices is more than a second behind clones (nothing promises read-after-write).': byAge(
    (ageOf) =>
      around(
        'voices.finds',
        (finds) => (voice, operation) =>
          finds(voice, operation) && (operation !== 'list-voices' || ageOf(voice.id) >= LATE_MS),
      ),
  ),
  'voices-ids-odd §2.8: After its prefix a voice id holds characters that a URL must escape.': set(
    'voices.id',
    (random) => `voice_${random.hex(6)}:x+y z=/${random.hex(6)}`,
  ),
  'voices-extra-fields §9: Voices tell more than the spec knows of.': ({ voices }) => {
    for (const fields of [voices.cloned, voices.shared]) {
      fields['provider'] = () => 'builtin'
      fields['preview_url'] = () => null
      fields['labels'] = () => ({ gender: 'female', age: 30 })
    }
    voices.cloned['status'] = () => 'ready'
    voices.cloned['file_id'] = ({ file }) => file.id
    voices.list = (own, shared) => ({ voices: [...own, ...shared], total: own.length + shared.length })
  },
})

/** What Create Session makes of a voice id. */
const usedVariations = variationsOf({
  'voice-ids-unchecked §2.6: Create Session takes any voice id; only speech would tell.': ({ validations }) => {
    for (const validation of Object.values(validations.usedVoices)) validation.broken = () => false
  },
  'voice-ids-unknown-taken §2.6: Create Session takes an unknown voice id for one of a provider, whatever it looks like.':
    set('voices.passesUnknown', () => true),
  'voice-ids-unknown-refused §2.6: Create Session takes no voice id that it does not know.': set(
    'voices.passesUnknown',
    () => false,
  ),
  'pipeline-shown §9: A session shows its pipeline, the provider key left out.': remembering(() => {
    const shown = (pipeline: unknown): unknown =>
      isWire(pipeline)
        ? { ...pipeline, tts_config: without(objectAt(pipeline, 'tts_config'), 'tts_api_key') }
        : undefined
    return [
      set('views.created.pipeline_config', ({ plan }) => shown(plan.pipeline)),
      set('views.replayed.pipeline_config', ({ plan }) => shown(plan.pipeline)),
    ]
  }),
})

/** What 2.6, 2.8 and 4.3 leave open of voices. */
export const voiceVariations: readonly Variation[] = [
  ...sampleVariations,
  ...cloneVariations,
  ...shownVariations,
  ...usedVariations,
]
