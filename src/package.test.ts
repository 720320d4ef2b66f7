import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '#spec/package-root'
import { WHOLE_RUN_MS } from '#testing/hang'
import { newFolder } from '#testing/new-folder'

/** Runs a command to its end; its output where it failed. */
function run(folder: string, command: string, ...args: readonly string[]): string {
  const ran = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
  if (ran.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${ran.status}: ${ran.stdout}${ran.stderr}`)
  return ran.stdout
}

test('the packed package, installed into an empty folder, judges the embedded target', {
  timeout: WHOLE_RUN_MS,
}, () => {
  const folder = newFolder()
  const packed: readonly { readonly filename: string }[] = JSON.parse(
    run(packageRoot(), 'npm', 'pack', '--json', '--loglevel=error', '--pack-destination', folder),
  )
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  run(
    folder,
    'npm',
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `./${packed[0]?.filename}`,
  )
  const bin = join(folder, 'node_modules', 'greenroom', 'src', 'bin.js')
  expect(existsSync(join(folder, 'node_modules', 'greenroom', 'src', 'cli'))).toBe(false)
  run(folder, process.execPath, bin, 'check', '--tier', 'smoke', '--report', 'allure', '--out', 'out')
  expect(JSON.parse(readFileSync(join(folder, 'out', 'results.json'), 'utf8'))).toMatchObject({ conformant: true })
  // What each scenario finds is in the package.
  expect(run(folder, process.execPath, bin, 'check', '--budget', '30', '--dry-run')).toContain('tier standard')
  run(folder, process.execPath, bin, 'certify', 'keygen', '--out', 'vendor.key')
  const verified = spawnSync(process.execPath, [bin, 'verify', 'out/results.json'], { cwd: folder, encoding: 'utf8' })
  expect(verified.stderr).toMatch(/^No certificate: out\/results\.json is no certificate of Greenroom/)
  // Its examples are exhibits, which the package brings along.
  expect(JSON.parse(run(folder, process.execPath, bin, 'spec', 'openapi'))).toMatchObject({ openapi: '3.1.0' })
  // allure-vitest found the vitest that npm installed for us: it names results by a UUID.
  const allure = readdirSync(join(folder, 'out', 'allure-results')).filter((name) => name.endsWith('-result.json'))
  const recorded = allure.map((name) => JSON.parse(readFileSync(join(folder, 'out', 'allure-results', name), 'utf8')))
  expect(recorded).toContainEqual(
    expect.objectContaining({ uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), status: 'passed' }),
  )
})
