import { writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { packageRoot } from '#spec/package-root'
import type { Profile } from '#spec/profile'
import type { Shell } from '../shell.ts'
import { fileTrouble, usage } from '../stop.ts'

/** Writes a profile to start from. @throws Stop (2) where it cannot be written or something is there */
export function writeStarterProfile(file: string, shell: Shell): number {
  const path = resolve(file)
  try {
    writeFileSync(path, `${JSON.stringify(starter(schemaPath(dirname(path))), undefined, 2)}\n`, { flag: 'wx' })
  } catch (error) {
    throw usage(`${file} cannot be written: ${fileTrouble(error)}; give another file`)
  }
  shell.out(
    `${file} is written. Set base_url and export GREENROOM_API_KEY, then: npx greenroom check --target ${file}\n`,
  )
  return 0
}

/** Relative, so that the profile can be committed; editors follow it. */
export function schemaPath(folder: string): string {
  const path = relative(folder, join(packageRoot(), 'schemas', 'meta', 'profile.json'))
    .split(sep)
    .join('/')
  return path.startsWith('.') ? path : `./${path}`
}

function starter($schema: string): Profile {
  return {
    $schema,
    base_url: 'https://staging.example',
    keys: { primary: 'GREENROOM_API_KEY' },
    abilities: { video: true, world_sessions: true },
    limits: { primary: { requests_per_minute: 60 } },
    expected_failures: [],
  }
}
