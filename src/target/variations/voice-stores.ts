import { add, around, remembering, set, several } from '#target/overrides/operators'
import type { CloneInput } from '../behaviour/validations/voices.ts'
import { validation } from '../behaviour/validations/input-validation.ts'
import { secondsStamp } from '../behaviour/files.ts'
import { variationsOf } from './table.ts'
import { byAge } from './voice-ages.ts'

const MOST_VOICES = 10
const TRAINING_MS = 1500
const BEHIND_MS = 5_400_000
const AHEAD_MS = 300_000
const YEAR_MS = 365 * 24 * 60 * 60_000

/** Where voices and files are kept, how they are counted, and when they are there. */
export const voiceStoreVariations = variationsOf({
  'voices-at-most-ten §4.3: A workspace has at most ten voices of its own (no bounds are given).': add(
    'validations.clone',
    'voices-many',
    {
      ...validation('4.3', 'voices', ({ own }: CloneInput) => own.length >= MOST_VOICES),
      code: '30004',
    },
  ),
  'voices-usable-late §4.3: A voice that was cloned is trained for a second and a half before a session may use it.':
    byAge((ageOf) =>
      around(
        'validations.usedVoices.voice-unknown.broken',
        (broken) => (input) => broken(input) || ageOf(input.id) < TRAINING_MS,
      ),
    ),
  'voice-ids-counted §2.8: Voices are numbered from one.': remembering(() => {
    let count = 0
    return set('voices.id', () => {
      count += 1
      return `voice_${count}`
    })
  }),
  'voices-public-grow §4.3: At each look there is one public voice more.': around('voices.list', (list) => {
    let count = 0
    return (own, shared) => {
      count += 1
      const fresh = Array.from({ length: count }, (_, place) => ({
        voice_id: `voice_public_${place}`,
        name: `Public ${place}`,
        language: 'en',
      }))
      return list(own, [...shared, ...fresh])
    }
  }),
  'files-clock-behind §2.8: Files are dated by a clock that is an hour and a half behind that of the `Date` header (whose clock counts is not said).':
    set('files.shown.created_at', ({ createdAt }) => secondsStamp(createdAt - BEHIND_MS)),
  'files-clock-ahead §2.8: Files are dated by a clock that is five minutes ahead of that of the `Date` header (whose clock counts is not said).':
    set('files.shown.created_at', ({ createdAt }) => secondsStamp(createdAt + AHEAD_MS)),
  'files-of-last-year §2.8: Whatever is uploaded was uploaded a year ago, and the file is that of then (the same bytes may be one file).':
    set('files.shown.created_at', ({ createdAt }) => secondsStamp(createdAt - YEAR_MS)),
  'files-tell-their-sound §9: Files tell the length and the rate of their sound, and where it is kept.': several(
    set('files.shown.duration_ms', ({ wav }) => (wav === undefined ? null : Math.round(wav.seconds * 1000))),
    set('files.shown.storage', () => ({ bucket: 'audios', file_id: 'internal-1' })),
  ),
})
