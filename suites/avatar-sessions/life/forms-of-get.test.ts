import { expect, test } from 'vitest'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { judgedRun } from '#testing/judged-run'

/** Ways in which Get may tell of its session: the payload is not shown (4.1). */
const forms = [
  'get-nested',
  'get-without-status',
  'get-tells-two-statuses',
  'get-tells-others',
  'get-tells-media',
] as const

/** Mistakes that show in the state of a session, and the scenario that looks for them. */
const mistakes = [
  ['avatar-sessions.close.leaves-others-open', 'avatar-sessions.two-sessions', ['get-nested', 'get-tells-media']],
  ['avatar-sessions.close.other-workspace-changes-nothing', 'avatar-sessions.other-workspace', forms],
] as const

async function verdictOn(row: string, scenario: string, form: string, defects: readonly string[]) {
  const target = await startTarget({ tls: false, variations: [form], defects: [...defects] })
  try {
    const environment = environmentOf(target)
    const { results } = await judgedRun({ profile: profileOf(target), environment, only: [scenario] })
    return results.requirements.find(({ id }) => id === row)?.verdict
  } finally {
    await target.stop()
  }
}

const all = mistakes.flatMap(([row, scenario, among]) => among.map((form) => ({ form, row, scenario })))

test.each(all)('$row is broken, and never passes, where $form', async ({ form, row, scenario }) => {
  // What a session without a status is like shows on its channel, where one is opened.
  const found = await verdictOn(row, scenario, form, [row])
  expect(found).not.toBe('pass')
  if (!['get-without-status', 'get-tells-media'].includes(form)) expect(found).toBe('fail')
  expect(await verdictOn(row, scenario, form, [])).toMatch(/pass|inconclusive/u)
})
