#!/usr/bin/env node
// Plain JavaScript that old versions of Node can parse: it finds a Node that fits, then hands over to the command line.
import { spawn } from 'child_process'
import { existsSync, readFileSync, realpathSync } from 'fs'
import nodeModule, { createRequire } from 'module'
import { dirname, join, sep } from 'path'
import { fileURLToPath, pathToFileURL } from 'url'
import './own-imports.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const range = readJson(join(root, 'package.json')).engines.node

if (fits(process.versions.node, range)) hand(root)
else restart()

function hand(from) {
  // Compiled code is kept between runs: a third of what a start costs. A disk that is full or read-only only costs the gain.
  if (nodeModule.enableCompileCache !== undefined) nodeModule.enableCompileCache()
  const source = join(from, 'src', 'cli', 'main.ts')
  // Node strips no types under node_modules; an installed package brings its build instead.
  const installed = from.split(sep).includes('node_modules') || !existsSync(source)
  const main = installed ? join(from, 'dist', 'src', 'cli', 'main.js') : source
  import(pathToFileURL(main).href).then(
    (module) => module.main(process.argv.slice(2)),
    (error) => quit(4, `cannot be loaded (${String(error && error.message).split('\n')[0]}); install it again.`),
  )
}

function restart() {
  const node = localNode()
  if (node === undefined) {
    quit(
      2,
      `needs Node ${range} and this is Node ${process.versions.node}; install a newer Node, or "npm install node@24".`,
    )
    return
  }
  // The channel ends with this process, however it ends, and the other side watches it: nothing outlives us.
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => quit(2, `cannot start ${node} (${error.message}).`))
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    if (signal === null) process.exitCode = code
    else process.kill(process.pid, signal)
  })
}

/** The Node that the package `node` brought, if it fits and is not the one that runs this. */
function localNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json')
    if (!fits(readJson(manifest).version, range)) return undefined
    const found = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    // realpathSync throws where nothing was installed for this machine.
    return realpathSync(found) === realpathSync(process.execPath) ? undefined : found
  } catch {
    return undefined
  }
}

/** Whether a version is in a range made of `^a.b`, `^a` and `>=a`, joined by `||`. */
function fits(version, wanted) {
  const [major, minor] = version.split('.').map(Number)
  return wanted.split('||').some((part) => {
    const [, sign, first, second] = /^\s*(\^|>=)(\d+)(?:\.(\d+))?\s*$/.exec(part)
    const enough = minor >= Number(second || 0)
    if (major === Number(first)) return enough
    return sign === '>=' && major > Number(first)
  })
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function quit(code, sentence) {
  process.stderr.write(`greenroom ${sentence}\n`)
  process.exitCode = code
}
