import { UnjudgeableTrace } from '#judge/judge'
import { type JudgedRecording, judgeRecording } from '#recording/judge-recording'
import { LineReader } from '#trace/growing/line-reader'
import { TraceFormatError } from '#trace/reader'
import { usage } from '../stop.ts'

/** Whether Greenroom only listened: such a trace may be of any length. What cannot be read is no recording. */
export function isRecording(file: string): boolean {
  let reader: LineReader | undefined
  try {
    reader = new LineReader(file)
    const first = reader.more().next().value?.entry
    return first?.kind === 'header' && first.recording !== undefined
  } catch {
    return false
  } finally {
    reader?.close()
  }
}

/**
 * @param file how messages call it: the recording, or what it was made of
 * @throws Stop (2) for a recording that cannot be judged at all
 */
export async function judgeRecordingFile(trace: string, file = trace): Promise<JudgedRecording> {
  try {
    return await judgeRecording(trace)
  } catch (error) {
    if (error instanceof TraceFormatError) throw usage(`${file} is no trace: ${error.message}`)
    if (error instanceof UnjudgeableTrace)
      throw usage(`${file} cannot be judged: ${error.message}; give trace.ndjson of a run`)
    throw error
  }
}
