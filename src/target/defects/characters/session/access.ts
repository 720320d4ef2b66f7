import { around, set } from '#target/overrides/operators'
import { START } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

export const sessionAccessDefects = defectsOf('characters.session', {
  'access-denied-10009: A key without access may start characters.': set(
    'create.skips',
    (operation, step, state) => operation === START && step === 'permission' && state === 'access_denied',
  ),
  'access-denied-10009~invalid: A start answers a key without access as one that nobody knows.': around(
    'http.coded',
    (coded) => (code, operation) => (code === '10009' && operation === START ? '10003' : coded(code, operation)),
  ),
})
