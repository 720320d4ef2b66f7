import { event } from '#trace/conditions'
import { speech } from '../bodies.ts'
import { story } from '../responses/busy.ts'
import { tryUpdate } from '../updates/updates.ts'
import { longText, sound } from './requests.ts'
import type { Asking } from './waiting.ts'

const moments = {
  'reject behind the text': 'response.output_text.done',
  'reject behind the item': 'response.output_item.done',
} as const

/** What is still rendered when its text or its item has come is active. */
export async function rejectBehind(operation: keyof typeof moments, { talk, words, send }: Asking): Promise<void> {
  const frame = talk.channel.frames.at(-1)?.frame ?? 0
  await send(speech(story(talk, longText)))
  await talk.hear(event(moments[operation]), frame, 'walk')
  await send(speech(words(), { scheduling_policy: 'reject_if_busy' }))
}

/** Audio is played where it is seen. A session that was in text until then speaks there, too. */
export async function play({ talk, acting, send, hearOut }: Asking): Promise<void> {
  if (!acting) {
    await tryUpdate(talk, { mode: 'video_avatar' })
    await send(speech('And now in video.'))
    await hearOut()
  }
  await send(sound, 'audio')
  await hearOut()
  if (!acting) await tryUpdate(talk, { mode: 'text_chat' })
}
