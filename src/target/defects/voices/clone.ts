import type { Behaviour } from '#target/behaviour/behaviour'
import type { CloneInput } from '#target/behaviour/rules/voices'
import { demand, waive } from '#target/behaviour/rules/waive'
import { LANGUAGES } from '#target/behaviour/voices'
import { textOf } from '#target/wire'
import { recodeWhere } from '../recode.ts'
import { type DefectEntry, defectsOf } from '../table.ts'

const language = (input: CloneInput): string | undefined => textOf(input.body['language'])

/** Refuses clones that the spec accepts. */
const refuse = ({ rules }: Behaviour, broken: (input: CloneInput) => boolean): void =>
  demand(rules.clone, 'refused-by-defect', { section: '4.3', param: 'body', broken, code: '20004' })

/** Takes languages that are none of the codes. */
const takeLanguages = ({ rules }: Behaviour, fits: (value: string) => boolean): void => {
  const rule = rules.clone['language-unknown']
  const { broken } = rule
  rule.broken = (input) => broken(input) && !fits(language(input) ?? '')
}

const languageDefects = Object.fromEntries(
  LANGUAGES.map((code): [string, DefectEntry] => [
    `clone.language-${code}-accepted`,
    [
      `\`${code}\` is no known language.`,
      ({ voices }) => void (voices.languages = voices.languages.filter((one) => one !== code)),
    ],
  ]),
)

const acceptedDefects: Record<string, DefectEntry> = {
  'clone.accepted': ['A clone with a language is refused.', (b) => refuse(b, (input) => language(input) !== undefined)],
  'clone.accepted~every': ['No sample is good enough.', ({ voices }) => void (voices.unfit = () => true)],
  'clone.accepted~wav': [
    'A WAV is no sample.',
    (b) => refuse(b, ({ file, body }) => file?.wav !== undefined && body['language'] !== undefined),
  ],
  'clone.language-optional': [
    'A clone without a language is refused.',
    (b) => refuse(b, (input) => language(input) === undefined),
  ],
  'clone.mp3-sample-accepted': [
    'A sample must be a WAV.',
    (b) => refuse(b, ({ file }) => file?.detected === 'audio/mpeg'),
  ],
  'clone.stereo-sample-accepted': ['A sample must be mono.', (b) => refuse(b, ({ file }) => file?.wav?.channels === 2)],
  'name.128-characters-accepted': [
    'A name may have 127 characters.',
    ({ limits }) => void (limits.voiceNameCharacters = 127),
  ],
  'name.counted-in-characters': [
    'A name may have 128 bytes.',
    ({ voices }) => void (voices.nameLength = (name) => Buffer.byteLength(name)),
  ],
  'name.counted-in-characters~encoded': [
    'A name is counted as a URL would write it.',
    ({ voices }) => void (voices.nameLength = (name) => encodeURIComponent(name).length),
  ],
  'sample.59-seconds-accepted': ['A sample may last thirty seconds.', ({ limits }) => void (limits.sampleSeconds = 30)],
}

