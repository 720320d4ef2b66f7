// Plain JavaScript for any Node: installs what package-lock.json pins, if it isn't installed yet.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Versions by package path, without what npm leaves out on this platform. */
function installedAsLocked() {
  const installed = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  const have = JSON.parse(readFileSync(installed, 'utf8')).packages
  const want = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(want).every(
    ([path, entry]) =>
      path === '' || entry.optional === true || entry.peer === true || have[path]?.version === entry.version,
  )
}

if (!installedAsLocked()) {
  console.error('Installing the pinned packages (npm ci) …')
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    console.error('npm ci failed: the lines above say why. A working registry and npm 10 or newer are needed.')
    process.exit(npm.status ?? 1)
  }
}
