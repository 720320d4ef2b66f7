import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeShell } from '#cli/testing/fake-shell'
import { runProgram } from '#cli/program'
import { packageRoot } from '#spec/package-root'
import { environmentOf, profileOf } from '#target/profile'
import { type RunningTarget, startTarget } from '#target/start'
import { HANG_MS } from '#testing/hang'
import { newFolder } from '#testing/new-folder'
import { writtenIn } from '#testing/written-in-docs'

const root = packageRoot()
const pages = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()]

interface Line {
  readonly page: string
  /** Without comment. */
  readonly text: string
}

/** The commands of all fenced blocks of shell. */
const lines: readonly Line[] = pages.flatMap((page) => {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)]
  const texts = blocks.flatMap(([, block = '']) => block.split('\n'))
  return texts
    .map((text) => text.replace(/(^|\s+)#.*$/, '').trim())
    .filter((text) => text !== '' && !text.startsWith('export '))
    .map((text) => ({ page, text }))
})

let folder = ''
let target: RunningTarget
const example = 'limits.max-duration.three-rejected'

beforeAll(async () => {
  folder = newFolder()
  target = await startTarget({ tls: false })
  const profile = JSON.stringify(profileOf(target))
  for (const name of ['staging.json', 'target.json', 'target.jsonc']) writeFileSync(join(folder, name), profile)
  for (const [name, text] of writtenIn('docs/stand-in.md')) writeFileSync(join(folder, name), text)
  const run = ['check', '--target', 'target.json', '--only', example, '--only', 'avatar-sessions.life-of-a-session']
  const { exit } = await greenroom([...run, '--out', 'reports/latest'])
  expect(exit).toBe(0)
  for (const other of ['yesterday', 'first', 'staging']) {
    cpSync(join(folder, 'reports/latest'), join(folder, 'reports', other), { recursive: true })
  }
})

afterAll(async () => {
  await target.stop()
})

const env = () => ({
  ...environmentOf(target),
  PATH: process.env['PATH'] ?? '',
  XDG_STATE_HOME: join(folder, 'state'),
  GREENROOM_TARGET: target.base_url,
  GREENROOM_API_KEY: target.keys.primary,
})

const isPath = (word: string): boolean => /^(reports\/|[\w-]+\.(json|jsonc|html|log|key|pub)$)/.test(word)

/** As the words stand in the pages, with paths in our folder, and our target in the place of the reader's. */
async function greenroom(words: readonly string[], shell = fakeShell(env())) {
  const args = words.map((word) => {
    if (word === 'https://staging.example') return target.base_url
    return isPath(word) ? join(folder, word) : word.replace('<id>', example)
  })
  return { exit: await runProgram(args, shell), shell }
}

const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** Run as they are. */
const whole = ['init', 'doctor', 'list', 'explain', 'spec', 'diff', 'report', 'judge', 'cleanup']
/** These choose so little that they are run as they are, too; other checks show their plan. */
const small = ['--dry-run', '--only', '--failed']
const wholeOfLoad = ['list', 'explain']

/** How a command is tried; what takes k6, two full runs or an end that never comes has its options looked up. */
type Way = 'as it is' | 'with --dry-run' | 'until it is ended' | 'options'

function wayOf([command = '', second = '', ...rest]: readonly string[]): Way {
  if (command === 'check')
    return small.some((option) => [second, ...rest].includes(option)) ? 'as it is' : 'with --dry-run'
  if (command === 'serve') return 'until it is ended'
  if (command === 'load') return wholeOfLoad.includes(second) ? 'as it is' : 'options'
  return whole.includes(command) ? 'as it is' : 'options'
}

/** Every option that is written exists, and so does the command. */
async function lookUp(words: readonly string[]): Promise<void> {
  const below = words.slice(1).find((word) => /^(knee|nightly|k8s|cloud|merge|keygen|har|trace)$/.test(word))
  const path = [words[0] ?? '', ...(below === undefined ? [] : [below])]
  const { exit, shell } = await greenroom([...path, '--help'])
  expect(exit).toBe(0)
  for (const option of words.filter((word) => word.startsWith('--'))) expect(shell.stdout()).toContain(option)
}

async function untilEnded(words: readonly string[]): Promise<void> {
  const shell = fakeShell({ ...env() })
  const running = greenroom(words, shell)
  await expect.poll(shell.stdout, { timeout: HANG_MS }).toContain('Ctrl-C ends it')
  shell.interrupt()
  expect((await running).exit).toBe(0)
}

test('there are commands to try', () => {
  expect(lines.length).toBeGreaterThan(40)
  expect(pages.length).toBeGreaterThan(6)
})

test.for(lines.filter(({ text }) => text.startsWith('npx greenroom ')))('$page: $text', async ({ text }) => {
  const words = wordsOf(text).slice(2)
  const way = wayOf(words)
  if (way === 'options') return lookUp(words)
  if (way === 'until it is ended') return untilEnded(words)
  // What `init` writes must not be there yet.
  const [command = '', file = ''] = words
  if (command === 'init') rmSync(join(folder, file), { force: true })
  const { exit } = await greenroom(way === 'as it is' ? words : [...words, '--dry-run'])
  expect(exit).toBe(0)
  return undefined
})

test('scripts of npm and files for Node that are named exist, and nothing else is asked of a reader', () => {
  const { scripts }: { readonly scripts: object } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const others = lines.filter(({ text }) => !text.startsWith('npx greenroom '))
  for (const { text } of others) {
    const [, file] = /^npx node (\S+)/.exec(text) ?? []
    if (file !== undefined) {
      expect(existsSync(join(root, file)), text).toBe(true)
      continue
    }
    const [, name = ''] = /^npm (?:run )?([\w:-]+)$/.exec(text) ?? []
    expect(Object.keys(scripts), text).toContain(name)
  }
})

test('links between the pages lead somewhere', () => {
  const broken = pages.flatMap((page) => {
    const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)\s#]+)(#[^)]*)?\)/g)]
    const local = links.map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link))
    return local.filter((link) => !existsSync(resolve(root, dirname(page), link))).map((link) => `${page}: ${link}`)
  })
  expect(broken).toEqual([])
})
