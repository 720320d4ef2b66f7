import { resolve } from 'node:path'
import { HarError } from '#recording/import/har-file'
import { importHar } from '#recording/import/import-har'
import { importTrace } from '#recording/import/import-trace'
import { TraceFormatError } from '#trace/reader'
import { loadProfileAlone } from '../profile/load-profile.ts'
import type { Shell } from '../shell.ts'
import { fileTrouble, usage } from '../stop.ts'
import { judgeRecordingFile } from './judge-recording-file.ts'
import { openRecordingFolder, type RecordingFolder } from './recording-folder.ts'
import { writeRecording } from './write-recording.ts'

export interface ImportOptions {
  readonly target?: string
  readonly out?: string
}

/** Judges a browser's export. @returns the exit code */
export function importHarFile(file: string, { target, out }: ImportOptions, shell: Shell): Promise<number> {
  const profile = target === undefined ? undefined : loadProfileAlone(target)
  return judged(file, out, shell, async (trace) => {
    try {
      const { base_url, missing } = await importHar({ file, profile, environment: shell.env, trace })
      const whose = base_url === undefined ? ['no request of the interface is in the file'] : []
      return [...whose, ...missing]
    } catch (error) {
      if (error instanceof HarError) throw usage(`${file} is no HAR: ${error.message}`)
      throw unreadable(file, error)
    }
  })
}

/** Judges the samples of a load run. @returns the exit code */
export function importTraceFile(file: string, { out }: ImportOptions, shell: Shell): Promise<number> {
  return judged(file, out, shell, async (trace) => {
    try {
      return importTrace(file, trace)
    } catch (error) {
      if (error instanceof TraceFormatError) throw usage(`${file} is no trace: ${error.message}`)
      throw unreadable(file, error)
    }
  })
}

/** @param trace makes the folder of the trace, which takes away what an earlier run left in it */
type MakeTrace = (trace: () => string) => Promise<readonly string[]>

async function judged(file: string, out: string | undefined, shell: Shell, make: MakeTrace): Promise<number> {
  if (out !== undefined && resolve(file) === resolve(out, 'trace.ndjson'))
    throw usage(`--out ${out} would overwrite ${file}; give another folder`)
  let opened: RecordingFolder | undefined
  const open = (): RecordingFolder => (opened ??= openRecordingFolder(out))
  try {
    const sentences = await make(() => open().trace)
    const folder = open()
    for (const sentence of sentences) shell.err(`greenroom: ${sentence}\n`)
    return writeRecording(await judgeRecordingFile(folder.trace, file), folder.results, shell)
  } finally {
    opened?.release()
  }
}

function unreadable(file: string, error: unknown): unknown {
  const system = error instanceof Error && 'code' in error && typeof error.code === 'string'
  return system ? usage(`${file} cannot be read: ${fileTrouble(error)}`) : error
}
