import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startRecording } from '#recording/watch'
import type { Embedded } from '../embedded.ts'

/** A stand-in behind a proxy that writes what an app does to it. @throws TraceWriteError; the system's error for the port */
export async function recordedStandIn(embedded: Embedded, trace: string, port: number): Promise<Embedded> {
  const { profile, environment, folder } = embedded
  const recording = await startRecording({ profile, environment, port, trace, source: 'stand-in' })
  const recorded = { ...profile, base_url: recording.base_url }
  writeFileSync(join(folder, 'profile.json'), `${JSON.stringify(recorded, undefined, 2)}\n`)
  return {
    ...embedded,
    profile: recorded,
    stop: async () => {
      await recording.end()
      await embedded.stop()
    },
  }
}
