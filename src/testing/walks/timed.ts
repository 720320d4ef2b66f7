/** What every model of a life is told of one request: when it was asked, when it was answered, and that nothing else is known. */
export function timed([from, until]: readonly [number, number]) {
  const ended: 'lost' | 'done' = until === Number.POSITIVE_INFINITY ? 'lost' : 'done'
  return { ended, from, until, sent: from, answered: until, lines: [], scenario: undefined }
}
