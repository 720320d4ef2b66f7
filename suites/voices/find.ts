import type { Exchange } from '#client/types'
import type { RequirementId } from '#spec/register'
import type { Context } from '#scenario/author/context'
import { either, type Looks, lookTwice, twoLooks } from '#scenario/author/look-twice'
import { claimUnfound, unissued } from '#scenario/author/unissued'
import { accepted, all, answer, any, equals, rejected, value } from '#trace/conditions'
import { at, isObject, type Json, type JsonObject } from '#trace/json'
import type { Cloned, Library } from './library.ts'

const publicly: RequirementId = 'voices.get.public-found'
const shared: RequirementId = 'voices.scope.shared-by-keys'

export const findRows: readonly RequirementId[] = [
  'voices.code-20005.voice-unknown',
  publicly,
  shared,
  'voices.scope.other-workspace-cannot-get',
  'voices.code-20005.voice-of-other-workspace',
]

/** A list of voices as it was answered. */
export interface Listed {
  readonly exchange: number
  readonly voices: readonly JsonObject[]
}

export async function list(context: Context, key: 'primary' | 'other_workspace'): Promise<Listed> {
  const exchange = context.exchange()
  const { data } = await context.call('list-voices', { exchange, key })
  return { exchange, voices: voicesIn(data) }
}

function voicesIn(data: Json | undefined): readonly JsonObject[] {
  const voices = at(data, '/voices')
  return Array.isArray(voices) ? (voices as readonly Json[]).filter(isObject) : []
}

/** Gets and lists what was cloned, with this key and with another one of the workspace. */
export async function findOwn(
  context: Context,
  { spoken, unspoken }: Library,
): Promise<{ readonly mine: Listed; readonly gets: readonly number[] }> {
  const looks = twoLooks(context)
  const gets: number[] = []
  for (const voice of [spoken, unspoken]) {
    if (voice === undefined) continue
    const exchange = context.exchange()
    context.claim('voices.get.object', accepted(exchange))
    gets.push(exchange)
    if (voice.key === 'same_workspace') claimShared(context, voice, exchange, looks)
    await context.call('get-voice', { exchange, params: { voice_id: voice.id } })
  }
  const own = [spoken, unspoken].flatMap((voice) => voice?.id ?? [])
  const hasAll = ({ data }: Exchange) => own.every((id) => voicesIn(data).some((one) => one['voice_id'] === id))
  const ask = (exchange: number) => context.call('list-voices', { exchange, key: 'primary' })
  const { exchange, data } = await lookTwice(context, looks, ask, hasAll)
  return { mine: { exchange, voices: voicesIn(data) }, gets }
}

/** What another key of the workspace cloned is found with this one. */
function claimShared(context: Context, voice: Cloned, get: number, looks: Looks): void {
  const id = answer(voice.exchange, '/data/voice_id')
  context.claim(shared, accepted(get))
  const isListed = (listed: number) => equals(answer(listed, '/data/voices/**'), id)
  context.claim(shared, either(looks, isListed), { given: [either(looks, accepted)] })
}

/** An id like that of a voice, which none has; where no voice is known, one of the shape that 2.8 tells. */
export async function missUnknown(
  context: Context,
  known: string | undefined,
  gets: readonly number[],
  listed: number,
): Promise<void> {
  const exchange = context.exchange()
  const twin = gets.length > 0 ? any(...gets.map((get) => accepted(get))) : accepted(listed)
  const strange = known === undefined ? { id: `voice_${context.id('unknown')}`, alike: false } : unissued(known)
  claimUnfound(context, { coded: 'voices.code-20005.voice-unknown' }, strange, { exchange, twin })
  await context.call('get-voice', { exchange, params: { voice_id: strange.id } })
}

/** A key of another workspace does not find what was cloned. */
export async function missForeign(context: Context, voice: Cloned, get: number, known: number): Promise<void> {
  const exchange = context.exchange()
  const twin = all(accepted(get), accepted(known))
  context.claim('voices.scope.other-workspace-cannot-get', rejected(exchange, twin))
  context.claim('voices.code-20005.voice-of-other-workspace', rejected(exchange, twin, [20005]))
  await context.call('get-voice', { exchange, key: 'other_workspace', params: { voice_id: voice.id } })
}

/** Gets a voice that both workspaces see, or, without another workspace, one that this run did not clone. */
export async function findPublic(
  context: Context,
  mine: Listed,
  theirs: Listed | undefined,
  own: readonly (Cloned | undefined)[],
): Promise<{ readonly id: string; readonly exchange: number } | undefined> {
  const cloned = new Set(own.map((voice) => voice?.id))
  const elsewhere = theirs && new Set(theirs.voices.map((voice) => voice['voice_id']))
  const found = mine.voices.find(({ voice_id: id }) => !cloned.has(text(id)) && (elsewhere?.has(id ?? null) ?? true))
  const voice_id = text(found?.['voice_id'])
  if (found === undefined || voice_id === undefined) return undefined
  const exchange = context.exchange()
  context.claim(publicly, accepted(exchange))
  for (const field of ['voice_id', 'name', 'language']) {
    const shown = found[field]
    if (shown === undefined) continue
    context.claim(publicly, equals(answer(exchange, `/data/${field}`), value(shown)), { given: [accepted(exchange)] })
  }
  await context.call('get-voice', { exchange, params: { voice_id } })
  return { id: voice_id, exchange }
}

function text(json: Json | undefined): string | undefined {
  return typeof json === 'string' ? json : undefined
}
