import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { headerOf, planRun, type RunPlan } from '#scenario/plan/run-plan'
import { type Environment, knownSecrets, readSecrets } from '#scenario/run/run-secrets'
import type { Profile } from '#spec/profile'
import type { RecordingSource } from '#trace/entry'
import { createRedactor } from '#trace/redact'
import { type BatchedTrace, type Draft, openBatchedTrace, type TraceWriter, withWrite } from '#trace/writer'
import type { JudgedRecording } from './judge-recording.ts'
import { type LiveJudge, startLiveJudge } from './live/live-judge.ts'
import { servePage } from './page/serve-page.ts'
import { startProxy } from './proxy/proxy.ts'
import { keyNames } from './traffic/key-names.ts'
import { Recorder } from './traffic/recorder.ts'

export interface RecordingSettings extends WatchSettings {
  readonly source: RecordingSource
  /** The page at `/`; by default there is none. */
  readonly page?: (request: IncomingMessage, response: ServerResponse) => void
}

export interface WatchSettings {
  readonly profile: Profile
  /** Holds the values of keys that the profile names, where they are known; by them the trace calls keys by their names. */
  readonly environment: Environment
  /** On 127.0.0.1; 0 takes a free one. */
  readonly port: number
  /** Where the trace is written. */
  readonly trace: string
}

/** A service that is watched. */
export interface RunningWatch {
  /** Where clients go. */
  readonly base_url: string
  /** Lines judged, lines held, sessions set aside; undefined before there is anything. */
  readonly state: ReturnType<typeof startLiveJudge>['state']
  /** Settles when the trace cannot be written any more. */
  readonly broken: Promise<Error>
  /** Ends all connections, and judges what is left. @throws TraceWriteError where the trace has a gap */
  end(): Promise<JudgedRecording>
}

/** Traffic that is recorded, and judged by nobody yet. */
export interface RunningRecording extends Pick<RunningWatch, 'base_url' | 'broken'> {
  /** Whether anything has passed so far. */
  readonly passed: () => boolean
  /** Ends all connections and the trace. @throws TraceWriteError where the trace has a gap */
  end(): Promise<void>
}

/** Stands before a service and records. @throws the system's error where the port or the trace cannot be had */
export async function startRecording(settings: RecordingSettings): Promise<RunningRecording> {
  const { profile, environment, port, source } = settings
  const secrets = readSecrets(profile, environment)
  const plan = planRun({ selected: [], tier: 'full', only: [], profile })
  const redactor = createRedactor(knownSecrets(secrets), plan.salt)
  const trace = guarded(openBatchedTrace(settings.trace, plan.epoch, redactor))
  const { line: head } = trace.writer.write(recordingHeader(source, plan, environment))
  const proxy = await startProxy({
    base_url: profile.base_url,
    allow_insecure_loopback: profile.allow_insecure_loopback === true,
    ca_pem: profile.ca_file === undefined ? undefined : readFileSync(profile.ca_file, 'utf8'),
    proxy: secrets.proxy,
    control_hosts: profile.control_hosts ?? [],
    port,
    recorder: new Recorder(trace.writer, redactor, keyNames(secrets.keys, redactor)),
    page: settings.page,
  })
  return {
    base_url: proxy.base_url,
    broken: trace.broken,
    passed: () => trace.writer.lines > head,
    end: async () => {
      await proxy.stop()
      await trace.finish()
    },
  }
}

/** @throws the system's error where the port or the trace cannot be had */
export async function startWatch(settings: WatchSettings): Promise<RunningWatch> {
  const { base_url } = settings.profile
  let judge: LiveJudge | undefined
  let passed = (): boolean => false
  const page = (request: IncomingMessage, response: ServerResponse): void =>
    servePage(request, response, judge?.state?.page, { base_url, passed: passed() })
  const recording = await startRecording({ ...settings, source: 'watch', page })
  passed = recording.passed
  const live = startLiveJudge({ trace: settings.trace, base_url })
  judge = live
  return {
    base_url: recording.base_url,
    get state() {
      return live.state
    },
    broken: recording.broken,
    end: async () => {
      try {
        await recording.end()
        return await live.end()
      } finally {
        await live.stop()
      }
    },
  }
}

/** First line of a recording: a run in which nothing is planned. */
export function recordingHeader(source: RecordingSource, plan: RunPlan, environment: Environment): Draft {
  return { ...headerOf(plan, { selected: [], skipped: [] }, environment), recording: source } as Draft
}

interface GuardedTrace {
  readonly writer: TraceWriter
  readonly broken: Promise<Error>
  /** Writes the end. @throws TraceWriteError where something could not be written */
  finish(): Promise<void>
}

/** Traffic goes on where its recording cannot: a full disk is no fault that clients may feel. */
function guarded(writer: BatchedTrace): GuardedTrace {
  const { promise, resolve } = Promise.withResolvers<Error>()
  let error: Error | undefined
  const write: TraceWriter['write'] = (draft) => {
    try {
      return writer.write(draft)
    } catch (caught) {
      error ??= caught instanceof Error ? caught : new Error(String(caught))
      resolve(error)
      return { line: writer.lines, t: writer.now() }
    }
  }
  return {
    writer: withWrite(writer, write),
    broken: promise,
    finish: async () => {
      try {
        if (error === undefined) writer.write({ kind: 'end', outcome: 'completed' })
        await writer.drained()
      } finally {
        writer.close()
      }
    },
  }
}
