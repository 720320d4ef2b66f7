import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keyIdOf, makeKeys, readVerifier } from '#certificate/keys'
import { type RunningTarget, startTarget } from '#target/start'
import { environmentOf, profileOf } from '#target/profile'
import { type SmallCertificate, smallCertificate } from '#testing/small-certificate'
import { type FakeShell, fakeShell } from '../testing/fake-shell.ts'
import { runProgram } from '../program.ts'
import { clearEarlier, issue } from './issue.ts'
import { newFolder } from '#testing/new-folder'

let folder = ''
let small: SmallCertificate
beforeAll(async () => {
  small = await smallCertificate()
})
beforeEach(() => {
  folder = newFolder()
})

let target: RunningTarget
beforeAll(async () => {
  target = await startTarget({ tls: false })
})
afterAll(() => target.stop())

const at = (name: string): string => join(folder, name)

/** Writes a profile of the target; @param changed members beside its own */
function profileFile(changed: object = {}): string {
  writeFileSync(at('profile.json'), JSON.stringify({ ...profileOf(target), ...changed }))
  return at('profile.json')
}

async function run(shell: FakeShell, ...args: readonly string[]): Promise<number | string> {
  try {
    return await runProgram(args, shell)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('what is missing is told line by line, and nothing is sent', async () => {
  const { GREENROOM_EMBEDDED_CAPPED: _, ...environment } = environmentOf(target)
  const shell = fakeShell(environment)
  const expected_failures = [{ id: 'voices.get.public', reason: 'r', owner: 'o', expires: '2999-01-01' }]
  const ended = await run(
    shell,
    'certify',
    '--target',
    profileFile({ expected_failures, media: {} }),
    '--out',
    at('out'),
  )
  expect(ended).toMatch(/^certify: \d+ things are missing for a certificate, see above; nothing was sent$/)
  const lines = shell
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('greenroom: not enough for a certificate: '))
  expect(lines.map((line) => /certificate: (\S+)/.exec(line)?.[1])).toEqual([
    'keys.capped',
    'media.image_url',
    'media.audio_url',
    'expected_failures',
    'nothing',
  ])
  expect(readdirSync(folder)).toEqual(['profile.json'])
})

test('with all that is needed --dry-run shows the plan and its price', async () => {
  const shell = fakeShell(environmentOf(target))
  expect(await run(shell, 'certify', '--target', profileFile(), '--dry-run')).toBe(0)
  expect(shell.stdout()).toMatch(/scenarios, tier full;[\s\S]*All this twice, with different seeds\.\n$/)
})

test('without a target it says how to name one', async () => {
  expect(await run(fakeShell(), 'certify')).toMatch(/^--target names what to certify/)
})

test('keygen makes a pair that nobody else can read, and never writes over one', async () => {
  const shell = fakeShell()
  expect(await run(shell, 'certify', 'keygen', '--out', at('vendor.key'))).toBe(0)
  expect(statSync(at('vendor.key')).mode & 0o777).toBe(0o600)
  expect(shell.stdout()).toBe(`${keyIdOf(readVerifier(readFileSync(at('vendor.key.pub'), 'utf8')))}\n`)
  expect(shell.stdout() + shell.stderr()).not.toContain('PRIVATE')
  expect(await run(shell, 'certify', 'keygen', '--out', at('vendor.key'))).toMatch(
    /it exists already; give another name$/,
  )
})

test('a file that holds no key is told before the target is looked at', async () => {
  writeFileSync(at('no.key'), 'hello')
  const ended = await run(fakeShell(), 'certify', '--target', at('none.json'), '--key', at('no.key'))
  expect(ended).toBe(`--key ${at('no.key')} holds no key in PEM form; "npx greenroom certify keygen" makes a pair`)
})

/** Issues a certificate of two small runs. */
function issued(shell: FakeShell): Promise<number> {
  const runs = [small.recorded(small.traces[0]), small.recorded(small.traces[1])] as const
  clearEarlier(at('out'))
  return issue({ runs, key: small.key, out: at('out'), by: 'Example', judging: small.options }, shell)
}

test('what is issued is the certificate and its page', async () => {
  const shell = fakeShell()
  expect(await issued(shell)).toBe(0)
  expect(readdirSync(at('out')).toSorted()).toEqual(['certificate.html', 'certificate.json'])
  const page = readFileSync(join(at('out'), 'certificate.html'), 'utf8')
  expect(page).toContain('npx greenroom verify certificate.json --key vendor.key.pub')
  expect(page).not.toContain(folder)
  expect(shell.stdout()).toMatch(/^Genuine: [\s\S]*verdicts .*untestable \d+[\s\S]*What this does not prove:\n {2}- /)
})

test('runs that disagree get no certificate, and none of an earlier time stays', async () => {
  const shell = fakeShell()
  await issued(shell)
  const [first, second] = [small.recorded(small.traces[0]), small.recorded(small.traces[1])]
  const requirements = second.results.requirements.map((row) =>
    row.verdict === 'pass' ? { ...row, verdict: 'warn' as const } : row,
  )
  const unlike = { ...second, results: { ...second.results, requirements } }
  clearEarlier(at('out'))
  const ended = await issue(
    { runs: [first, unlike], key: small.key, out: at('out'), by: undefined, judging: small.options },
    shell,
  )
  expect(ended).toBe(3)
  expect(shell.stderr()).toMatch(/No certificate: the runs disagree about \S+: pass, then warn \(and \d+ more\)/)
  expect(readdirSync(at('out'))).toEqual([])
})

test('verify tells in one sentence, by its exit code, what is not genuine and what is no certificate', async () => {
  await issued(fakeShell())
  const file = join(at('out'), 'certificate.json')
  const shell = fakeShell()
  // Made in the tier `smoke`, which certifies nothing.
  expect(await run(shell, 'verify', file)).toBe(1)
  writeFileSync(file, readFileSync(file, 'utf8').replace('certificate/1', 'certificate/7'))
  expect(await run(shell, 'verify', file)).toBe(2)
  expect(shell.stderr().split('\n')).toEqual([
    `Not genuine: ${file} does not certify anything: run-1 is of tier smoke, and tier full is asked for.`,
    expect.stringMatching(/^No certificate: .* is of format greenroom\.certificate\/7, /),
    '',
  ])
  expect(await run(shell, 'verify', at('none'))).toMatch(/cannot be read: there is no such file or folder$/)
  writeFileSync(at('other.pub'), makeKeys().public_key)
  expect(await run(shell, 'verify', file, '--key', at('none.pub'))).toMatch(/^--key .* cannot be read/)
  writeFileSync(at('own.key'), makeKeys().private_key)
  await run(shell, 'verify', file, '--key', at('own.key'))
  expect(shell.stderr()).toContain(`--key ${at('own.key')} is a private key`)
})
