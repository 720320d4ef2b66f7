import type { Override } from '#target/behaviour/behaviour'
import type { CloneInput } from '#target/behaviour/validations/voices'
import { LANGUAGES } from '#target/behaviour/voices'
import { change, omit, put } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { add, around, drop, except, remembering, set } from '#target/overrides/operators'
import type { Voice } from '#target/voices/voice'
import { textOf } from '#target/wire'
import { defectsOf } from '../tools/table.ts'
import { languageOf, upperCase } from '../tools/voices.ts'

/** Refuses clones that the spec accepts. */
const refuse = (broken: (input: CloneInput) => boolean): Override =>
  add('validations.clone', 'refused-by-defect', { section: '4.3', param: 'body', broken, code: '20004' })

/** Takes languages that are none of the codes. */
const takeLanguages = (fits: (value: string) => boolean): Override =>
  except('validations.clone', 'language-unknown', (input) => fits(languageOf(input) ?? ''))

export const cloneDefects = defectsOf('voices.clone', {
  'refused-makes-nothing: A clone with an invalid parameter is refused, and made.': set(
    'voices.makesRefused',
    (code) => code === '20004',
  ),
  'refused-makes-nothing~20003: A clone that lacks its file makes a voice.': set(
    'voices.makesRefused',
    (code) => code === '20003',
  ),
  'refused-makes-nothing~nameless: A clone that lacks its name is refused, and makes a voice without one.': set(
    'voices.makesRefused',
    (code, body) => code === '20003' && body['name'] === undefined,
  ),
  'refused-makes-nothing~keyless: A clone without a key is refused, and made.': set(
    'access.actsFirst',
    (operation, credential) => operation === 'clone-voice' && credential === undefined,
  ),
  'refused-makes-nothing~wrong-key: A clone with a wrong key is refused, and made.': remembering(() => {
    const good = new Set<string>()
    return [
      around('access.accountOf', (accountOf) => (secret, accounts, sessions, operation) => {
        for (const account of accounts) good.add(account.secret)
        return accountOf(secret, accounts, sessions, operation)
      }),
      set(
        'access.actsFirst',
        (operation, credential) =>
          operation === 'clone-voice' && credential !== undefined && good.size > 0 && !good.has(credential),
      ),
    ]
  }),
  'refused-makes-nothing~file: A clone of an unknown file is refused, and made.': set(
    'voices.makesRefused',
    (code) => code === '20005',
  ),
  'language-unlisted-rejected: Any language of two or three letters is taken.': takeLanguages((one) =>
    /^[a-z]{2,3}$/u.test(one),
  ),
  'language-unlisted-rejected~upper-case: Language codes in upper case are taken.': around(
    'validations.clone.language-unknown.broken',
    (broken) => (input) =>
      broken({ ...input, body: { ...input.body, language: textOf(input.body['language'])?.toLowerCase() } }),
  ),
  'stereo-sample-accepted: A sample must be mono.': refuse(({ file }) => file?.wav?.channels === 2),
  'stereo-sample-accepted~length: The length of stereo samples is counted twice.': set(
    'voices.tooLong',
    ({ wav }, maximum) => (wav?.seconds ?? 0) * (wav?.channels ?? 1) > maximum,
  ),
  'language-returned: A clone shows its language in capitals.': onData('clone-voice', change('language', upperCase)),
  'language-returned~two-letters: Language codes are cut to two letters: `fil` comes back as `fi`.': set(
    'voices.cloned.language',
    ({ language }) => (language ?? '').slice(0, 2),
  ),
  'language-returned~default: Every clone is English.': set('voices.cloned.language', ({ language }) =>
    language === undefined ? '' : 'en',
  ),
  'voice-ids-distinct: Every voice has the same id.': set('voices.id', () => 'voice_0001'),
  'voice-ids-distinct~same-file: A second clone of a file returns the first voice.': ({ voices }) => {
    const firsts = new Map<string, Voice>()
    const first = (voice: Voice): Voice => {
      const known = firsts.get(voice.file.id) ?? voice
      firsts.set(voice.file.id, known)
      return known
    }
    for (const [name, field] of Object.entries(voices.cloned)) voices.cloned[name] = (voice) => field(first(voice))
    voices.finds = (voice) => first(voice) === voice
  },
  'name-returned: A clone shows its name in capitals.': onData('clone-voice', change('name', upperCase)),
  'name-returned~blanks: Several blanks in a row become one in a name.': set('voices.cloned.name', ({ name }) =>
    name.replaceAll(/ {2,}/gu, ' '),
  ),
  'name-returned~cut: A name keeps its first hundred characters.': set('voices.cloned.name', ({ name }) =>
    name.slice(0, 100),
  ),
  'name-returned~ascii: A name loses its accents.': set('voices.cloned.name', ({ name }) =>
    name.replaceAll(/[^ -~]/gu, '?'),
  ),
  'name-returned~wide: A name loses what UTF-8 writes in four bytes, which a store of three cannot hold.': set(
    'voices.cloned.name',
    ({ name }) => name.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''),
  ),
  'language-optional: A clone without a language is refused.': refuse((input) => languageOf(input) === undefined),
  'language-optional~refused-before: A file is not found any more once a clone of it was refused.': remembering(() => {
    const burned = new Set<string>()
    let named = ''
    return [
      around('voices.fileOf', (fileOf) => (id, files) => {
        named = id
        return burned.has(id) ? undefined : fileOf(id, files)
      }),
      set('voices.makesRefused', (code) => {
        if (code !== '20005') burned.add(named)
        return false
      }),
    ]
  }),
  'accepted: A clone with a language is refused.': refuse((input) => languageOf(input) !== undefined),
  'accepted~every: No sample is good enough.': set('voices.unfit', () => true),
  'accepted~wav: A WAV is no sample.': refuse(
    ({ file, body }) => file?.wav !== undefined && body['language'] !== undefined,
  ),
  'mp3-sample-accepted: A sample must be a WAV.': refuse(({ file }) => file?.detected === 'audio/mpeg'),
  'language-in-capitals-rejected: A code in capitals is taken for the same in small letters.': [
    around(
      'validations.clone.language-unknown.broken',
      (broken) => (input) =>
        broken({ ...input, body: { ...input.body, language: textOf(input.body['language'])?.toLowerCase() } }),
    ),
    around('voices.cloned.language', (language) => (voice) => textOf(language?.(voice))?.toLowerCase()),
  ],
  'language-with-region-rejected: A region after a language is overlooked.': takeLanguages((one) =>
    LANGUAGES.includes(one.split(/[-_]/u)[0] ?? ''),
  ),
  'language-with-region-rejected~prefix: A language counts by its beginning.': takeLanguages((one) =>
    LANGUAGES.some((code) => one.startsWith(`${code}-`)),
  ),
  'name-required: A voice needs no name.': drop('validations.clone', 'name-missing'),
  'name-required~default: A voice without a name is called after its file.': [
    drop('validations.clone', 'name-missing'),
    set('voices.cloned.name', ({ name, file }) => name || file.id),
  ],
  'file-id-required: A voice needs no sample.': drop('validations.clone', 'file-id-missing'),
  'file-id-required~latest: A clone without a file takes the latest.': [
    drop('validations.clone', 'file-id-missing'),
    around('voices.fileOf', (fileOf) => (id, files) => (id === '' ? [...files.values()].at(-1) : fileOf(id, files))),
  ],
  'file-unknown-rejected: Any file id will do.': drop('validations.clone', 'file-unknown'),
  'file-unknown-rejected~shaped: Any file id of the right shape will do.': except(
    'validations.clone',
    'file-unknown',
    (input) => String(input.body['file_id']).startsWith('file_aud_'),
  ),
  'body-not-json-rejected: A clone that is no JSON makes a voice without a name.': drop(
    'validations.clone',
    'body-not-object',
  ),
  'result-object: A clone is answered with a list.': onData('clone-voice', (data) => [data]),
  'result-object~id-alone: A clone is answered with its id alone.': onData('clone-voice', (data) => data['voice_id']),
  'voice-id-string: A clone has no id.': onData('clone-voice', omit('voice_id')),
  'voice-id-string~number: A clone has a number as id.': onData('clone-voice', put('voice_id', 17)),
  'voice-id-shaped: A voice id begins with `vc_`.': set('voices.id', (random) => `vc_${random.hex(16)}`),
  'voice-id-shaped~hyphen: A voice id begins with `voice-`.': set('voices.id', (random) => `voice-${random.hex(16)}`),
  'language-empty-when-omitted: A clone without a language is English.': set(
    'voices.cloned.language',
    ({ language }) => language ?? 'en',
  ),
  'language-empty-when-omitted~null: The language of a clone without one is null.': set(
    'voices.cloned.language',
    ({ language }) => language ?? null,
  ),
  'language-empty-when-omitted~missing: A clone without a language shows none.': set(
    'voices.cloned.language',
    ({ language }) => language,
  ),
  ...Object.fromEntries(
    LANGUAGES.map((code) => [
      `language-${code}-accepted: \`${code}\` is no known language.`,
      around('voices.languages', (languages) => languages.filter((one) => one !== code)),
    ]),
  ),
  'language-unlisted-rejected~capitals: Languages are compared without regard to case.': except(
    'validations.clone',
    'language-unknown',
    (input) => LANGUAGES.includes(languageOf(input)?.toLowerCase() ?? ''),
  ),
  'refused-makes-nothing~language: A clone that is refused for its language makes its voice.': set(
    'voices.makesRefused',
    (code) => code === '20004',
  ),
})
