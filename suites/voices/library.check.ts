import type { Context } from '#scenario/author/context'
import { denies } from '#scenario/author/denies'
import { eachRowOnce, type Optional } from '#scenario/author/optional'
import { scenario } from '#scenario/author/scenario'
import { step } from '#scenario/author/step'
import { cloneShapeRows } from './clone.rules.ts'
import { fillLibrary } from './clone.ts'
import { findOwn, findPublic, list, missForeign, missUnknown } from './find.ts'
import { getRows } from './get.rules.ts'
import type { Library } from './library.ts'
import { listRows } from './list.rules.ts'
import {
  failProvider,
  optionalClones,
  refuseForeignFile,
  refuseNonsense,
  refuseTooLong,
  refuseUngranted,
  unknownFile,
} from './refusals.ts'
import { useForeign, useInCharacter, useOwn, usePublic } from './use.ts'

/** All that List and Get say, in both workspaces. @returns a public voice, where there is one */
const lookAround = step(
  [findOwn, missUnknown, refuseForeignFile, missForeign, findPublic],
  async (c, own: Library): Promise<string | undefined> => {
    const theirs = c.takes('elsewhere') ? await listElsewhere(c) : undefined
    if (theirs !== undefined && c.takes('foreign-file')) await refuseForeignFile(c, own, theirs.exchange)
    if (!c.takes('find')) return undefined
    const { mine, gets } = await findOwn(c, own)
    const voice = own.spoken ?? own.unspoken
    if (c.takes('unknown')) await missUnknown(c, { id: voice?.id, gets, listed: mine.exchange })
    const [get] = gets
    if (theirs !== undefined && voice !== undefined && get !== undefined && c.takes('foreign')) {
      await missForeign(c, voice, { own: get, theirs: theirs.exchange })
    }
    return c.takes('public') ? (await findPublic(c, { mine, theirs }, own))?.id : undefined
  },
)

async function listElsewhere(c: Context) {
  return c.has('other_workspace') ? list(c, 'other_workspace') : undefined
}

/** A character keeps the voice that it was saved with. */
const savedVoice = 'characters.configuration.tts-echoed'

/** What is left of it without all of these: a sample that is uploaded, and a voice with a language. */
const optional: readonly Optional[] = eachRowOnce([
  ...optionalClones,
  { id: 'unknown-file', rows: [unknownFile.rows, unknownFile.coded], requests: 1 },
  { id: 'capitals', rows: [], also: ['voices.clone.language-unlisted-rejected'], requests: 1 },
  {
    id: 'second',
    rows: [
      'voices.clone.language-optional',
      'voices.name.counted-in-characters',
      'audio-files.scope.shared-by-keys',
      'voices.clone.language-empty-when-omitted',
      'voices.clone.voice-ids-distinct',
    ],
    also: cloneShapeRows,
    requests: 1,
  },
  { id: 'too-long', rows: refuseTooLong.claims, requests: 2 },
  { id: 'provider', rows: [...failProvider.claims, 'voices.code-30007.makes-nothing'], requests: 2 },
  { id: 'ungranted', rows: [], also: refuseUngranted.claims, requests: 2 },
  { id: 'elsewhere', rows: [], also: listRows, requests: 1 },
  { id: 'find', rows: ['voices.get.object', ...getRows, ...listRows], requests: 3, needs: ['second'] },
  { id: 'shared', rows: ['voices.scope.shared-by-keys'], requests: 0, needs: ['second', 'find'] },
  { id: 'unknown', rows: missUnknown.claims, requests: 1, needs: ['find'] },
  { id: 'foreign-file', rows: refuseForeignFile.claims, requests: 1, needs: ['elsewhere'] },
  { id: 'foreign', rows: missForeign.claims, requests: 1, needs: ['find', 'elsewhere'] },
  { id: 'public', rows: findPublic.claims, requests: 1, needs: ['find', 'elsewhere'] },
  { id: 'use', rows: useOwn.claims, requests: 2 },
  { id: 'use-in-character', rows: useInCharacter.claims, also: [savedVoice], requests: 5 },
  { id: 'use-elsewhere', rows: useForeign.claims, requests: 3 },
  // What was made without having been asked for shows in a list after it, whatever it was refused for.
  {
    id: 'refused',
    rows: ['voices.clone.refused-makes-nothing'],
    requests: 0,
    needs: ['unknown-file', 'find', ...optionalClones.map(({ id }) => id)],
  },
  {
    id: 'after-refusal',
    rows: [],
    also: ['voices.clone.language-optional'],
    requests: 0,
    needs: ['second', ...optionalClones.slice(0, 1).map(({ id }) => id)],
  },
  { id: 'both-lists', rows: [], also: listRows, requests: 0, needs: ['find', 'elsewhere'] },
  { id: 'failed', rows: [], also: ['voices.code-30007.makes-nothing'], requests: 0, needs: ['provider', 'find'] },
])

/** Two voices from one sample, looked at from all sides: cloned, refused, listed, found, spoken with, and hidden. */
export const library = scenario({
  id: 'voices.library',
  needs: { abilities: ['voices', 'audio_files'] },
  steps: [
    fillLibrary,
    refuseNonsense,
    refuseTooLong,
    failProvider,
    refuseUngranted,
    lookAround,
    useOwn,
    useInCharacter,
    useForeign,
  ],
  observes: [
    ...cloneShapeRows,
    ...getRows,
    ...listRows,
    'voices.clone.refused-makes-nothing',
    'voices.code-30007.makes-nothing',
    savedVoice,
  ],
  price: {
    requests: { primary: 30, same_workspace: 8, other_workspace: 10, access_denied: 2 },
    typical: 35,
    sessions: { primary: 1, same_workspace: 1, other_workspace: 1 },
  },
  optional,
  async drive(c) {
    const fails = c.profile.triggers?.failing_voice_name !== undefined && c.takes('provider')
    if (fails) await list(c, 'primary')
    const own = await fillLibrary(c)
    if (c.tier === 'full') await refuseNonsense(c, own)
    if (c.takes('too-long')) await refuseTooLong(c, own)
    if (fails) await failProvider(c, own)
    const denied = c.has('access_denied') && denies(c.profile, 'clone-voice')
    if (denied && c.takes('ungranted')) await refuseUngranted(c, own)
    const open = await lookAround(c, own)
    const voice = own.spoken ?? own.unspoken
    if (voice === undefined) return c.block('prerequisite', 'no voice was ever cloned')
    if (c.takes('use')) await useOwn(c, voice)
    if (c.offers('characters') && c.takes('use-in-character')) await useInCharacter(c, voice)
    if (c.has('other_workspace') && c.takes('use-elsewhere')) await useForeign(c, voice)
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
