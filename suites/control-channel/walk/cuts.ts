import { speech } from '../bodies.ts'
import { cutGraceMs } from '../model/cut.ts'
import { lastingBeyond, outOfBand, story } from '../responses/busy.ts'
import { among } from './among.ts'
import { sound } from './requests.ts'
import type { Operation } from './stages.ts'
import type { Asking } from './waiting.ts'

const cuts = [
  'cut a long one',
  'cut a long one out of band',
  'cut a long one by one out of band',
  'cut a long one by audio',
] as const satisfies readonly Operation[]

export const isCut = among(cuts)

/** A text runs so many times faster than its voice, where there is one. */
const ahead = 3

const policy = { scheduling_policy: 'interrupt' } as const

/**
 * A speech that would go on for long behind what interrupts it, were it not cut short: only then is it sure that both ran.
 * Where it is cut, none of it has to be waited for.
 */
export async function cutLong(operation: (typeof cuts)[number], { talk, busy, send, hearOut }: Asking): Promise<void> {
  const length = Math.min(busy.longest, ahead * lastingBeyond(busy, cutGraceMs).length)
  const aside = operation === 'cut a long one out of band' ? outOfBand : {}
  await send(speech(story(talk, length), { ...policy, ...aside }))
  if (operation === 'cut a long one by audio') await send({ ...sound, ...policy }, 'audio')
  else if (operation === 'cut a long one by one out of band')
    await send(speech(story(talk, 40), { ...policy, ...outOfBand }), 'aside')
  else await send(speech(story(talk, 40), policy))
  await hearOut()
}
