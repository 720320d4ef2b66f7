import { Blocked } from '#scenario/author/blocked'
import { acceptance, outcome, type Terms } from '#scenario/author/expectation'
import type { Context } from '#scenario/author/context'
import { step } from '#scenario/author/step'
import type { Condition } from '#trace/claim'
import { accepted, all, answer, any, different, equals, oneOf, value } from '#trace/conditions'
import type { Exchange } from '#client/types'
import { clone, cloned, type Cloned, type Library, sampleLikeIt, upload } from './library.ts'
import { longestLanguage, longestName, nameOf } from './names.ts'
import { refuseFaults } from './refusals.ts'

/**
 * Numbers of five clones: with a language and the longest name, or a short one; without a language and on another key, with
 * a name of many kinds of characters or of fewer, or on neither.
 */
interface Numbers {
  readonly long: number
  readonly short: number
  readonly keyed: number
  readonly plain: number
  readonly bare: number
}

/** A sample that was uploaded, and what is to become of it. */
interface Sample {
  readonly file_id: string
  readonly numbers: Numbers
  /** A synthetic sample is the only one at hand. */
  readonly synthetic: boolean
  /** That it is still there; nothing where no voice was cloned from it yet. How long a file is kept is not said. */
  readonly kept: readonly Condition[]
}

/** What came of a clone without a language. */
interface Unspoken {
  readonly voice: Cloned | undefined
  /** Neither key of the workspace found the file. */
  readonly isMissing: boolean
}

/** First with the longest name; with a short one where that was refused. In the language whose code is the odd one out. */
const cloneWithLanguage = step(
  ['voices.clone.accepted', `voices.clone.language-${longestLanguage}-accepted`, 'voices.name.128-characters-accepted'],
  async (c, sample: Sample): Promise<Cloned | undefined> => {
    const { long, short } = sample.numbers
    const either = any(accepted(long), accepted(short))
    const heard = whereHeard(sample)
    c.claim('voices.clone.accepted', either, heard)
    c.claim(`voices.clone.language-${longestLanguage}-accepted`, either, heard)
    c.expect(acceptance('voices.name.128-characters-accepted', within(sample, either)), long)
    const body = { file_id: sample.file_id, language: longestLanguage }
    const name = nameOf(c, 'voice', longestName)
    const first = await clone(c, { ...body, name }, { exchange: long })
    return cloned(first.ok ? first : await clone(c, { ...body, name: c.id('voice') }, { exchange: short }))
  },
)

const notOfName = [20005, 10009]

/** Ends with a character beyond the first 65,536, which takes two units of UTF-16 and four bytes: with the others at most 128. */
function nameOfManyKinds(c: Context): string {
  return `${nameOf(c, 'voice', longestName - 2, '声')}🎙`
}

/**
 * First with a key of the same workspace, and with a name of the longest kind in characters of several bytes, one of them of
 * four; where that was refused, with none of these, and then with neither. 20005 says that the file was not found, 10009 that
 * this key may not clone: then the name is not to blame.
 */
const cloneWithoutLanguage = step(
  ['voices.clone.language-optional', 'voices.name.counted-in-characters', 'audio-files.scope.shared-by-keys'],
  async (c, sample: Sample): Promise<Unspoken> => {
    const { file_id, numbers, kept } = sample
    const { keyed, plain, bare } = numbers
    const key = c.has('same_workspace') ? 'same_workspace' : 'primary'
    const code = answer(keyed, '/code')
    const wide = any(accepted(keyed), accepted(plain))
    const named = all(accepted(bare), different(code, oneOf(...notOfName)))
    const heard = whereHeard(sample).onlyIf ?? []
    c.claim('voices.clone.language-optional', any(wide, accepted(bare)), { onlyIf: [...kept, ...heard] })
    const counted = outcome('voices.name.counted-in-characters', () => wide, within(sample, any(wide, named)))
    const found = all(any(wide, equals(code, value(20005))), ...kept)
    const shared = outcome('audio-files.scope.shared-by-keys', () => wide, within(sample, found))
    const expect = key === 'same_workspace' ? [counted, shared] : counted
    const first = await clone(c, { name: nameOfManyKinds(c), file_id }, { exchange: keyed, key, expect })
    if (first.ok) return { voice: cloned(first, key), isMissing: false }
    const name = nameOf(c, 'voice', longestName, '声')
    const again = await clone(c, { name, file_id }, { exchange: plain, key })
    if (again.ok) return { voice: cloned(again, key), isMissing: false }
    const second = await clone(c, { name: c.id('voice'), file_id }, { exchange: bare })
    return { voice: cloned(second), isMissing: isMissing(first) && isMissing(second) }
  },
)

