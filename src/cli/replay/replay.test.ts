import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environmentOf, profileOf } from '#target/profile'
import { startTarget } from '#target/start'
import { newFolder } from '#testing/new-folder'
import { replayOf } from '#testing/replayed'
import { fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'

const defect = 'characters.character.created-at-format'

async function withFile(action: (file: string, folder: string) => Promise<void>): Promise<void> {
  const folder = newFolder()
  const file = join(folder, `${defect}.json`)
  const replay = await replayOf(defect, { requirement: defect, only: 'characters.list', uploads: folder })
  writeFileSync(file, JSON.stringify(replay))
  await action(file, folder)
}

test('says whether a failure is seen again, how often, and by its exit code', async () => {
  await withFile(async (file, folder) => {
    const trace = join(folder, 'trace.ndjson')
    const seen = fakeShell()
    const often = ['replay', file, '--defect', defect, '--times', '2', '--trace', trace]
    expect(await runProgram(often, seen)).toBe(1)
    expect(seen.stdout()).toMatch(/1 of 2: Seen again \(\d+ requests sent\)\n {2}expected {2}.+\n {2}got {7}/)
    expect(seen.stdout()).toMatch(/Reproduced\. \(exit code 1\)\n$/)
    expect(readFileSync(trace, 'utf8')).toContain('"kind":"header"')
    const correct = fakeShell()
    expect(await runProgram(['replay', file], correct)).toBe(0)
    expect(correct.stdout()).toMatch(
      /Not reproduced\. This was the embedded target without a mistake: .+ \(exit code 0\)\n$/,
    )
    const another = fakeShell()
    expect(await runProgram(['replay', file, '--variation', 'extra-fields'], another)).toBe(0)
    expect(another.stdout()).toMatch(/Not reproduced\. \(exit code 0\)\n$/)
  })
})

test('what could not be ended at a service elsewhere is told', async () => {
  const stuck = 'avatar-sessions.close.leaves-active'
  const folder = newFolder()
  const target = await startTarget({ defects: [stuck] })
  try {
    const [file, profile, caFile] = [join(folder, 'f.json'), join(folder, 'p.json'), join(folder, 'ca.pem')]
    const replay = await replayOf(stuck, { requirement: stuck, only: stuck, uploads: folder })
    writeFileSync(file, JSON.stringify(replay))
    writeFileSync(caFile, target.ca_pem ?? '')
    writeFileSync(profile, JSON.stringify(profileOf(target, { caFile })))
    const shell = fakeShell({ ...environmentOf(target), XDG_STATE_HOME: folder })
    expect(await runProgram(['replay', file, '--target', profile], shell)).toBe(1)
    expect(shell.stderr()).toMatch(/^greenroom: left open: avatar-session \S+: .+still there$/m)
  } finally {
    await target.stop()
  }
})

test('a target that nobody reaches leaves it unjudged', async () => {
  await withFile(async (file) => {
    const shell = fakeShell({ GREENROOM_API_KEY: 'k'.repeat(20) })
    expect(await runProgram(['replay', file, '--target', 'https://127.0.0.1:9'], shell)).toBe(3)
    expect(shell.stdout()).toMatch(/Could not be judged\. \(exit code 3\)\n$/)
  })
})

test('what failed at a service elsewhere is not looked for at the embedded target', async () => {
  await withFile(async (file) => {
    const elsewhere = { ...JSON.parse(readFileSync(file, 'utf8')), base_url: 'https://staging.example' }
    writeFileSync(file, JSON.stringify(elsewhere))
    await expect(runProgram(['replay', file], fakeShell())).rejects.toThrow(
      'the failure was seen at https://staging.example; name that service with --target <profile or URL>',
    )
  })
})

test.each([
  ['no JSON', '{', /is not JSON; give replay\/<requirement>\.json of a check$/],
  ['another JSON', '{"format":"greenroom.results/1"}', /is no replay file of this format/],
  ['half a file', '{"format":"greenroom.replay/1"}', /is no whole replay file/],
])('%s is refused in a sentence', async (_, text, sentence) => {
  const folder = newFolder()
  const file = join(folder, 'x.json')
  writeFileSync(file, text)
  await expect(runProgram(['replay', file], fakeShell())).rejects.toThrow(sentence)
})

test('a file that is not there is named', async () => {
  await expect(runProgram(['replay', '/no/such.json'], fakeShell())).rejects.toThrow(
    'the replay file /no/such.json cannot be read: there is no such file or folder',
  )
})
