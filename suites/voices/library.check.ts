import type { Context } from '#scenario/author/context'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { cloneShapeRows } from './clone.rules.ts'
import { fillLibrary } from './clone.ts'
import { findOwn, findPublic, list, missForeign, missUnknown } from './find.ts'
import { getRows } from './get.rules.ts'
import type { Library } from './library.ts'
import { listRows } from './list.rules.ts'
import { failProvider, optionalClones, refuseForeignFile, refuseNonsense, refuseTooLong } from './refusals.ts'
import { useForeign, useInCharacter, useOwn, usePublic } from './use.ts'

/** All that List and Get say, in both workspaces. @returns a public voice, where there is one */
const lookAround = step(
  [findOwn, missUnknown, refuseForeignFile, missForeign, findPublic],
  async (c, own: Library): Promise<string | undefined> => {
    const theirs = await listElsewhere(c)
    const { mine, gets } = await findOwn(c, own)
    const voice = own.spoken ?? own.unspoken
    await missUnknown(c, { id: voice?.id, gets, listed: mine.exchange })
    if (theirs !== undefined) {
      await refuseForeignFile(c, own, theirs.exchange)
      const [get] = gets
      if (voice !== undefined && get !== undefined) await missForeign(c, voice, { own: get, theirs: theirs.exchange })
    }
    return (await findPublic(c, { mine, theirs }, own))?.id
  },
)

async function listElsewhere(c: Context) {
  return c.has('other_workspace') ? list(c, 'other_workspace') : undefined
}

/** Two voices from one sample, looked at from all sides: cloned, refused, listed, found, spoken with, and hidden. */
export const library = scenario({
  id: 'voices.library',
  needs: { abilities: ['voices', 'audio_files'] },
  steps: [fillLibrary, refuseNonsense, refuseTooLong, failProvider, lookAround, useOwn, useInCharacter, useForeign],
  observes: [
    ...cloneShapeRows,
    ...getRows,
    ...listRows,
    'voices.clone.refused-makes-nothing',
    'voices.code-30007.makes-nothing',
  ],
  price: {
    requests: { primary: 30, same_workspace: 7, other_workspace: 9 },
    typical: 32,
    sessions: { primary: 1, same_workspace: 1, other_workspace: 1 },
  },
  optional: optionalClones,
  async drive(c) {
    if (c.profile.triggers?.failing_voice_name !== undefined) await list(c, 'primary')
    const own = await fillLibrary(c)
    if (c.tier === 'full') await refuseNonsense(c, own)
    await refuseTooLong(c, own)
    await failProvider(c, own)
    const open = await lookAround(c, own)
    const voice = own.spoken ?? own.unspoken
    if (voice === undefined) return c.block('prerequisite', 'no voice was ever cloned')
    await useOwn(c, voice)
    if (c.offers('characters')) await useInCharacter(c, voice)
    if (c.has('other_workspace')) await useForeign(c, voice)
    if (c.tier === 'full' && open !== undefined) await usePublic(c, open)
  },
})

/** What a target without uploads shows of its voices. */
export const withoutFiles = scenario({
  id: 'voices.without-files',
  needs: { abilities: ['voices'] },
  steps: [findPublic, missUnknown],
  // The last three are left unseen where nothing can be cloned.
  observes: [
    ...listRows,
    'voices.scope.shared-by-keys',
    'voices.scope.other-workspace-cannot-get',
    'voices.code-20005.voice-of-other-workspace',
  ],
  price: { requests: { primary: 3, other_workspace: 1 }, typical: 0 },
  async drive(c) {
    if (c.offers('audio_files')) return
    const theirs = await listElsewhere(c)
    const mine = await list(c, 'primary')
    const found = await findPublic(c, { mine, theirs }, {})
    const gets = found === undefined ? [] : [found.exchange]
    await missUnknown(c, { id: found?.id, gets, listed: mine.exchange })
  },
})
