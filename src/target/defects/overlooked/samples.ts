import { rule } from '#target/behaviour/rules/rule'
import { demand } from '#target/behaviour/rules/waive'
import { textOf, type Wire } from '#target/wire'
import { defectsOf } from '../table.ts'

/** Files, samples and voices that are honest but not the usual ones (4.3). */
const files = defectsOf('audio-files', {
  'upload.wav-accepted~no-extension': [
    'A file whose name has no extension is refused.',
    ({ rules }) => {
      const table: Record<string, (typeof rules.upload)['file-missing']> = rules.upload
      demand(table, 'no-extension', {
        ...rule('4.3', 'file', ({ part }) => part?.filename !== undefined && !part.filename.includes('.')),
        code: '20008',
      })
    },
  ],
  'code-20007.too-large~chunked': [
    'The maximum holds only for bodies with a Content-Length.',
    ({ files: own }) => {
      const { measured } = own
      own.measured = (part, formBytes, headers) =>
        headers?.['content-length'] === undefined ? 0 : measured(part, formBytes, headers)
    },
  ],
})

const voices = defectsOf('voices', {
  'clone.language-unlisted-rejected~upper-case': [
    'Language codes in upper case are taken.',
    ({ rules }) => {
      const { broken } = rules.clone['language-unknown']
      rules.clone['language-unknown'].broken = (input) =>
        broken({ ...input, body: { ...input.body, language: textOf(input.body['language'])?.toLowerCase() } })
    },
  ],
  'code-20003.name-missing~both': [
    'A clone without name and file_id is answered with 20004.',
    ({ rules }) => {
      const none = ({ body }: { body: Wire }): boolean => body['name'] === undefined && body['file_id'] === undefined
      for (const id of ['name-missing', 'file-id-missing'] as const) {
        const { broken } = rules.clone[id]
        rules.clone[id].broken = (input) => broken(input) && !none(input)
      }
      const table: Record<string, (typeof rules.clone)['name-missing']> = rules.clone
      demand(table, 'both-missing', { ...rule('4.3', 'name', none), code: '20004' })
    },
  ],
  'clone.stereo-sample-accepted~length': [
    'The length of stereo samples is counted twice.',
    ({ voices: own }) => {
      own.tooLong = ({ wav }, maximum) => (wav?.seconds ?? 0) * (wav?.channels ?? 1) > maximum
    },
  ],
  'sample.61-seconds-rejected~stereo': [
    'The length of stereo samples is halved.',
    ({ voices: own }) => {
      own.tooLong = ({ wav }, maximum) => (wav?.seconds ?? 0) / (wav?.channels ?? 1) > maximum
    },
  ],
})

const keys = defectsOf('authentication', {
  'invalid-key.near-miss~case': [
    'Keys are compared without regard to case.',
    ({ access }) => {
      access.accountOf = (secret, accounts) =>
        accounts.find((account) => account.secret.toLowerCase() === secret.toLowerCase())
    },
  ],
})

export const overlookedSampleDefects = [...files, ...voices, ...keys]
