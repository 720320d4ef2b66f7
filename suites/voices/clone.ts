import type { RequirementId } from '../../src/law/register.ts'
import type { Context } from '../../src/scenario/context.ts'
import { accepted, all, answer, any, different, equals, value } from '../../src/trace/conditions.ts'
import { type Cloned, clone, clonedBy, type Library, upload } from './library.ts'
import { longestLanguage, longestName, nameOf } from './names.ts'

export const cloneRows: readonly RequirementId[] = [
  'voices.clone.accepted',
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
  const [long, short, keyed, bare] = [context.exchange(), context.exchange(), context.exchange(), context.exchange()]
  const speaks = any(accepted(long), accepted(short))
  const works = any(accepted(long), accepted(short), accepted(bare), accepted(keyed))
  const spoken = await withLanguage(context, file, { long, short })
  await between({ file, works, speaks, spoken })
  const unspoken = await withoutLanguage(context, file, { keyed, bare })
  return { file, works, speaks, spoken, unspoken }
}

/** First with the longest name; with a short one where that was refused. In the language whose code is the odd one out. */
async function withLanguage(
  context: Context,
  file_id: string,
  { long, short }: { readonly long: number; readonly short: number },
): Promise<Cloned | undefined> {
  const language = longestLanguage
  const either = any(accepted(long), accepted(short))
  context.claim('voices.clone.accepted', either)
  context.claim(`voices.clone.language-${language}-accepted`, either)
  context.claim('voices.name.128-characters-accepted', accepted(long), { given: [either] })
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
  { keyed, bare }: { readonly keyed: number; readonly bare: number },
): Promise<Cloned | undefined> {
  const key = context.has('same_workspace') ? 'same_workspace' : 'primary'
  const unfound = equals(answer(keyed, '/code'), value(20005))
  const named = all(accepted(bare), different(answer(keyed, '/code'), value(20005)))
  context.claim('voices.clone.language-optional', any(accepted(keyed), accepted(bare)))
  context.claim('voices.name.counted-in-characters', accepted(keyed), { given: [any(accepted(keyed), named)] })
  if (key === 'same_workspace') {
    context.claim('audio-files.scope.shared-by-keys', accepted(keyed), { given: [any(accepted(keyed), unfound)] })
  }
  const name = nameOf(context, 'voice', longestName, '声')
  const first = await clone(context, { name, file_id }, { exchange: keyed, key })
  if (first.ok) return clonedBy(first, key)
  return clonedBy(await clone(context, { name: context.id('voice'), file_id }, { exchange: bare }))
}
