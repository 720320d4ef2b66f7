import { firstGot } from '#judge/operations'
import type { TraceIndex } from '#judge/trace-index'
import { at, type Json, textsIn } from '#trace/json'
import type { Create } from './refused-creates.ts'

/** Shorter words may occur anywhere. */
export const shortest = 9

/**
 * Whether a list, or what Get says of its new sessions, shows an avatar id that only refused bodies had.
 *
 * @param taking creates that made a session, or may have
 */
export function bearsMark(
  trace: TraceIndex,
  { refused, taking }: { readonly refused: readonly Create[]; readonly taking: readonly Pick<Create, 'body'>[] },
  { data, fresh }: { readonly data: Json | undefined; readonly fresh: readonly string[] },
): boolean {
  const taken = new Set(taking.flatMap(avatarIds))
  const marks = refused.flatMap(avatarIds).filter((id) => id.length >= shortest && !taken.has(id))
  const shown = [data, ...fresh.map((id) => firstGot(trace, id))]
  return marks.some((mark) => shown.some((part) => textsIn(part).includes(mark)))
}

function avatarIds({ body }: Pick<Create, 'body'>): readonly string[] {
  const avatars = at(body, '/avatars')
  const ids = Array.isArray(avatars) ? (avatars as readonly Json[]).map((avatar) => at(avatar, '/avatar_id')) : []
  return ids.filter((id): id is string => typeof id === 'string')
}
