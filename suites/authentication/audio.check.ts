import type { FormPart } from '#client/types'
import type { AnyContext as Context } from '#scenario/author/context'
import type { Scenario } from '#scenario/author/scenario'
import { accepted, answer, any, different } from '#trace/conditions'
import { at, isObject, type Json } from '#trace/json'
import { tone } from './bodies.ts'
import { type Door, rowsOf, withBadKey, withoutKey } from './knock.ts'

/** Upload, and Clone Voice of the file that a valid key has uploaded. */
export const audioFiles: Scenario = {
  id: 'authentication.audio-files',
  needs: { abilities: ['audio_files'] },
  proves: rowsOf('audio-files', 'voices'),
  price: { requests: { primary: 1 }, typical: 5 },
  async drive(context: Context) {
    const file: FormPart = { name: 'file', filename: 'tone.wav', content_type: 'audio/wav', data: tone() }
    const twin = context.exchange()
    const call = { multipart: [file] }
    const uploaded = await context.call('upload-audio', { ...call, exchange: twin })
    await knock(context, { group: 'audio-files', operation: 'upload-audio', call, twin })
    const file_id = at(uploaded.data, '/file_id')
    if (!context.offers('voices') || typeof file_id !== 'string') return
    const body = { name: context.id('keyless'), file_id }
    await knock(context, { group: 'voices', operation: 'clone-voice', call: { body }, twin })
  },
}

/** List and Get of voices; Clone too where no file can be had for it. */
export const voices: Scenario = {
  id: 'authentication.voices',
  needs: { abilities: ['voices'] },
  proves: rowsOf('voices'),
  price: { requests: { primary: 3 }, typical: 6 },
  async drive(context: Context) {
    const twin = context.exchange()
    const listed = await context.call('list-voices', { exchange: twin })
    await knock(context, { group: 'voices', operation: 'list-voices', twin })
    const voice_id = firstVoice(at(listed.data, '/voices'))
    const get: Door = { group: 'voices', operation: 'get-voice', call: { params: { voice_id } }, twin }
    await knock(context, await checked(context, get))
    if (context.offers('audio_files')) return
    const body = { name: context.id('keyless'), file_id: 'file_aud_unknown' }
    const clone: Door = { group: 'voices', operation: 'clone-voice', call: { body }, twin }
    await knock(context, await checked(context, clone))
  },
}

async function knock(context: Context, door: Door): Promise<void> {
  await withoutKey(context, door)
  await withBadKey(context, door)
}

/** Asks with a valid key. What is refused then as well has a second fault, whose code is right without a key too. */
async function checked(context: Context, door: Door): Promise<Door> {
  const keyed = context.exchange()
  await context.call(door.operation, { ...door.call, exchange: keyed })
  const same = answer(keyed, '/code')
  return { ...door, clean: (exchange) => any(accepted(keyed), different(answer(exchange, '/code'), same)) }
}

function firstVoice(list: Json | undefined): string {
  const first = Array.isArray(list) ? (list as readonly Json[]).find(isObject) : undefined
  const id = at(first, '/voice_id')
  return typeof id === 'string' ? id : 'voice_unknown'
}
