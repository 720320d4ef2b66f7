import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#testing/new-folder'

/** The command, and what it loads itself. */
const launcher = ['bin.js', 'own-imports.js']

/** A package with our launcher, one module as its command line, and perhaps a Node of its own. */
function packageWith(options: {
  readonly engines: string
  readonly main?: string
  readonly built?: boolean
  readonly node?: string
}): string {
  const folder = newFolder()
  const put = (path: string, content: string): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  put('package.json', JSON.stringify({ name: 'greenroom', type: 'module', engines: { node: options.engines } }))
  put('src/none', '')
  for (const file of launcher) cpSync(join(import.meta.dirname, file), join(folder, 'src', file))
  if (options.main !== undefined) put(options.built === true ? 'dist/src/cli/main.js' : 'src/cli/main.ts', options.main)
  if (options.node !== undefined) {
    put('node_modules/node/package.json', '{"name":"node","version":"99.1.0"}')
    put('node_modules/node/stand-in.cjs', options.node)
    put(
      'node_modules/node/bin/node',
      `#!/bin/sh\nexec '${process.execPath}' '${folder}/node_modules/node/stand-in.cjs' "$@"\n`,
    )
    chmodSync(join(folder, 'node_modules/node/bin/node'), 0o755)
  }
  return join(folder, 'src', 'bin.js')
}

const run = (bin: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' })

const sayArguments = 'export function main(args) { console.log(JSON.stringify(args)); process.exit(7) }'

test('a checkout runs its sources, an installed package its build', () => {
  expect(run(packageWith({ engines: '>=20', main: sayArguments }), 'a', '--b')).toMatchObject({
    status: 7,
    stdout: '["a","--b"]\n',
  })
  expect(run(packageWith({ engines: '>=20', main: sayArguments, built: true }), 'c')).toMatchObject({
    status: 7,
    stdout: '["c"]\n',
  })
})

test('a package without its build says so and ends with 4', () => {
  const { status, stderr } = run(packageWith({ engines: '>=20' }))
  expect(status).toBe(4)
  expect(stderr).toMatch(/^greenroom cannot be loaded \(.*\); install it again\.\n$/)
})

test('a Node that does not fit, and no other at hand, ends with 2 and one sentence', () => {
  const { status, stderr } = run(packageWith({ engines: '^22.19 || ^99.5', main: sayArguments }))
  expect(status).toBe(2)
  expect(stderr).toBe(
    `greenroom needs Node ^22.19 || ^99.5 and this is Node ${process.versions.node}; install a newer Node, or "npm install node@24".\n`,
  )
})

test('the Node of the package gets the arguments, and its exit code is passed on', () => {
  const node = 'console.log(JSON.stringify(process.argv.slice(3))); process.exitCode = 3'
  expect(run(packageWith({ engines: '>=99', node }), 'check', '--seed', '1')).toMatchObject({
    status: 3,
    stdout: '["check","--seed","1"]\n',
  })
})

const waits = `
process.on('SIGTERM', () => process.exit(9))
process.on('disconnect', () => process.exit(0))
setInterval(() => {}, 1000)
console.log(process.pid)`

async function started(): Promise<{ readonly parent: ChildProcess; readonly child: number }> {
  const bin = packageWith({ engines: '>=99', node: waits })
  const parent = spawn(process.execPath, [bin], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (parent.stdout === null) throw new Error('no pipe')
  const [line] = await once(parent.stdout, 'data')
  return { parent, child: Number(line) }
}

test('a signal reaches the other Node, and its answer comes back', async () => {
  const { parent } = await started()
  parent.kill('SIGTERM')
  expect(await once(parent, 'exit')).toEqual([9, null])
})

test('the other Node does not outlive a launcher that was killed', async ({ onTestFailed }) => {
  const { parent, child } = await started()
  onTestFailed(() => void process.kill(child, 'SIGKILL'))
  if (parent.stdout === null) throw new Error('no pipe')
  parent.kill('SIGKILL')
  // The pipe closes when the last process that holds it is gone.
  await once(parent.stdout, 'close')
})
