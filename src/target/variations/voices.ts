import { set, around, several, remembering } from '#target/overrides/operators'
import type { Variation } from '../deviation.ts'
import type { Voices } from '../behaviour/voices.ts'
import type { WavFacts } from '../files/wav.ts'
import { isWire, without, objectAt } from '../wire.ts'

/** Refuses samples whose WAV is found wanting. */
const demand =
  (wanting: (wav: WavFacts) => boolean) =>
  ({ voices }: { voices: Voices }): void => {
    voices.unfit = ({ wav }) => wav !== undefined && wanting(wav)
  }

/** "Clone sample requirements" may be checked or not, and by which code is not said. */
const sampleVariations: readonly Variation[] = [
  {
    id: 'samples-short-refused',
    section: '4.3',
    text: 'A sample of less than five seconds is refused.',
    override: demand(({ seconds }) => seconds < 5),
  },
  {
    id: 'samples-coarse-refused',
    section: '4.3',
    text: 'A sample of less than 16 kHz, of other than 16 bits, or of more than two channels is refused.',
    override: demand(({ rate, bits, channels }) => rate < 16_000 || bits !== 16 || channels > 2),
  },
  {
    id: 'samples-silent-refused',
    section: '4.3',
    text: 'A sample in which nothing can be heard is refused.',
    override: demand(({ audible }) => !audible),
  },
  {
    id: 'samples-of-three-types',
    section: '4.3',
    text: 'A sample must be WAV, MP3 or M4A.',
    override: set('voices.unfit', ({ detected }) => !['audio/wav', 'audio/mpeg', 'audio/mp4'].includes(detected)),
  },
  {
    id: 'samples-refused-with-30004',
    section: '7',
    text: 'A sample that is too long or unfit is an invalid argument.',
    override: several(
      set('validations.clone.sample-too-long.code', '30004'),
      set('validations.clone.sample-unfit.code', '30004'),
    ),
  },
]

/** How far the list is behind. */
const LATE_MS = 1_200

/** What a clone may ask besides, and how it says so. */
const cloneVariations: readonly Variation[] = [
  {
    id: 'clones-empty-is-missing',
    section: '7',
    text: 'An empty name or file id is a missing one.',
    override: several(
      set('validations.clone.name-empty.code', '20003'),
      set('validations.clone.file-id-empty.code', '20003'),
    ),
  },
  {
    id: 'clones-empty-language-refused',
    section: '4.3',
    text: 'A language that is sent must be one of the codes, so that the empty string is none.',
    override: around(
      'validations.clone.language-unknown.broken',
      (broken) => (input) => input.body['language'] === '' || broken(input),
    ),
  },
  {
    id: 'clones-names-in-utf16',
    section: '8',
    text: 'A name is counted in UTF-16 units.',
    override: set('voices.nameLength', (name) => name.length),
  },
  {
    id: 'clones-names-in-graphemes',
    section: '8',
    text: 'A name is counted in characters as they are seen.',
    override: around('voices.nameLength', () => {
      const segmenter = new Intl.Segmenter('en')
      return (name) => Array.from(segmenter.segment(name)).length
    }),
  },
  {
    id: 'clones-names-unique',
    section: '4.3',
    text: 'No two voices of a workspace have the same name.',
    override: set('voices.taken', (name, own) => [...own].some((voice) => voice.name === name)),
  },
  {
    id: 'clones-broken-json-30004',
    section: '7',
    text: 'A clone that is no JSON object is an invalid argument.',
    override: set('validations.clone.body-not-object.code', '30004'),
  },
  {
    id: 'clones-slow',
    section: '4.3',
    text: 'A clone takes a second and a half.',
    override: set('voices.cloneMs', 1500),
  },
]

/** How voices are shown. */
const shownVariations: readonly Variation[] = [
  {
    id: 'voices-public-first',
    section: '4.3',
    text: 'Public voices come before own ones, and own ones newest first.',
    override: set('voices.list', (own, shared) => ({ voices: [...shared, ...own.toReversed()] })),
  },
  {
    id: 'voices-public-many',
    section: '4.3',
    text: 'There are three hundred public voices, in all languages.',
    override: ({ voices }) => {
      const { languages } = voices
      voices.public = Array.from({ length: 300 }, (_, place) => ({
        id: `voice_${String(place + 1).padStart(4, '0')}`,
        name: place % 50 === 0 ? '' : `Public voice ${place + 1}`,
        language: languages[place % (languages.length + 1)] ?? '',
      }))
    },
  },
  {
    id: 'voice-lists-late',
    section: '4.3',
    text: 'List Voices is more than a second behind clones (nothing promises read-after-write).',
    override: remembering(() => {
      const made = new Map<string, number>()
      return [
        around('voices.id', (id) => (random) => {
          const drawn = id(random)
          made.set(drawn, Date.now())
          return drawn
        }),
        around(
          'voices.finds',
          (finds) => (voice, operation) =>
            finds(voice, operation) &&
            (operation !== 'list-voices' || Date.now() - (made.get(voice.id) ?? 0) >= LATE_MS),
        ),
      ]
    }),
  },
  {
    id: 'voices-ids-odd',
    section: '2.8',
    text: 'After its prefix a voice id holds characters that a URL must escape.',
    override: set('voices.id', (random) => `voice_${random.hex(6)}:x+y z=/${random.hex(6)}`),
  },
  {
    id: 'voices-extra-fields',
    section: '9',
    text: 'Voices tell more than the spec knows of.',
    override: ({ voices }) => {
      for (const fields of [voices.cloned, voices.shared]) {
        fields['provider'] = () => 'builtin'
        fields['preview_url'] = () => null
        fields['labels'] = () => ({ gender: 'female', age: 30 })
      }
      voices.cloned['status'] = () => 'ready'
      voices.cloned['file_id'] = ({ file }) => file.id
      voices.list = (own, shared) => ({ voices: [...own, ...shared], total: own.length + shared.length })
    },
  },
]

/** What Create Session makes of a voice id. */
const usedVariations: readonly Variation[] = [
  {
    id: 'voice-ids-unchecked',
    section: '2.6',
    text: 'Create Session takes any voice id; only speech would tell.',
    override: ({ validations }) => {
      for (const validation of Object.values(validations.usedVoices)) validation.broken = () => false
    },
  },
  {
    id: 'voice-ids-unknown-taken',
    section: '2.6',
    text: 'Create Session takes an unknown voice id for one of a provider, whatever it looks like.',
    override: set('voices.passesUnknown', () => true),
  },
  {
    id: 'voice-ids-unknown-refused',
    section: '2.6',
    text: 'Create Session takes no voice id that it does not know.',
    override: set('voices.passesUnknown', () => false),
  },
  {
    id: 'pipeline-shown',
    section: '9',
    text: 'A session shows its pipeline, the provider key left out.',
    override: remembering(() => {
      const shown = (pipeline: unknown): unknown =>
        isWire(pipeline)
          ? { ...pipeline, tts_config: without(objectAt(pipeline, 'tts_config'), 'tts_api_key') }
          : undefined
      return [
        set('views.created.pipeline_config', ({ plan }) => shown(plan.pipeline)),
        set('views.replayed.pipeline_config', ({ plan }) => shown(plan.pipeline)),
      ]
    }),
  },
]

/** What 2.6, 2.8 and 4.3 leave open of voices. */
export const voiceVariations: readonly Variation[] = [
  ...sampleVariations,
  ...cloneVariations,
  ...shownVariations,
  ...usedVariations,
]
