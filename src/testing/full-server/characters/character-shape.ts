import { createHash } from 'node:crypto'
import { rehosted } from '../shapes/avatar-shape.ts'
import { type JsonObject, isBag, Reader, repeated } from '../reader.ts'
import { Refusal } from '../refusal.ts'
import { type Offer, readSessionRequest } from '../avatar-sessions/session-request.ts'
import { REHOSTED, TRIGGERS } from '../choices.ts'

/** What is saved of a body; all else is let go. */
const saved = [
  'model',
  'session',
  'output',
  'pipeline_config',
  'avatars',
  'conversation',
  'delivery',
  'max_duration_seconds',
  'auto_close',
]

/** Section 4.2: the rules of create and update. Faults without a code of their own are told by 20004, too. */
export function readCharacter(body: Reader, offer: Offer): { name: string; configuration: JsonObject } {
  const name = body.words('name')
  checkAvatars(body)
  const mode = body.child('session')?.string('mode') ?? 'video_avatar'
  if (mode === 'video_avatar' && !body.has('output')) {
    throw new Refusal(20014, 'output is required for video_avatar mode')
  }
  const whole = { ...body.bag, model: body.bag['model'] ?? 'svc-a1-stream' }
  readSessionRequest(new Reader(whole, 'body', body.complain), offer)
  if (JSON.stringify(body.bag).includes(TRIGGERS.moderated_text)) {
    throw new Refusal(30001, 'content rejected by moderation')
  }
  const kept = Object.fromEntries(saved.filter((one) => body.has(one)).map((one) => [one, body.bag[one]]))
  return { name, configuration: { ...kept, avatars: rehosted(body.list('avatars'), addressOf) } }
}

function checkAvatars(body: Reader): void {
  if (!body.has('avatars') || body.list('avatars').length === 0) throw new Refusal(20012, 'avatars is required')
  const ids = body.list('avatars').map((one) => (isBag(one) ? one['avatar_id'] : undefined))
  const good = ids.filter((id) => typeof id === 'string' && id !== '')
  const active = body.child('session')?.bag['active_avatar_id']
  const matches = active === undefined || ids.includes(active)
  if (good.length < ids.length || repeated(good as string[]) !== undefined || !matches) {
    throw new Refusal(20013, 'invalid avatars')
  }
}

function addressOf(image: string): string {
  if (image.startsWith(REHOSTED)) return image
  return `${REHOSTED}${createHash('sha1').update(image).digest('hex')}.png`
}
