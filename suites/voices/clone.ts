import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { Blocked } from '#scenario/author/blocked'
import { accepted, all, answer, any, different, equals, oneOf, value } from '#trace/conditions'
import { type Cloned, clone, clonedBy, type Library, upload } from './library.ts'
import { longestLanguage, longestName, nameOf } from './names.ts'

export const cloneRows: readonly RequirementId[] = [
  'voices.clone.accepted',
  'voices.clone.language-fil-accepted',
  'voices.clone.language-optional',
  'voices.name.128-characters-accepted',
  'voices.name.counted-in-characters',
  'audio-files.scope.shared-by-keys',
]

/**
 * Uploads a sample and clones it twice, with a language and without; a third time only where one of these was refused.
 *
 * @param between what is done with the sample before its second clone, which is none the worse for it
 */
export async function fillLibrary(context: Context, between: (library: Library) => Promise<void>): Promise<Library> {
  const file = await upload(context)
  const numbers = {
    long: context.exchange(),
    short: context.exchange(),
    keyed: context.exchange(),
    bare: context.exchange(),
  }
  const { long, short, keyed, bare } = numbers
  const speaks = any(accepted(long), accepted(short))
  const works = any(accepted(long), accepted(short), accepted(bare), accepted(keyed))
  const options = heardBy(context, works, short)
  const spoken = await withLanguage(context, file, numbers, options)
  const soFar = { file, works, speaks, spoken }
  // What is refused of a sample that nothing was cloned from yet, may be refused for its sound.
  const early = spoken !== undefined || options.given === undefined
  if (early) await between(soFar)
  const unspoken = await withoutLanguage(context, file, numbers, options)
  if (spoken === undefined && unspoken === undefined && options.given !== undefined) throw unheard
  if (!early) await between(soFar)
  return { ...soFar, unspoken }
}

const unheard = new Blocked(
  'missing_media',
  'the synthetic sample was refused; name a recording of clear speech in media.voice_sample',
)

/** Codes that say nothing of how a sample sounds (section 7). */
const notOfSound = [20003, 20005, 10001, 10003, 10004, 10005, 10009]

/** 4.3 asks for clear speech, and a service may look for it: a synthetic sample that it refuses is no fault of its. */
function heardBy({ profile }: Context, works: Condition, last: number): Options {
  if (profile.media?.voice_sample !== undefined) return {}
  const other = equals(answer(last, '/code'), oneOf(...notOfSound))
  return { given: [any(works, other)], given_code: 'model_choice' }
}

interface Options {
  readonly given?: readonly Condition[]
  readonly given_code?: 'model_choice'
}

interface Numbers {
  readonly long: number
  readonly short: number
  readonly keyed: number
  readonly bare: number
}

/** First with the longest name; with a short one where that was refused. In the language whose code is the odd one out. */
async function withLanguage(
  context: Context,
  file_id: string,
  { long, short }: Numbers,
  options: Options,
): Promise<Cloned | undefined> {
  const language = longestLanguage
  const either = any(accepted(long), accepted(short))
  context.claim('voices.clone.accepted', either, options)
  context.claim(`voices.clone.language-${language}-accepted`, either, options)
  context.claim('voices.name.128-characters-accepted', accepted(long), { ...options, given: [either] })
  const body = { file_id, language }
  const first = await clone(context, { ...body, name: nameOf(context, 'voice', longestName) }, { exchange: long })
  return clonedBy(first.ok ? first : await clone(context, { ...body, name: context.id('voice') }, { exchange: short }))
}

/**
 * First with a key of the same workspace, and with a name of the longest kind in characters of several bytes; where that
 * was refused, with neither. 20005 says that the file was not found: then the name is not to blame.
 */
async function withoutLanguage(
  context: Context,
  file_id: string,
  { keyed, bare }: Numbers,
  options: Options,
): Promise<Cloned | undefined> {
  const key = context.has('same_workspace') ? 'same_workspace' : 'primary'
  const unfound = equals(answer(keyed, '/code'), value(20005))
  const named = all(accepted(bare), different(answer(keyed, '/code'), value(20005)))
  context.claim('voices.clone.language-optional', any(accepted(keyed), accepted(bare)), options)
  context.claim('voices.name.counted-in-characters', accepted(keyed), {
    ...options,
    given: [any(accepted(keyed), named)],
  })
  if (key === 'same_workspace') {
    context.claim('audio-files.scope.shared-by-keys', accepted(keyed), {
      ...options,
      given: [any(accepted(keyed), unfound)],
    })
  }
  const name = nameOf(context, 'voice', longestName, '声')
  const first = await clone(context, { name, file_id }, { exchange: keyed, key })
  if (first.ok) return clonedBy(first, key)
  return clonedBy(await clone(context, { name: context.id('voice'), file_id }, { exchange: bare }))
}
