import type { RequestEntry } from '#trace/entry'

/** What a trace holds of a request for the list of voices, made by hand. */
export const voicesRequest = (fields: Partial<RequestEntry> = {}): RequestEntry => ({
  kind: 'request',
  t: 1,
  exchange: 1,
  attempt: 1,
  operation: 'list-voices',
  method: 'GET',
  path: '/v1/voices',
  key: 'primary',
  headers: {},
  ...fields,
})
