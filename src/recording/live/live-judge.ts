import { Worker } from 'node:worker_threads'
import { ownFile } from '#spec/package-root'
import type { JudgedRecording } from '../judge-recording.ts'
import type { JudgeMessage, JudgeTask } from './messages.ts'

/** What was last told of the judging. */
export type LiveState = Omit<Extract<JudgeMessage, { kind: 'page' }>, 'kind'>

/** Judges a trace in a thread of its own while it is written. */
export interface LiveJudge {
  /** Undefined before there is anything to show. */
  readonly state: LiveState | undefined
  /** To be called once the trace has its end. @throws Error where the thread broke */
  end(): Promise<JudgedRecording>
  stop(): Promise<void>
}

export function startLiveJudge(task: JudgeTask): LiveJudge {
  const thread = new Worker(ownFile('./judge-thread', import.meta.url), { workerData: task })
  const { promise, resolve, reject } = Promise.withResolvers<JudgedRecording>()
  // Whoever never asks for the end hears of a broken thread by the page that no longer changes.
  promise.catch(() => {})
  let state: LiveState | undefined
  thread.on('message', (message: JudgeMessage) => {
    if (message.kind === 'page') state = message
    else if (message.kind === 'end') resolve(message.judged)
    else reject(new Error(message.message))
  })
  thread.on('error', reject)
  thread.on('exit', () => reject(new Error('the thread that judges ended too early')))
  return {
    get state() {
      return state
    },
    end: () => {
      thread.postMessage('end')
      return promise
    },
    stop: async () => void (await thread.terminate()),
  }
}
