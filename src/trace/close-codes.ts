/** What a server says that is restarted or moved (RFC 6455 and its registry): no answer to anything of ours. */
const away: ReadonlySet<number> = new Set([1001, 1012, 1013])

/** What says that we did something wrong: against the protocol, by our data, their text, a policy, their size, or what we want. */
const blaming: ReadonlySet<number> = new Set([1002, 1003, 1007, 1008, 1009, 1010])

/** Whether the code of a close tells that the server goes away, whatever anybody did. */
export function isGoingAway(code: number): boolean {
  return away.has(code)
}

/** Whether the code of a close tells that it is our doing. Any other may come by accident, as no connection lasts for ever. */
export function isBlame(code: number): boolean {
  return blaming.has(code)
}
