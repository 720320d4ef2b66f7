import type { Entry, FailureReason } from '#trace/entry'

const hints: { readonly [reason in FailureReason]: string } = {
  refused: 'nothing listens there; does the service run, and is its address right?',
  dns: 'its name was not found; is it spelled right, and does this machine reach its network?',
  tls: 'TLS failed; where its certificate has an authority of its own, name that in ca_file of a profile ("npx greenroom init --probe URL --ca-file FILE" writes one)',
  timeout: 'no reply came in time; is the address right, and does a firewall let it through?',
  reset: 'the connection was cut; is it https, and the right port?',
  protocol: 'it does not speak HTTP',
  'too-large': 'its replies are too large',
  aborted: 'the request was given up',
}

/** What the preflight says, and what to do about it. */
function advised(reason: string): string {
  if (/refused with 1000[13]$/.test(reason)) return `${reason}; put a valid API key into the variable of keys.primary`
  if (reason.startsWith('no reply bears an envelope')) return `${reason}; is base_url the address of this interface?`
  return reason
}

/**
 * Why there is nobody to judge, in words that say what to do.
 *
 * @param reason what the preflight says
 * @param entries the trace so far
 */
export function whyUnreachable(reason: string, entries: readonly Entry[]): string {
  const last = entries.findLast(({ kind }) => kind === 'failure' || kind === 'response')
  if (last?.kind !== 'failure') return advised(reason)
  if (last.reason === 'tls' && /WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST/i.test(last.message)) {
    return 'the target was not reached: what listens there does not speak TLS; is it the right port, and https?'
  }
  // Node adds advice to its messages that does not fit here.
  const [message = ''] = last.message.split(';')
  const hint = last.reason === 'refused' && /TLS|SSL/.test(message) ? hints.reset : hints[last.reason]
  return `the target was not reached: ${hint} (${message})`
}
