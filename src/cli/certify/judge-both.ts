import type { KeyObject } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { Carried } from '#certificate/file'
import type { Judging } from '#certificate/judged-run'
import { openCertificate } from '#certificate/open'
import { type Verified, verifyOpened } from '#certificate/verify'
import type { Results } from '#judge/results'
import { parseTrace } from '#trace/reader'
import { ownFile } from '#spec/package-root'

/** Shorter traces, in bytes, are judged before a thread has started. */
const worthAThread = 1_000_000

/**
 * Verifies a certificate as `verifyCertificate` does, with both runs judged at once. What judges is asked for once the
 * certificate could be opened: what is judged is what was signed.
 *
 * @param key that must have signed, where one is known
 * @throws CertificateTrouble
 */
export async function verifyAtOnce(
  bytes: Buffer,
  key: KeyObject | undefined,
  judging: () => Judging | Promise<Judging>,
): Promise<Verified> {
  const opened = openCertificate(bytes, key)
  return verifyOpened(opened, await judgeBoth(opened.carried, await judging()))
}

/**
 * Judges both runs of a certificate at once, the first in a thread of its own. What cannot be judged so is left to whoever
 * asks for it: all that is wrong with a run is told in one place.
 *
 * @returns the same judging, which knows already what came of them
 */
export async function judgeBoth(carried: Carried, judging: Judging, worth = worthAThread): Promise<Judging> {
  const [first, second] = [carried['run-1/trace.ndjson'], carried['run-2/trace.ndjson']]
  if (Math.min(first.length, second.length) < worth) return judging
  const known = new Map<string, Results>()
  const beside = judgeInThread(first).catch(() => undefined)
  try {
    const trace = parseTrace(second)
    known.set(trace.sha256, judging.judge(trace))
  } catch {
    // It is judged again, and what is wrong with it told then.
  }
  const results = await beside
  if (results !== undefined) known.set(results.run.trace, results)
  return { ...judging, judge: (trace) => known.get(trace.sha256) ?? judging.judge(trace) }
}

/** @param bytes of a trace */
function judgeInThread(bytes: Buffer): Promise<Results> {
  const { promise, resolve, reject } = Promise.withResolvers<Results>()
  const thread = new Worker(ownFile('./judging-thread', import.meta.url), { workerData: bytes, stderr: true })
  thread.on('message', resolve)
  thread.on('error', reject)
  thread.on('exit', () => reject(new Error('the thread ended before it had judged')))
  return promise
}
