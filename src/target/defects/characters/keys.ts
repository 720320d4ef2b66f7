import { defectsOf } from '../table.ts'
import { isStarted, START } from './tools.ts'

/** Section 5, for characters and the sessions from them. */
const authenticationDefects = defectsOf('authentication', {
  'header-required.characters': [
    'List Characters asks for no key.',
    ({ access }) => access.open.push('list-characters'),
  ],
  'header-required.characters~replace': [
    'Replace asks for no key.',
    ({ access }) => access.open.push('replace-character'),
  ],
  'header-required.character-sessions': ['A start asks for no key.', ({ access }) => access.open.push(START)],
  'missing-key.characters': [
    'A delete without a key is answered like one with a wrong key.',
    ({ access }) => {
      const { missingKey } = access
      access.missingKey = (operation) => (operation === 'delete-character' ? '10003' : missingKey(operation))
    },
  ],
  'missing-key.character-sessions': [
    'A start without a key is answered like one with a wrong key.',
    ({ access }) => {
      const { missingKey } = access
      access.missingKey = (operation) => (operation === START ? '10003' : missingKey(operation))
    },
  ],
  'invalid-key.characters': [
    'Get Character takes any key for a good one.',
    ({ access }) => access.trusting.push('get-character'),
  ],
  'invalid-key.character-sessions': [
    'A start takes any key for a good one.',
    ({ access }) => access.trusting.push(START),
  ],
})

/** Section 8: "Create Session, Create Session from Character." */
const limitDefects = defectsOf('limits', {
  'concurrency.character-sessions-count': [
    'Sessions from characters take no slot.',
    ({ quota }) => {
      const { holds } = quota
      quota.holds = (session) => holds(session) && !isStarted(session)
    },
  ],
  'concurrency.character-sessions-count~start': [
    'The cap does not hold for a start.',
    ({ create }) => void (create.skips = (operation, step) => operation === START && step === 'concurrency'),
  ],
})

export const characterKeyDefects = [...authenticationDefects, ...limitDefects]
