import type { Behaviour } from '#target/behaviour/behaviour'
import type { SaveOperation, Unseen } from '#target/behaviour/characters/records'
import type { ErrorCode } from '#target/behaviour/codes'
import { defectsOf } from '../table.ts'
import { START } from './tools.ts'

type Override = (behaviour: Behaviour) => void
type Part = keyof Behaviour['rules']['character']

/** Another code for a fault of a save. */
const saveCode =
  (operation: SaveOperation, part: Part, id: string, code: ErrorCode): Override =>
  ({ rules }) => {
    const tables = operation === 'create-character' ? rules.character : rules.replacement
    const table: Record<string, { code?: ErrorCode }> = tables[part]
    const found = table[id]
    if (found === undefined) throw new Error(`no such rule: ${id}`)
    found.code = code
  }

/** Another code for a start's fault. */
const startCode =
  (id: keyof Behaviour['rules']['start']['session'], code: ErrorCode): Override =>
  ({ rules }) =>
    void (rules.start.session[id].code = code)

/** Another code for a character that is not found. */
const unseen =
  (operation: string, why: Unseen): Override =>
  ({ characters }) => {
    const { unseen: usual } = characters
    characters.unseen = (asked, reason) => (asked === operation && reason === why ? '20004' : usual(asked, reason))
  }

/** Another code of one operation. */
const recoded =
  (operation: string, from: ErrorCode, to: ErrorCode): Override =>
  ({ http }) => {
    const { coded } = http
    http.coded = (code, asked) => (code === from && asked === operation ? to : coded(code, asked))
  }

/** A fault of the output, told with another code where the mode is given or where it is not. */
const outputCode =
  (operation: SaveOperation, given: boolean): Override =>
  ({ rules }) => {
    const { session } = operation === 'create-character' ? rules.character : rules.replacement
    const rule = session['output-missing']
    const { broken } = rule
    const fits = (mode: unknown): boolean => (mode !== undefined) === given
    rule.broken = (input) => broken(input) && !fits(input.session['mode'])
    const told = { ...rule, code: '30004' as const }
    told.broken = (input) => broken(input) && fits(input.session['mode'])
    Object.assign(session, { 'output-missing-told-otherwise': told })
  }

function saveDefects(operation: SaveOperation) {
  const noun = operation === 'create-character' ? 'create' : 'replace'
  const texts = operation === 'create-character' ? 'A create' : 'A replace'
  return defectsOf('characters', {
    [`code-20004.${noun}-name-missing`]: [
      `${texts} without name is answered with 20003.`,
      saveCode(operation, 'name', 'name-missing', '20003'),
    ],
    [`code-20004.${noun}-json-invalid`]: [
      `${texts} that is no JSON is answered with 30004.`,
      ({ characters }) => {
        const { malformed } = characters
        characters.malformed = (asked) => (asked === operation ? '30004' : malformed(asked))
      },
    ],
    [`code-20012.${noun}-avatars-missing`]: [
      `${texts} without avatars is answered with 20013.`,
      saveCode(operation, 'avatars', 'avatars-missing', '20013'),
    ],
    [`code-20012.${noun}-avatars-empty`]: [
      `${texts} with empty avatars is answered with 20013.`,
      saveCode(operation, 'avatars', 'avatars-empty', '20013'),
    ],
    [`code-20013.${noun}-avatar-id-missing`]: [
      `${texts} with an avatar without id is answered with 20012.`,
      saveCode(operation, 'avatars', 'avatar-id-missing', '20012'),
    ],
    [`code-20013.${noun}-avatar-id-empty`]: [
      `${texts} with an empty avatar id is answered with 30004.`,
      saveCode(operation, 'avatars', 'avatar-id-empty', '30004'),
    ],
    [`code-20013.${noun}-avatar-id-duplicate`]: [
      `${texts} with an avatar id twice is answered with 30004.`,
      saveCode(operation, 'avatars', 'avatar-id-repeated', '30004'),
    ],
    [`code-20013.${noun}-active-avatar-unknown`]: [
      `${texts} with an unknown active avatar is answered with 20005.`,
      saveCode(operation, 'session', 'active-avatar-unknown', '20005'),
    ],
    [`code-20014.${noun}-output-missing`]: [
      `${texts} in video mode without output is answered with 30004.`,
      outputCode(operation, true),
    ],
    [`code-20014.${noun}-output-missing-default-mode`]: [
      `${texts} in the default mode without output is answered with 30004.`,
      outputCode(operation, false),
    ],
    [`code-30001.${noun}-moderated`]: [
      `${texts} that moderation refuses is answered with 20004.`,
      ({ characters }) => {
        const { rejected } = characters
        characters.rejected = (asked) => (asked === operation ? '20004' : rejected(asked))
      },
    ],
  })
}

const found = (noun: string, operation: string) =>
  defectsOf('characters', {
    [`code-20005.${noun}-unknown`]: [`An unknown id is answered with 20004 by ${noun}.`, unseen(operation, 'unknown')],
    [`code-20005.${noun}-deleted`]: [
      `A deleted character is answered with 20004 by ${noun}.`,
      unseen(operation, 'deleted'),
    ],
    [`code-20005.${noun}-of-other-workspace`]: [
      `A character of another workspace is answered with 20004 by ${noun}.`,
      unseen(operation, 'foreign'),
    ],
  })

const otherCodes = defectsOf('characters', {
  'code-20004.list-page-token-invalid': [
    'An invalid token is answered with 30004.',
    recoded('list-characters', '20004', '30004'),
  ],
  'code-30004.start-model-unsupported': [
    'A start with an unsupported model is answered with 20004.',
    startCode('model-unsupported', '20004'),
  ],
  'code-30004.start-output-unsupported': [
    'A start with an unsupported output is answered with 20014.',
    startCode('resolution-unsupported', '20014'),
  ],
  'code-30004.start-duration-unsupported': [
    'A start with a duration that is too short is answered with 20004.',
    (b) => {
      for (const id of ['duration-low', 'duration-zero', 'duration-negative', 'duration-high'] as const)
        startCode(id, '20004')(b)
    },
  ],
  'code-30008.start': ['A start beyond the capacity is answered with 30004.', recoded(START, '30008', '30004')],
})

export const characterCodeDefects = [
  ...saveDefects('create-character'),
  ...saveDefects('replace-character'),
  ...found('get', 'get-character'),
  ...found('replace', 'replace-character'),
  ...found('delete', 'delete-character'),
  ...found('start', START),
  ...otherCodes,
]
