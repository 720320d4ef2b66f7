import type { Override } from '#target/behaviour/behaviour'
import type { Unseen } from '#target/behaviour/characters/records'
import type { ErrorCode } from '#target/behaviour/codes'
import type { Defect } from '#target/deviation'
import { around, except, set } from '#target/overrides/operators'
import { isWire, textOf, objectsAt } from '#target/wire'
import { START } from '../tools/characters.ts'
import { recodeWhere } from '../tools/refusals.ts'
import { defectsOf } from '../tools/table.ts'

/** Another code for a character that is not found. */
const unseen = (operation: string, why: Unseen): Override =>
  around(
    'characters.unseen',
    (usual) => (asked, reason) => (asked === operation && reason === why ? '20004' : usual(asked, reason)),
  )

/** Another code of one operation. */
const recoded = (operation: string, from: ErrorCode, to: ErrorCode): Override =>
  around('http.coded', (coded) => (code, asked) => (code === from && asked === operation ? to : coded(code, asked)))

/** What both saves refuse, told with another code. */
function savesTold(noun: 'create' | 'replace'): Defect[] {
  const validations = noun === 'create' ? 'validations.character' : 'validations.replacement'
  const operation = `${noun}-character`
  const output = (given: boolean): Override =>
    recodeWhere(
      `${validations}.session`,
      'output-missing',
      '30004',
      ({ session }) => (session['mode'] !== undefined) === given,
    )
  const a = `A ${noun}`
  return defectsOf('characters', {
    [`code-20004.${noun}-name-missing: ${a} without name is answered with 20003.`]: set(
      `${validations}.name.name-missing.code`,
      '20003',
    ),
    [`code-20004.${noun}-json-invalid: ${a} that is no JSON is answered with 30004.`]: around(
      'characters.malformed',
      (malformed) => (asked) => (asked === operation ? '30004' : malformed(asked)),
    ),
    [`code-20012.${noun}-avatars-missing: ${a} without avatars is answered with 20013.`]: set(
      `${validations}.avatars.avatars-missing.code`,
      '20013',
    ),
    [`code-20012.${noun}-avatars-empty: ${a} with empty avatars is answered with 20013.`]: set(
      `${validations}.avatars.avatars-empty.code`,
      '20013',
    ),
    [`code-20013.${noun}-avatar-id-missing: ${a} with an avatar without id is answered with 20012.`]: set(
      `${validations}.avatars.avatar-id-missing.code`,
      '20012',
    ),
    [`code-20013.${noun}-avatar-id-empty: ${a} with an empty avatar id is answered with 30004.`]: set(
      `${validations}.avatars.avatar-id-empty.code`,
      '30004',
    ),
    [`code-20013.${noun}-avatar-id-duplicate: ${a} with an avatar id twice is answered with 30004.`]: set(
      `${validations}.avatars.avatar-id-repeated.code`,
      '30004',
    ),
    [`code-20013.${noun}-active-avatar-unknown: ${a} with an unknown active avatar is answered with 20005.`]: set(
      `${validations}.session.active-avatar-unknown.code`,
      '20005',
    ),
    [`code-20014.${noun}-output-missing: ${a} in video mode without output is answered with 30004.`]: output(true),
    [`code-20014.${noun}-output-missing-default-mode: ${a} in the default mode without output is answered with 30004.`]:
      output(false),
    [`code-30001.${noun}-moderated: ${a} that moderation refuses is answered with 20004.`]: around(
      'characters.rejected',
      (rejected) => (asked) => (asked === operation ? '20004' : rejected(asked)),
    ),
  })
}

/** A character that is not found, told with another code by one operation. */
const notFoundTold = (noun: string, operation: string): Defect[] =>
  defectsOf('characters.code-20005', {
    [`${noun}-unknown: An unknown id is answered with 20004 by ${noun}.`]: unseen(operation, 'unknown'),
    [`${noun}-deleted: A deleted character is answered with 20004 by ${noun}.`]: unseen(operation, 'deleted'),
    [`${noun}-of-other-workspace: A character of another workspace is answered with 20004 by ${noun}.`]: unseen(
      operation,
      'foreign',
    ),
  })

export const savedCodeDefects = [...savesTold('create'), ...savesTold('replace')]

export const notFoundCodeDefects = [
  ...notFoundTold('get', 'get-character'),
  ...notFoundTold('replace', 'replace-character'),
  ...notFoundTold('delete', 'delete-character'),
  ...notFoundTold('start', START),
]

const lower = (value: unknown): string | undefined => textOf(value)?.toLowerCase()

export const code20004Defects = defectsOf('characters.code-20004', {
  'list-page-token-invalid: An invalid token is answered with 30004.': recoded('list-characters', '20004', '30004'),
})

export const code30004Defects = defectsOf('characters.code-30004', {
  'start-model-unsupported: A start with an unsupported model is answered with 20004.': set(
    'validations.start.session.model-unsupported.code',
    '20004',
  ),
  'start-output-unsupported: A start with an unsupported output is answered with 20014.': set(
    'validations.start.session.resolution-unsupported.code',
    '20014',
  ),
  'start-duration-unsupported: A start with a duration that is too short is answered with 20004.': (
    ['duration-low', 'duration-zero', 'duration-negative', 'duration-high'] as const
  ).map((id) => set(`validations.start.session.${id}.code`, '20004')),
})

export const code30008Defects = defectsOf('characters.code-30008', {
  'start: A start beyond the capacity is answered with 30004.': recoded(START, '30008', '30004'),
})

export const code20014Defects = defectsOf('characters.code-20014', {
  'replace-output-missing-default-mode~mode-omitted: A replace with a session that names no mode needs no output.':
    except(
      'validations.replacement.session',
      'output-missing',
      (input) => isWire(input.body['session']) && input.session['mode'] === undefined,
    ),
})

export const code20013Defects = defectsOf('characters.code-20013', {
  'create-avatar-id-duplicate~apart: Only avatars that stand side by side are compared on save.': set(
    'validations.character.avatars.avatar-id-repeated.broken',
    ({ avatars }) => avatars.some((avatar, at) => at > 0 && avatar['avatar_id'] === avatars[at - 1]?.['avatar_id']),
  ),
  'create-active-avatar-unknown~case: On save active_avatar_id is compared without regard to case.': except(
    'validations.character.session',
    'active-avatar-unknown',
    (input) => input.avatars.some(({ avatar_id }) => lower(avatar_id) === lower(input.session['active_avatar_id'])),
  ),
  'replace-active-avatar-unknown~alone: A replace that leaves one avatar does not compare active_avatar_id.': except(
    'validations.replacement.session',
    'active-avatar-unknown',
    ({ avatars }) => avatars.length === 1,
  ),
  'create-avatar-id-missing~second: A later avatar without id is an invalid argument.': recodeWhere(
    'validations.character.avatars',
    'avatar-id-missing',
    '30004',
    ({ avatars }) => avatars[0]?.['avatar_id'] !== undefined,
  ),
})

export const code30001Defects = defectsOf('characters.code-30001', {
  'create-moderated~second-avatar: Of the avatars only the first one is moderated.': around(
    'characters.moderatedTexts',
    (moderatedTexts) => (body) => moderatedTexts({ ...body, avatars: objectsAt(body, 'avatars').slice(0, 1) }),
  ),
})
