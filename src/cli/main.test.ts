import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#testing/new-folder'

const bin = join(import.meta.dirname, '../bin.js')

test('all faults of a profile stand on the terminal, each to its end', () => {
  const file = join(newFolder(), 'profile.json')
  const names = Array.from({ length: 45 }, (_, place) => `unknown-${place + 1}-`)
  const profile = {
    base_url: 'https://staging.example',
    keys: { primary: 'GR_KEY' },
    abilities: Object.fromEntries(names.map((name) => [name, true])),
  }
  writeFileSync(file, JSON.stringify(profile))
  const { status, stderr } = spawnSync(process.execPath, [bin, 'check', '--target', file, '--dry-run'], {
    encoding: 'utf8',
    env: { ...process.env, GR_KEY: 'k'.repeat(30) },
  })
  expect(status).toBe(2)
  for (const name of names.slice(0, 40)) expect(stderr).toContain(`unknown field "${name}"`)
  expect(stderr).toMatch(/; and 5 more\n$/)
})
