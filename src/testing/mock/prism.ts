import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const require = createRequire(import.meta.url)
const cli = join(dirname(require.resolve('@stoplight/prism-cli/package.json')), 'dist/index.js')

/** A mock that somebody else's program makes of an OpenAPI document: it checks requests and has one answer an operation. */
export interface Mock {
  readonly base_url: string
  stop(): Promise<void>
}

/** Starts Prism on a free port. @throws Error where it ends before it listens */
export async function startPrism(document: object, folder: string): Promise<Mock> {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const child = spawn(process.execPath, [cli, 'mock', '--port', '0', file], {
    cwd: folder,
    env: { NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const gone = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill()
    await gone
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const base_url = /listening on (http:\S+)/.exec(line)?.[1]
    if (base_url === undefined) continue
    // What it goes on saying would fill the pipe.
    child.stdout.resume()
    return { base_url, stop }
  }
  await stop()
  throw new Error('Prism ended before it listened')
}
