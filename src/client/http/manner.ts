import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestEntry } from '#trace/entry'
import type { RestCall } from '../types.ts'

/** What of a call its request does not show; nothing where all is as usual. */
export function mannerOf({
  retry,
  pace,
  give_up,
  chunked,
  passing,
  deadline_ms,
}: RestCall): Pick<RequestEntry, 'manner'> {
  const manner = {
    ...(retry === 'never' ? { retry } : {}),
    ...(pace === false ? { pace } : {}),
    ...(give_up === true ? { give_up } : {}),
    ...(chunked === true ? { chunked } : {}),
    ...(passing === undefined ? {} : { passing }),
    ...(deadline_ms === undefined ? {} : { deadline_ms }),
  }
  return Object.keys(manner).length === 0 ? {} : { manner }
}

/** Keeps the bytes of files that a form sends, so that it can be sent again: a trace shows their digest only. */
export function keepUploads(folder: string | undefined, { multipart = [] }: RestCall): void {
  if (folder === undefined) return
  for (const { data } of multipart) {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data
    const file = join(folder, createHash('sha256').update(bytes).digest('hex'))
    if (existsSync(file)) continue
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, bytes)
    } catch {
      // Then this upload cannot be sent again; the run itself lacks nothing.
    }
  }
}
