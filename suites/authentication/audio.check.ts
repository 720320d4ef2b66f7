import type { FormPart } from '#client/types'
import { speech } from '#media/speech'
import { wav } from '#media/wav'
import type { Context } from '#scenario/author/context'
import { scenario } from '#scenario/author/scenario'
import type { RequirementId } from '#spec/register'
import { accepted, answer, any, different } from '#trace/conditions'
import { at, isObject, type Json, textAt } from '#trace/json'
import { type KeyedRequest, expectRefused, optionalKeys, rowsOfKeys } from './invalid-keys.ts'

const rate = 16_000

/** One second of sound: an honest file that every service must take. */
const file = (): FormPart => ({
  name: 'file',
  filename: 'tone.wav',
  content_type: 'audio/wav',
  data: wav(speech(1, rate), { rate }),
})

/** Their controls are the first that is uploaded and listed. */
const underV1: readonly RequirementId[] = ['versioning.rest-paths.under-v1']

/** Upload, and Clone Voice of the file that a valid key has uploaded. */
export const audioFiles = scenario({
  id: 'authentication.audio-files',
  needs: { abilities: ['audio_files'] },
  claims: rowsOfKeys('audio-files', 'voices'),
  observes: [...underV1, 'voices.clone.refused-makes-nothing'],
  price: { requests: { primary: 2 }, typical: 6 },
  optional: optionalKeys(2, 'audio-files', 'voices'),
  async drive(c) {
    const call = { multipart: [file()] }
    const { data, exchange: control } = await c.call('upload-audio', call)
    await expectRefused(c, { group: 'audio-files', operation: 'upload-audio', call, control })
    const file_id = at(data, '/file_id')
    if (!c.offers('voices') || typeof file_id !== 'string') return
    const body = { name: c.id('keyless'), file_id }
    await expectRefused(c, { group: 'voices', operation: 'clone-voice', call: { body }, control })
    // What was refused has made nothing.
    await c.call('list-voices')
  },
})

/** List and Get of voices; Clone too where no file can be had for it. */
export const voices = scenario({
  id: 'authentication.voices',
  needs: { abilities: ['voices'] },
  claims: rowsOfKeys('voices'),
  observes: underV1,
  price: { requests: { primary: 3 }, typical: 6 },
  optional: optionalKeys(2, 'voices'),
  async drive(c) {
    const { data, exchange: control } = await c.call('list-voices')
    const request = { group: 'voices', control } as const
    await expectRefused(c, { ...request, operation: 'list-voices' })
    const params = { voice_id: firstVoice(at(data, '/voices')) }
    await expectRefused(c, await checked(c, { ...request, operation: 'get-voice', call: { params } }))
    if (c.offers('audio_files')) return
    const body = { name: c.id('keyless'), file_id: 'file_aud_unknown' }
    await expectRefused(c, await checked(c, { ...request, operation: 'clone-voice', call: { body } }))
  },
})

/** Asks with a valid key. What is refused then as well has a second fault, whose code is right without a key too. */
async function checked(c: Context, request: KeyedRequest<'voices'>): Promise<KeyedRequest<'voices'>> {
  const { exchange } = await c.call(request.operation, request.call)
  const same = answer(exchange, '/code')
  return { ...request, clean: (other) => any(accepted(exchange), different(answer(other, '/code'), same)) }
}

function firstVoice(list: Json | undefined): string {
  const first = Array.isArray(list) ? (list as readonly Json[]).find(isObject) : undefined
  return textAt(first, '/voice_id') ?? 'voice_unknown'
}
