import { event } from '#trace/conditions'
import { speechAsset } from '../assets/additions.ts'
import { speech } from '../bodies.ts'
import { cutGraceMs } from '../model/cut.ts'
import { lastingBeyond, outOfBand, story } from '../responses/busy.ts'
import { outlast } from '../responses/responses.ts'
import { among } from './among.ts'
import { register, sound } from './requests.ts'
import type { Operation } from './stages.ts'
import type { Asking } from './waiting.ts'

const cuts = [
  'cut a long one',
  'cut a long one out of band',
  'cut a long one by one out of band',
  'cut a long one by a reply',
  'cut a long one by audio',
  'cut a registered one',
  'cut one that waited',
] as const satisfies readonly Operation[]

type Cut = (typeof cuts)[number]

export const isCut = among(cuts)

/** A text runs so many times faster than its voice, where there is one. */
const ahead = 3

const policy = { scheduling_policy: 'interrupt' } as const

/**
 * A speech that would go on for long behind what interrupts it, were it not cut short: only then is it sure that both ran.
 * Where it is cut, none of it has to be waited for.
 */
export async function cutLong(operation: Cut, asking: Asking): Promise<void> {
  const { talk, busy, send, hearOut } = asking
  const length = Math.min(busy.longest, ahead * lastingBeyond(busy, cutGraceMs).length)
  await speakLong(operation, story(talk, length), asking)
  if (operation === 'cut a long one by audio') await send({ ...sound, ...policy }, 'audio')
  else if (operation === 'cut a long one by a reply') await send(policy)
  else if (operation === 'cut a long one by one out of band')
    await send(speech(story(talk, 40), { ...policy, ...outOfBand }), 'aside')
  else await send(speech(story(talk, 40), policy))
  await hearOut()
}

/** Until it is active. */
async function speakLong(operation: Cut, text: string, { talk, send }: Asking): Promise<void> {
  if (operation === 'cut a registered one') return send({ ...speechAsset(await register(talk, text)), ...policy })
  if (operation !== 'cut one that waited')
    return send(speech(text, { ...policy, ...(operation === 'cut a long one out of band' ? outOfBand : {}) }))
  await send(speech(story(talk, 40), policy))
  const frame = talk.channel.frames.at(-1)?.frame ?? 0
  await send(speech(text, { scheduling_policy: 'after_current_response' }))
  await outlast(talk, event('response.created'), frame)
}
