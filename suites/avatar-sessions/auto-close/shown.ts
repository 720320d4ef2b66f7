import { countsOnVideo, videoAvatar } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import type { JsonObject } from '#trace/json'
import type { Mode } from '../life/timers.ts'

/** What a session is created with, and its mode. */
export interface Shown {
  readonly body: JsonObject
  readonly mode: Mode
}

/** A session like this one, in video where that is offered: timeouts count in either mode. */
export function shown(c: Context, text: JsonObject): Shown {
  if (!countsOnVideo(c.profile)) return { body: text, mode: 'text_chat' }
  const { session: _, ...own } = text
  return { body: { ...own, ...videoAvatar(c.profile) }, mode: 'video_avatar' }
}