const isMissing = ({ code }: Exchange): boolean => code === 20005

/** Clones it with one key of the workspace or the other; 20005 from both says that the file is gone. */
const keptBy = ({ keyed, plain, bare }: Numbers): Condition =>
  any(accepted(keyed), accepted(plain), different(answer(bare, '/code'), value(20005)))

const numbersOf = (c: Context): Numbers => ({
  long: c.exchange(),
  short: c.exchange(),
  keyed: c.exchange(),
  plain: c.exchange(),
  bare: c.exchange(),
})

/**
 * Uploads a sample and clones it twice, with a language and without; a third time only where one of these was refused.
 * Before the second clone it is refused with faults, which does it no harm. Where the file is gone by then, another one
 * takes its place.
 */
export const fillLibrary = step(
  [cloneWithLanguage, cloneWithoutLanguage, refuseFaults],
  async (c): Promise<Library> => {
    const file = await upload(c)
    const numbers = numbersOf(c)
    const synthetic = c.profile.media?.voice_sample === undefined
    const sample = { file_id: file, numbers, synthetic, kept: [] }
    const spoken = await cloneWithLanguage(c, sample)
    const { long, short } = numbers
    const isWanted = spoken === undefined || c.takes('second')
    const kept = spoken !== undefined && isWanted ? [keptBy(numbers)] : []
    const works = worksOf(numbers)
    const speaks = any(accepted(long), accepted(short))
    const soFar = { file, works, speaks, spoken, usesUp: false }
    // What is refused of a sample that nothing was cloned from yet, may be refused for its sound.
    const early = spoken !== undefined || !synthetic
    if (early) await refuseFaults(c, { ...soFar, works: all(works, ...kept), speaks: all(speaks, ...kept) })
    const { voice: unspoken, isMissing: isGone } = isWanted
      ? await cloneWithoutLanguage(c, { ...sample, kept })
      : { voice: undefined, isMissing: false }
    if (spoken === undefined && unspoken === undefined && synthetic) throw unheard
    if (!early) await refuseFaults(c, soFar)
    return isGone && spoken !== undefined ? fillAnew(c, { ...soFar, usesUp: true }, sample) : { ...soFar, unspoken }
  },
)

/** With a file that nothing was cloned from yet. */
const fillAnew = step(
  [cloneWithoutLanguage, refuseFaults],
  async (c, library: Library, { synthetic, numbers: before }: Sample): Promise<Library> => {
    const file = await upload(c, sampleLikeIt(c))
    const { keyed, plain, bare } = numbersOf(c)
    const numbers = { ...before, keyed, plain, bare }
    await refuseFaults(c, { ...library, file })
    const { voice } = await cloneWithoutLanguage(c, { file_id: file, numbers, synthetic, kept: [] })
    return { ...library, file, works: any(library.works, worksOf(numbers)), unspoken: voice }
  },
)

const unheard = new Blocked(
  'missing_media',
  'the synthetic sample was refused; name a recording of clear speech in media.voice_sample',
)

/** That any of the five was accepted: the sample can be cloned. */
function worksOf({ long, short, keyed, plain, bare }: Numbers): Condition {
  return any(...[long, short, bare, plain, keyed].map(accepted))
}

/** Codes that say nothing of how a sample sounds (section 7). */
const notOfSound = [20003, 20005, 10001, 10003, 10004, 10005, 10009]

/** 4.3 asks for clear speech, and a service may look for it: a synthetic sample that it refuses is no fault of its. */
function whereHeard({ numbers, synthetic }: Sample): Terms {
  if (!synthetic) return {}
  const other = equals(answer(numbers.short, '/code'), oneOf(...notOfSound))
  return { onlyIf: [any(worksOf(numbers), other)] }
}

/** The same with a premise of its own. */
function within({ synthetic }: Sample, premise: Condition): Terms {
  return synthetic ? { onlyIf: [premise] } : { given: [premise] }
}
