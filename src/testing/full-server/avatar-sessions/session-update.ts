import { imageOf } from '../shapes/avatar-shape.ts'
import type { Heard } from '../channel/heard.ts'
import { Reader } from '../reader.ts'
import { Complaint } from '../refusal.ts'
import type { AvatarSession } from './session.ts'
import { mediaOf } from './session-view.ts'

/** Section 4.4, `session.update`. An explicit `null` in a video session is refused, or brings the avatar's own image. */
export function updateSession({ session, socket, message, eventId }: Heard): void {
  const wanted = new Reader(message, 'event', (text) => new Complaint(text)).needChild('session')
  const mode = wanted.choice('mode', ['text_chat', 'video_avatar']) ?? session.mode
  const activeAvatar = wanted.string('active_avatar_id') ?? session.activeAvatar
  const avatar = session.avatars.get(activeAvatar)
  if (avatar === undefined) throw new Complaint('there is no such avatar')
  const cleared = wanted.bag['source_image_id'] === null
  const asked = cleared ? undefined : wanted.string('source_image_id')
  let sourceImage: string | undefined
  if (mode === 'video_avatar') {
    if (session.choices.textOnly) throw new Complaint('this service speaks, but does not show itself')
    const kept = activeAvatar === session.activeAvatar ? session.sourceImage : undefined
    const falls = cleared && !session.choices.contrary
    sourceImage = falls ? undefined : (asked ?? (cleared ? undefined : kept) ?? imageOf(avatar))
    if (sourceImage === undefined || !avatar.usable.includes(sourceImage)) throw new Complaint('no usable source image')
  }
  const arrives = mode === 'video_avatar' && session.mode === 'text_chat'
  Object.assign(session, { mode, activeAvatar, sourceImage } satisfies Partial<AvatarSession>)
  session.updates.cancel('superseded')
  const id = eventId ?? session.connections.nextId()
  session.connections.toOne(socket, {
    type: 'session.updated',
    event_id: id,
    session: { source_image_id: sourceImage ?? null, active_avatar_id: activeAvatar, mode },
    ...(arrives ? { media_transport: session.plan.transport, media: mediaOf(session) } : {}),
  })
  session.updates.accepted(id, socket)
}
