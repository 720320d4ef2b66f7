import { expect, test } from 'vitest'
import { requirements } from '#spec/register'
import { createRules } from '../created/rules.ts'
import { creates } from './scenarios.ts'

const subjects = [
  ...['session', 'control', 'output', 'assets', 'conversation', 'avatars', 'delivery', 'pipeline', 'create'].map(
    (subject) => `avatar-sessions.${subject}.`,
  ),
  ...['max-duration', 'disconnected-timeout', 'interaction-idle-timeout', 'avatar-voice-speed', 'temperature'].map(
    (limit) => `limits.${limit}.`,
  ),
  'limits.output-fps.',
  'errors.code-30004.',
]
/** Proved elsewhere: by the life of a session, and where voices are cloned. */
const elsewhere = ['avatar-sessions.session.auto-close-snapshot', 'avatar-sessions.pipeline.tts-cloned-voice-accepted']

test('every testable row on creates is proved', () => {
  const rows = [...requirements.values()].filter(
    ({ id, standing }) => standing !== 'untestable' && subjects.some((subject) => id.startsWith(subject)),
  )
  const proved = new Set<string>([...creates.flatMap(({ proves }) => proves), ...elsewhere])
  expect(rows.map(({ id }) => id).filter((id) => !proved.has(id))).toEqual([])
})

test('what the rules judge, a scenario makes happen', () => {
  const proved = new Set<string>(creates.flatMap(({ proves }) => proves))
  const rows = createRules.flatMap(({ proves }) => proves)
  expect([...new Set(rows)].filter((row) => !proved.has(row))).toEqual([])
})

test('rows that scenarios prove exist', () => {
  const named = creates.flatMap(({ proves }) => proves)
  expect(named.filter((row) => !requirements.has(row))).toEqual([])
})
