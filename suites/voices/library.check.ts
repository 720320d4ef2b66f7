import type { Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { cloneRows, fillLibrary } from './clone.ts'
import { cloneShapeRows } from './clone.rules.ts'
import { findOwn, findPublic, findRows, list, type Listed, missForeign, missUnknown } from './find.ts'
import { getRows } from './get.rules.ts'
import type { Library } from './library.ts'
import { listRows } from './list.rules.ts'
import {
  failProvider,
  failureRows,
  refusalRows,
  refuse,
  refuseForeignFile,
  refuseNonsense,
  refuseTooLong,
} from './refusals.ts'
import { useForeign, useInCharacter, useOwn, usePublic, useRows } from './use.ts'

/** Two voices from one sample, looked at from all sides: cloned, refused, listed, found, spoken with, and hidden. */
export const library: Scenario = {
  id: 'voices.library',
  needs: { abilities: ['voices', 'audio_files'] },
  proves: [
    ...cloneRows,
    ...cloneShapeRows,
    ...refusalRows,
    ...failureRows,
    ...findRows,
    ...getRows,
    ...listRows,
    ...useRows,
    'voices.clone.body-not-json-rejected',
    'audio-files.scope.other-workspace-excluded',
    'voices.code-20005.file-of-other-workspace',
  ],
  price: {
    requests: { primary: 30, same_workspace: 7, other_workspace: 9 },
    typical: 32,
    sessions: { primary: 1, same_workspace: 1, other_workspace: 1 },
  },
  async drive(context: Context) {
    if (context.profile.triggers?.failing_voice_name !== undefined) await list(context, 'primary')
    const own = await fillLibrary(context, (soFar) => refuse(context, soFar))
    if (context.tier === 'full') await refuseNonsense(context, own)
    await refuseTooLong(context, own)
    await failProvider(context, own)
    const seen = await lookAround(context, own)
    const voice = own.spoken ?? own.unspoken
    if (voice === undefined) context.block('prerequisite', 'no voice was ever cloned')
    await useOwn(context, voice)
    if (context.offers('characters')) await useInCharacter(context, voice)
    if (context.has('other_workspace')) await useForeign(context, voice)
    if (context.tier === 'full' && seen.public !== undefined) await usePublic(context, seen.public)
  },
}

/** All that List and Get say, in both workspaces. */
async function lookAround(context: Context, own: Library): Promise<{ readonly public: string | undefined }> {
  const theirs = context.has('other_workspace') ? await list(context, 'other_workspace') : undefined
  const { mine, gets } = await findOwn(context, own)
  await missUnknown(context, (own.spoken ?? own.unspoken)?.id, gets, mine.exchange)
  if (theirs !== undefined) {
    await refuseForeignFile(context, own, theirs.exchange)
    const [voice, get] = [own.spoken ?? own.unspoken, gets[0]]
    if (voice !== undefined && get !== undefined) await missForeign(context, voice, get, theirs.exchange)
  }
  return { public: await lookForPublic(context, mine, theirs, own) }
}

async function lookForPublic(
  context: Context,
  mine: Listed,
  theirs: Listed | undefined,
  own: Pick<Library, 'spoken' | 'unspoken'>,
): Promise<string | undefined> {
  if (!context.offers('public_voices')) return undefined
  return (await findPublic(context, mine, theirs, [own.spoken, own.unspoken]))?.id
}

/** What a target without uploads shows of its voices. */
export const withoutFiles: Scenario = {
  id: 'voices.without-files',
  needs: { abilities: ['voices'] },
  proves: [...listRows, ...findRows],
  price: { requests: { primary: 3, other_workspace: 1 }, typical: 0 },
  async drive(context) {
    if (context.offers('audio_files')) return
    const theirs = context.has('other_workspace') ? await list(context, 'other_workspace') : undefined
    const mine = await list(context, 'primary')
    const found = context.offers('public_voices') ? await findPublic(context, mine, theirs, []) : undefined
    await missUnknown(context, found?.id, found === undefined ? [] : [found.exchange], mine.exchange)
  },
}
