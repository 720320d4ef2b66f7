import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '#trace/message-of'
import { RecordingJudge, startJudge } from '../judge-recording.ts'
import { watchPage } from '../page/watch-page.ts'
import type { JudgeMessage, JudgeOrder, JudgeTask } from './messages.ts'

// A thread of `watch`: follows the trace that the proxy writes, judges it, and makes the page of the current state. Beside
// the proxy, so that judging costs no request a millisecond.
const task = workerData as JudgeTask

/** Lines read in one turn, so that an order is heard. */
const linesATurn = 5_000
const restMs = 200
/** A new page comes after so long at the earliest, and after ten times as long as it took to judge what is held. */
const pageMs = 2_000
const costFactor = 10

giveWay()
const recording = new RecordingJudge(task.trace, await startJudge())
let ending = false
let told = 0
let cost = 0
let shown = -1

parentPort?.on('message', (order: JudgeOrder) => {
  ending = order === 'end'
})

function tell(message: JudgeMessage): void {
  parentPort?.postMessage(message, message.kind === 'page' ? [message.page.buffer] : [])
}

function tellPage(): void {
  const began = performance.now()
  const judged = recording.sofar()
  const { lines, held, setAside } = recording.judge
  const state = { ...judged, base_url: task.base_url, lines, held, setAside }
  tell({ kind: 'page', page: new TextEncoder().encode(watchPage(state)), lines, held, setAside })
  told = performance.now()
  cost = told - began
  shown = lines
}

/** Where both want a processor, the proxy goes first. Only Linux tells and lowers a single thread. */
function giveWay(): void {
  try {
    const [, thread] = /task\/(\d+)$/.exec(readlinkSync('/proc/thread-self')) ?? []
    if (thread !== undefined) setPriority(Number(thread), constants.priority.PRIORITY_LOW)
  } catch {
    // Elsewhere it judges beside the proxy as its equal.
  }
}

function turn(): void {
  try {
    const more = recording.look(linesATurn)
    if (!more && ending) {
      tell({ kind: 'end', judged: recording.end() })
      recording.close()
      parentPort?.close()
      return
    }
    const due = performance.now() - told >= Math.max(pageMs, costFactor * cost)
    if (due && recording.judge.lines > 0 && recording.judge.lines !== shown && !ending) tellPage()
    if (more) setImmediate(turn)
    else setTimeout(turn, ending ? 0 : restMs)
  } catch (error) {
    tell({ kind: 'broken', message: messageOf(error) })
    parentPort?.close()
  }
}

turn()