const refusedDefects: Record<string, DefectEntry> = {
  'clone.language-unlisted-rejected': [
    'Any language of two or three letters is taken.',
    (b) => takeLanguages(b, (one) => /^[a-z]{2,3}$/u.test(one)),
  ],
  'clone.language-with-region-rejected': [
    'A region after a language is overlooked.',
    (b) => takeLanguages(b, (one) => LANGUAGES.includes(one.split(/[-_]/u)[0] ?? '')),
  ],
  'clone.language-with-region-rejected~prefix': [
    'A language counts by its beginning.',
    (b) => takeLanguages(b, (one) => LANGUAGES.some((code) => one.startsWith(`${code}-`))),
  ],
  'clone.name-required': ['A voice needs no name.', ({ rules }) => waive(rules.clone, 'name-missing')],
  'clone.name-required~default': [
    'A voice without a name is called after its file.',
    (b) => {
      waive(b.rules.clone, 'name-missing')
      b.voices.cloned['name'] = ({ name, file }) => name || file.id
    },
  ],
  'clone.file-id-required': ['A voice needs no sample.', ({ rules }) => waive(rules.clone, 'file-id-missing')],
  'clone.file-id-required~latest': [
    'A clone without a file takes the latest.',
    ({ rules, voices }) => {
      waive(rules.clone, 'file-id-missing')
      const { fileOf } = voices
      voices.fileOf = (id, files) => (id === '' ? [...files.values()].at(-1) : fileOf(id, files))
    },
  ],
  'clone.file-unknown-rejected': ['Any file id will do.', ({ rules }) => waive(rules.clone, 'file-unknown')],
  'clone.file-unknown-rejected~shaped': [
    'Any file id of the right shape will do.',
    (b) => {
      const rule = b.rules.clone['file-unknown']
      const { broken } = rule
      rule.broken = (input) => broken(input) && !String(input.body['file_id']).startsWith('file_aud_')
    },
  ],
  'clone.body-not-json-rejected': [
    'A clone that is no JSON makes a voice without a name.',
    ({ rules }) => waive(rules.clone, 'body-not-object'),
  ],
  'clone.refused-makes-nothing': [
    'A clone with an invalid parameter is refused, and made.',
    ({ voices }) => void (voices.makesRefused = (code) => code === '20004'),
  ],
  'clone.refused-makes-nothing~file': [
    'A clone of an unknown file is refused, and made.',
    ({ voices }) => void (voices.makesRefused = (code) => code === '20005'),
  ],
  'name.129-characters-rejected': ['A name may have any length.', ({ rules }) => waive(rules.clone, 'name-too-long')],
  'name.129-characters-rejected~one-more': [
    'A name may have 129 characters.',
    ({ limits }) => void (limits.voiceNameCharacters = 129),
  ],
  'sample.61-seconds-rejected': ['A sample may last for ever.', ({ rules }) => waive(rules.clone, 'sample-too-long')],
  'sample.61-seconds-rejected~minutes': [
    'The length of a sample is compared in whole minutes.',
    ({ voices }) => void (voices.tooLong = ({ wav }, maximum) => Math.floor((wav?.seconds ?? 0) / 60) * 60 > maximum),
  ],
  'sample.61-seconds-rejected~44100': [
    'The length of a sample is counted at 44,100 samples a second.',
    ({ voices }) => {
      voices.tooLong = ({ wav }, maximum) => wav !== undefined && (wav.seconds * wav.rate) / 44_100 > maximum
    },
  ],
}

const codeDefects: Record<string, DefectEntry> = {
  'code-20003.name-missing': [
    'A missing name is an invalid one.',
    ({ rules }) => void (rules.clone['name-missing'].code = '20004'),
  ],
  'code-20003.file-id-missing': [
    'A missing file id is one that is not found.',
    ({ rules }) => void (rules.clone['file-id-missing'].code = '20005'),
  ],
  'code-20004.language-unlisted': [
    'An unknown language is an invalid argument.',
    (b) => recodeWhere(b.rules.clone, 'language-unknown', '30004', (input) => !(language(input) ?? '').includes('-')),
  ],
  'code-20004.language-with-region': [
    'A language with a region is not found.',
    (b) => recodeWhere(b.rules.clone, 'language-unknown', '20005', (input) => (language(input) ?? '').includes('-')),
  ],
  'code-20004.name-too-long': [
    'A name that is too long is a missing one.',
    ({ rules }) => void (rules.clone['name-too-long'].code = '20003'),
  ],
  'code-20005.file-unknown': [
    'An unknown file is an invalid parameter.',
    ({ rules }) => void (rules.clone['file-unknown'].code = '20004'),
  ],
  'code-30007.provider-failed': [
    'A provider that fails is an invalid argument.',
    ({ rules }) => void (rules.clone['provider-failed'].code = '30004'),
  ],
  'code-30007.provider-failed~hidden': [
    'A provider that fails is taken for one that works.',
    ({ rules }) => waive(rules.clone, 'provider-failed'),
  ],
  'code-30007.status-502': [
    'A provider that fails is told with 503.',
    ({ http }) => void (http.statuses['30007'] = 503),
  ],
  'code-30007.status-502~ok': [
    'A provider that fails is told with 200.',
    ({ http }) => void (http.statuses['30007'] = 200),
  ],
  'code-30007.makes-nothing': [
    'A voice whose provider failed is listed.',
    ({ voices }) => void (voices.makesRefused = (code) => code === '30007'),
  ],
}

/** 4.3: what a clone takes and refuses. */
export const cloneDefects = defectsOf('voices', {
  ...languageDefects,
  ...acceptedDefects,
  ...refusedDefects,
  ...codeDefects,
})
