const SESSIONS = '/v1/realtime-avatar/sessions'

/** A request as the service sees it: whose key it bore, and what it asked. */
export interface ServiceRequest {
  /** Name of the key; undefined for one that nobody knows. */
  readonly key: string | undefined
  readonly method: string
  readonly path: string
  readonly body: { readonly [field: string]: unknown } | undefined
  /** Whether nobody waits for the answer any more. */
  abandoned(): boolean
}

/** What a request asks for. */
export function operationOf({ method, path }: ServiceRequest): 'create' | 'list' | 'get' | 'close' | 'unknown' {
  if (path === SESSIONS) return method === 'POST' ? 'create' : 'list'
  if (!path.startsWith(`${SESSIONS}/`)) return 'unknown'
  return path.endsWith('/close') ? 'close' : 'get'
}

/** The id of the first avatar of a create. */
export function markOf(body: ServiceRequest['body']): string {
  const avatars = body?.['avatars']
  const first: unknown = Array.isArray(avatars) ? avatars[0] : undefined
  const mark = typeof first === 'object' && first !== null ? (first as { avatar_id?: unknown }).avatar_id : undefined
  return typeof mark === 'string' ? mark : ''
}

/** Whether a create asks for a longer session than there is, or for a timeout beyond its session (4.1). */
export function outlasts(
  body: NonNullable<ServiceRequest['body']>,
  { unasked, longest }: { readonly unasked: number; readonly longest: number },
): boolean {
  const { max_duration_seconds: lasts = unasked, auto_close } = body as {
    readonly max_duration_seconds?: number
    readonly auto_close?: { readonly disconnected_timeout_seconds?: number }
  }
  return lasts > longest || (auto_close?.disconnected_timeout_seconds ?? 0) > lasts
}
