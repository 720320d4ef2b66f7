import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { inFolder } from '#testing/new-folder'
import { argumentsOf, type Bench, environmentOf } from './measured-k6.ts'

/** What a k6 takes while each of its users is in the middle of a conversation. */
export interface Held {
  /** What is still reachable after a collection: the same from run to run, on any machine. */
  readonly live_kb: number
  /** Of the process, right after that. */
  readonly resident_kb: number
}

/** How often the target is asked whether all users are there. */
const LOOK_MS = 100
/** So often garbage is collected: what was counted by then is only on its way through k6. */
const LOOKS = 5

/**
 * Runs k6 against a target that holds back its answers (`HOLD_TURN`) until all users wait for one, and looks at its memory
 * then. k6's own profiler tells the heap, and collects garbage first.
 */
export function heldK6(bench: Bench & { readonly users: number }): Promise<Held> {
  return inFolder((folder) => heldIn(folder, bench))
}

async function heldIn(folder: string, bench: Bench & { readonly users: number }): Promise<Held> {
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(bench.k6, ['--address', address, '--profiling-enabled', ...argumentsOf(bench)], {
    env: environmentOf(bench, join(folder, 'part.json')),
    stdio: 'ignore',
  })
  const ended = once(child, 'close')
  try {
    const target = `http://127.0.0.1:${bench.port}`
    while (Number(await textOf(`${target}/held`)) < bench.users) {
      if (child.exitCode !== null) throw new Error(`k6 ended with ${child.exitCode} before all users were there`)
      await wait(LOOK_MS)
    }
    const live = []
    for (let look = 0; look < LOOKS; look += 1) {
      live.push(liveIn(await textOf(`http://${address}/debug/pprof/heap?gc=1&debug=1`)))
      await wait(LOOK_MS)
    }
    const held = { live_kb: Math.min(...live), resident_kb: residentOf(child.pid) }
    await textOf(`${target}/release`)
    await ended
    return held
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text()
}

function liveIn(heap: string): number {
  const bytes = /^# HeapAlloc = (\d+)$/m.exec(heap)?.[1]
  if (bytes === undefined) throw new Error('k6 told nothing of its heap')
  return Number(bytes) / 1_024
}

/** Not a number where the system doesn't tell. */
function residentOf(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return Number.NaN
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
