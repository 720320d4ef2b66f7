import type { Entry, FailureReason } from '#trace/entry'

const hints: { readonly [reason in FailureReason]: string } = {
  refused: 'nothing listens there',
  dns: 'its name was not found',
  tls: 'TLS failed; where its certificate has an authority of its own, name that in ca_file',
  timeout: 'no reply came in time',
  reset: 'the connection was cut; is it https, and the right port?',
  protocol: 'it does not speak HTTP',
  'too-large': 'its replies are too large',
  aborted: 'the request was given up',
}

/**
 * Why there is nobody to judge, in words that say what to do.
 *
 * @param reason what the preflight says
 * @param entries the trace so far
 */
export function whyUnreachable(reason: string, entries: readonly Entry[]): string {
  const last = entries.findLast(({ kind }) => kind === 'failure' || kind === 'response')
  if (last?.kind !== 'failure') return reason
  // Node adds advice to its messages that does not fit here.
  const [message = ''] = last.message.split(';')
  return `the target was not reached: ${hints[last.reason]} (${message})`
}
