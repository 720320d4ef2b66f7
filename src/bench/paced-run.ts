import { runBin } from './run-bin.ts'

/**
 * A standard run while every key of the embedded target has this limit.
 *
 * @throws unless it is conformant without a 429 outside the scenarios that are about it
 */
export async function pacedRun(requestsPerMinute: number): Promise<string> {
  const ran = await runBin(['check', '--requests-per-minute', String(requestsPerMinute)])
  if (ran.code !== 0 || ran.results === undefined)
    throw new Error(`it ended with ${ran.code}: ${ran.output.slice(-600)}`)
  const { rest_requests } = ran.results.traffic
  return `conformant at ${requestsPerMinute} requests a minute: ${rest_requests} requests in ${Math.round(ran.seconds)} s`
}
