import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { asyncapi } from './asyncapi.ts'
import type { JsonObject } from './interface.ts'
import { openapi } from './openapi.ts'
import { newFolder } from '#testing/new-folder'

const require = createRequire(import.meta.url)
const redocly = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js')
/** It would ask for newer versions and tell who uses it. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true', NO_COLOR: '1' }

const folder = newFolder()

/** Where Redocly finds fault with a document, and by which rules. */
function faults(document: JsonObject): readonly string[] {
  const file = join(folder, 'document.json')
  writeFileSync(file, JSON.stringify(document))
  const config = join(import.meta.dirname, 'redocly.yaml')
  const args = [redocly, 'lint', '--config', config, '--format', 'json', file]
  const ran = spawnSync(process.execPath, args, { cwd: folder, env: quiet, encoding: 'utf8' })
  const { problems }: { readonly problems: readonly Problem[] } = JSON.parse(ran.stdout)
  expect(ran.status).toBe(problems.length === 0 ? 0 : 1)
  return problems.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`)
}

interface Problem {
  readonly ruleId: string
  readonly location: readonly { readonly pointer: string }[]
}

test.each([
  ['OpenAPI', openapi()],
  ['AsyncAPI', asyncapi()],
])('Redocly finds neither errors nor warnings in the %s document', (_, document) => {
  expect(faults(document)).toEqual([])
})

test('Redocly would find them', () => {
  const { components: _, ...dangling } = openapi()
  expect(faults(dangling)).toContainEqual(expect.stringContaining('no-unresolved-refs'))
  const { channels: __, ...channelless } = asyncapi()
  expect(faults(channelless)).toContainEqual(expect.stringContaining('no-unresolved-refs'))
  expect(faults({ ...asyncapi(), operations: 'none' })).toContainEqual(expect.stringContaining('struct'))
})
