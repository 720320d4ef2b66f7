import type { Override } from '#target/behaviour/behaviour'
import { validation } from '#target/behaviour/validations/input-validation'
import type { CloneInput } from '#target/behaviour/validations/voices'
import { LANGUAGES } from '#target/behaviour/voices'
import { add, around, drop, except, set } from '#target/overrides/operators'
import { failsOver, recodeWhere } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'
import { languageOf } from '../tools/voices.ts'

/** Another code for what belongs to another workspace. */
const unseen = (code: '10009' | '20004', operation: string): Override =>
  around('access.unseen', (old) => (asked) => (asked === operation ? code : old(asked)))

/** A language of the list that the service lacks. */
const lacking = (language: string): Override =>
  set(
    'voices.languages',
    LANGUAGES.filter((one) => one !== language),
  )

const lacksBoth = ({ body }: CloneInput): boolean => body['name'] === undefined && body['file_id'] === undefined

export const code20003Defects = defectsOf('voices.code-20003', {
  'name-missing: A missing name is an invalid one.': set('validations.clone.name-missing.code', '20004'),
  'name-missing~both: A clone without name and file_id is answered with 20004.': [
    except('validations.clone', ['name-missing', 'file-id-missing'], lacksBoth),
    add('validations.clone', 'both-missing', validation('4.3', 'name', lacksBoth, '20004')),
  ],
  'file-id-missing~failure: The service fails over a missing file id.': failsOver(
    'validations.clone',
    'file-id-missing',
  ),
  'file-id-missing: A missing file id is one that is not found.': set(
    'validations.clone.file-id-missing.code',
    '20005',
  ),
})

export const code20004Defects = defectsOf('voices.code-20004', {
  'language-unlisted: An unknown language is an invalid argument.': recodeWhere(
    'validations.clone',
    'language-unknown',
    '30004',
    (input) => !(languageOf(input) ?? '').includes('-'),
  ),
  'language-with-region: A language with a region is not found.': recodeWhere(
    'validations.clone',
    'language-unknown',
    '20005',
    (input) => (languageOf(input) ?? '').includes('-'),
  ),
  'name-too-long: A name that is too long is a missing one.': set('validations.clone.name-too-long.code', '20003'),
})

export const code20005Defects = defectsOf('voices.code-20005', {
  'file-unknown: An unknown file is an invalid parameter.': set('validations.clone.file-unknown.code', '20004'),
  'file-unknown~malay: Malay is no language of a voice.': lacking('ms'),
  "voice-of-other-workspace: Another workspace's voice is one that the key was not granted.": unseen(
    '10009',
    'get-voice',
  ),
  'voice-unknown: An unknown voice is an invalid parameter.': set('voices.unknown', '20004'),
  "file-of-other-workspace: Another workspace's file is an invalid parameter.": recodeWhere(
    'validations.clone',
    'file-unknown',
    '20004',
    ({ hidden }) => hidden,
  ),
  'file-of-other-workspace~arabic: Arabic is no language of a voice.': lacking('ar'),
})

export const code30007Defects = defectsOf('voices.code-30007', {
  'provider-failed: A provider that fails is an invalid argument.': set(
    'validations.clone.provider-failed.code',
    '30004',
  ),
  'provider-failed~hidden: A provider that fails is taken for one that works.': drop(
    'validations.clone',
    'provider-failed',
  ),
  'provider-failed~indonesian: Indonesian is no language of a voice.': lacking('id'),
  'status-502: A provider that fails is told with 503.': set('http.statuses.30007', 503),
  'status-502~ok: A provider that fails is told with 200.': set('http.statuses.30007', 200),
  'makes-nothing: A voice whose provider failed is listed.': set('voices.makesRefused', (code) => code === '30007'),
})
