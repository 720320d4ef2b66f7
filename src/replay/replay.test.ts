import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadRules } from '#scenario/plan/load-rules'
import { validate } from '#spec/validators'
import { newFolder } from '#testing/new-folder'
import { replayOf } from '#testing/replayed'
import { onSimulatedTarget } from '#testing/simulated-target'
import { requestsIn, stepsOf } from './replay-file.ts'
import { sendAgain } from './send/send-again.ts'

/** Defects of every kind of step: what shows each, and how many requests at most its shortest sequence takes. */
const cases = [
  ['characters.character.created-at-format', 'characters.character.created-at-format', 'characters.list', 1],
  [
    'avatar-sessions.idempotency.retry-same-session',
    'avatar-sessions.idempotency.retry-same-session',
    'avatar-sessions.idempotency.retry-same-session',
    7,
  ],
  ['voices.scope.shared-by-keys~list', 'voices.scope.shared-by-keys', 'voices.scope.shared-by-keys', 12],
  [
    'voices.code-20003.file-id-missing~failure',
    'voices.code-20003.file-id-missing',
    'voices.code-20003.file-id-missing',
    9,
  ],
  ['world-sessions.get.usage-video~closed', 'world-sessions.get.usage-video', 'world-sessions.get.usage-video', 4],
  [
    'control-channel.secret.bearer-refused-after-closed',
    'control-channel.secret.bearer-refused-after-closed',
    'control-channel.secret.bearer-refused-after-closed',
    3,
  ],
  [
    'control-channel.text-delta.concatenate-to-final-text',
    'control-channel.text-delta.concatenate-to-final-text',
    'control-channel.text-delta.concatenate-to-final-text',
    1,
  ],
] as const

test.concurrent.for(cases)(
  '%s is seen again, and not on a correct target',
  async ([defect, requirement, only, most]) => {
    const uploads = newFolder()
    const rules = await loadRules()
    const replay = await replayOf(defect, { requirement, only, uploads })
    expect(validate('meta/replay', replay)).toEqual([])
    expect(requestsIn(stepsOf(replay, 'short'))).toBeLessThanOrEqual(most)
    const again = await onSimulatedTarget({ defects: [defect] }, async (target, running) => {
      const sent = await sendAgain(replay, { ...target, rules, uploads })
      return { outcome: sent.outcome.is, left: { ...running.left(), sessions: [] } }
    })
    expect(again).toEqual({ outcome: 'reproduced', left: { sessions: [], worlds: [], characters: [] } })
    const correct = await onSimulatedTarget({}, (target) => sendAgain(replay, { ...target, rules, uploads }))
    expect(correct.outcome.is).toBe('not-reproduced')
  },
)

test('ids and idempotency keys are fresh each time, and no secret is in the file', async () => {
  const uploads = newFolder()
  const rules = await loadRules()
  const name = 'avatar-sessions.idempotency.retry-same-session'
  const replay = await replayOf(name, { requirement: name, only: name, uploads })
  const [texts, keys] = await onSimulatedTarget({ defects: [name] }, async (target, running) => {
    const one = await sendAgain(replay, { ...target, rules, uploads })
    const other = await sendAgain(replay, { ...target, rules, uploads })
    const sent = [one, other].map(({ traces }) => JSON.stringify(traces.map(({ entries }) => entries)))
    return [sent, Object.values(running.keys)] as const
  })
  const idsIn = (text = '') => [...text.matchAll(/"idempotency_key":"([^"]+)"/g)].map(([, id]) => id)
  expect(idsIn(texts[0]).length).toBeGreaterThan(1)
  expect(new Set(idsIn(texts[0]))).not.toEqual(new Set(idsIn(texts[1])))
  expect(texts.join('')).not.toContain(replay.run)
  const file = JSON.stringify(replay)
  for (const key of keys) expect(file).not.toContain(key)
  expect(file).toMatch(/\[client_secret \d+\]/)
})

test('an upload is sent again from its kept file, and without it nothing is judged', async () => {
  const uploads = newFolder()
  const rules = await loadRules()
  const name = 'audio-files.file.id-string'
  const replay = await replayOf(name, { requirement: name, only: name, uploads })
  expect(readdirSync(uploads).length).toBeGreaterThan(0)
  const again = await onSimulatedTarget({ defects: [name] }, (target) =>
    sendAgain(replay, { ...target, rules, uploads }),
  )
  expect(again.outcome.is).toBe('reproduced')
  const without = await onSimulatedTarget({ defects: [name] }, (target) =>
    sendAgain(replay, { ...target, rules, uploads: `${uploads}/no` }),
  )
  expect(without.outcome).toMatchObject({ is: 'undecided', reason: expect.stringContaining('uploaded file') })
})
