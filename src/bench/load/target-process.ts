import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { packageRoot } from '#spec/package-root'

/** The target of the bench in a process of its own: its work is not the generator's. */
export async function withTarget<Result>(
  settings: { readonly [name: string]: string },
  use: (port: string) => Promise<Result>,
): Promise<Result> {
  const target = spawn(process.execPath, [join(packageRoot(), 'src/bench/load/flood-target.ts')], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [port] = (await once(target.stdout, 'data')) as [Buffer]
    return await use(port.toString().trim())
  } finally {
    target.kill()
    await once(target, 'close')
  }
}
