import type { ErrorCode } from '#target/behaviour/codes'
import type { SaveOperation } from '#target/behaviour/characters/records'
import { type DefectEntry, defectsOf } from '../table.ts'

const START = 'create-session-from-character'
const CREATE = 'create-avatar-session'

/** A create that is refused with a code makes its session all the same. */
const makes = (code: ErrorCode, operation: string): DefectEntry => [
  `A ${operation === START ? 'start' : 'create'} that is refused with ${code} makes its session.`,
  ({ create }) => void (create.makesRefused = (refused, by) => refused === code && by === operation),
]

const leaks = (code: ErrorCode, operation: string): DefectEntry => [
  `A ${operation === START ? 'start' : 'create'} that is refused with ${code} takes a place of the cap.`,
  ({ quota, create }) => {
    quota.leaks = (refused, by) => refused === code && by === operation
    // Places are counted before the platform is asked.
    create.order = ['billing', 'permission', 'validation', 'idempotency', 'concurrency', 'capacity']
  },
]

const saves = (noun: 'create' | 'replace', ...codes: ErrorCode[]): DefectEntry => [
  `A ${noun} that is refused with ${codes.join(' or ')} is written.`,
  ({ characters }) => {
    const operation: SaveOperation = `${noun}-character`
    characters.writesRefused = (code, by) => by === operation && codes.includes(code)
  },
]

/** What a refusal leaves behind, for each code and each operation of its own. */
export const leftBehindDefects = [
  ...defectsOf('errors', {
    'envelope.nonzero-code-is-failure~create-30008': makes('30008', CREATE),
    'envelope.nonzero-code-is-failure~create-10004': makes('10004', CREATE),
    'envelope.nonzero-code-is-failure~create-10005': makes('10005', CREATE),
    'envelope.nonzero-code-is-failure~create-10009': makes('10009', CREATE),
    'envelope.nonzero-code-is-failure~start-30008': makes('30008', START),
    'envelope.nonzero-code-is-failure~start-10004': makes('10004', START),
    'envelope.nonzero-code-is-failure~start-10005': makes('10005', START),
    'envelope.nonzero-code-is-failure~start-10009': makes('10009', START),
  }),
  ...defectsOf('limits', {
    'concurrency.refused-create-makes-nothing~start': makes('30006', START),
    'concurrency.refused-create-holds-nothing~30008': leaks('30008', CREATE),
    'concurrency.refused-create-holds-nothing~start-30008': leaks('30008', START),
    'concurrency.refused-create-holds-nothing~30006': leaks('30006', CREATE),
    'concurrency.refused-create-holds-nothing~start-30006': leaks('30006', START),
    'concurrency.refused-create-holds-nothing~start-30004': leaks('30004', START),
    'concurrency.refused-create-holds-nothing~start-30004-session': makes('30004', START),
  }),
  ...defectsOf('voices', {
    'clone.refused-makes-nothing~20003': [
      'A clone that lacks its file makes a voice.',
      ({ voices }) => void (voices.makesRefused = (code) => code === '20003'),
    ],
  }),
  ...defectsOf('characters', {
    'create.refused-leaves-no-character~20012': saves('create', '20012'),
    'create.refused-leaves-no-character~20013': saves('create', '20013'),
    'create.refused-leaves-no-character~20014': saves('create', '20014'),
    'create.refused-leaves-no-character~30004': saves('create', '30004'),
    'replace.refused-changes-nothing~20012': saves('replace', '20012'),
    'replace.refused-changes-nothing~20013': saves('replace', '20013'),
    'replace.refused-changes-nothing~20014': saves('replace', '20014'),
    'replace.refused-changes-nothing~20004': saves('replace', '20004'),
    'replace.refused-changes-nothing~30004': saves('replace', '30004'),
  }),
]
