import type { Exchange } from '#client/types'
import type { Context } from '#scenario/author/context'
import { acceptance, outcome, rejection } from '#scenario/author/expectation'
import { either, lookTwice, twoLooks } from '#scenario/author/look-twice'
import { step } from '#scenario/author/step'
import { unfound, unissued } from '#scenario/author/unissued'
import { accepted, all, answer, any, equals, value } from '#trace/conditions'
import { at, isObject, type Json, type JsonObject } from '#trace/json'
import type { Cloned, Library } from './library.ts'
import { isThoughtOf } from './names.ts'

/** A list of voices as it was answered. */
export interface Listed {
  readonly exchange: number
  readonly voices: readonly JsonObject[]
}

export async function list(context: Context, key: 'primary' | 'other_workspace'): Promise<Listed> {
  const { data, exchange } = await context.call('list-voices', { key })
  return { exchange, voices: voicesIn(data) }
}

function voicesIn(data: Json | undefined): readonly JsonObject[] {
  const voices = at(data, '/voices')
  return Array.isArray(voices) ? (voices as readonly Json[]).filter(isObject) : []
}

const shared = 'voices.scope.shared-by-keys'

/** Gets and lists what was cloned, with this key and with another one of the workspace. */
export const findOwn = step(
  ['voices.get.object', shared],
  async (c, { spoken, unspoken }: Library): Promise<{ readonly mine: Listed; readonly gets: readonly number[] }> => {
    const looks = twoLooks(c)
    const own = [spoken, unspoken].filter((voice) => voice !== undefined)
    const gets: number[] = []
    for (const { id, exchange, key } of own) {
      const found = acceptance(key === 'same_workspace' ? ['voices.get.object', shared] : 'voices.get.object')
      const get = await c.call('get-voice', { params: { voice_id: id }, expect: found })
      gets.push(get.exchange)
      if (key !== 'same_workspace') continue
      // What another key of the workspace cloned is found with this one.
      const isListed = (shown: number) => equals(answer(shown, '/data/voices/**'), answer(exchange, '/data/voice_id'))
      c.claim(shared, either(looks, isListed), { given: [either(looks, accepted)] })
    }
    const hasAll = ({ data }: Exchange) => own.every(({ id }) => voicesIn(data).some((one) => one['voice_id'] === id))
    const ask = (exchange: number) => c.call('list-voices', { exchange, key: 'primary' })
    const { exchange, data } = await lookTwice(c, looks, ask, hasAll)
    return { mine: { exchange, voices: voicesIn(data) }, gets }
  },
)

/** What is known of a workspace's voices: the id of one, and what was answered about voices that there are. */
interface Known {
  readonly id: string | undefined
  readonly gets: readonly number[]
  readonly listed: number
}

/** An id like that of a voice, which none has; where no voice is known, one of the shape that 2.8 tells. */
export const missUnknown = step(['voices.code-20005.voice-unknown'], async (c, { id, gets, listed }: Known) => {
  const control = gets.length > 0 ? any(...gets.map(accepted)) : accepted(listed)
  const strange = id === undefined ? { id: `voice_${c.id('unknown')}`, alike: false } : unissued(id)
  const expect = unfound({ coded: 'voices.code-20005.voice-unknown' }, strange, control)
  await c.call('get-voice', { params: { voice_id: strange.id }, expect })
})

/** A key of another workspace does not find what was cloned, though this key does and that one may ask. */
export const missForeign = step(
  ['voices.scope.other-workspace-cannot-get', 'voices.code-20005.voice-of-other-workspace'],
  async (c, voice: Cloned, { own, theirs }: { readonly own: number; readonly theirs: number }) => {
    const expect = rejection({
      rows: 'voices.scope.other-workspace-cannot-get',
      coded: 'voices.code-20005.voice-of-other-workspace',
      codes: [20005],
      control: all(accepted(own), accepted(theirs)),
    })
    await c.call('get-voice', { key: 'other_workspace', params: { voice_id: voice.id }, expect })
  },
)

const publicly = 'voices.get.public-found'

interface Lists {
  readonly mine: Listed
  /** That of another workspace. */
  readonly theirs: Listed | undefined
}

/** Gets a voice that both workspaces see, or, without another workspace, one that no run cloned. */
export const findPublic = step([publicly], async (c, { mine, theirs }: Lists, own: Partial<Library>) => {
  if (!c.offers('public_voices')) return undefined
  const clones = new Set([own.spoken?.id, own.unspoken?.id])
  const elsewhere = theirs && new Set(theirs.voices.map((voice) => voice['voice_id']))
  const found = mine.voices.find(
    ({ voice_id: id, name }) =>
      !clones.has(typeof id === 'string' ? id : undefined) &&
      !isThoughtOf(name) &&
      (elsewhere?.has(id ?? null) ?? true),
  )
  const voice_id = found?.['voice_id']
  if (found === undefined || typeof voice_id !== 'string') return undefined
  const fields = ['voice_id', 'name', 'language'].flatMap((field) => {
    const shown = found[field]
    if (shown === undefined) return []
    const shows = (exchange: number) => equals(answer(exchange, `/data/${field}`), value(shown))
    return [outcome(publicly, shows, (exchange) => ({ given: [accepted(exchange)] }))]
  })
  const expect = [acceptance(publicly), ...fields]
  const { exchange } = await c.call('get-voice', { params: { voice_id }, expect })
  return { id: voice_id, exchange }
})
