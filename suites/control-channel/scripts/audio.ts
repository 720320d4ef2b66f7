import type { Condition } from '#trace/claim'
import { all, any, before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { greeting, jingle, oneConfirmed, wave } from '../assets/add.ts'
import { add } from '../assets/additions.ts'
import { audioTypes, silence, silentMp3 } from '../assets/media.ts'
import { imageFrom } from '../bodies.ts'
import { forRows, given, onlyIf } from '../expectation.ts'
import { refuse, refuseResponse } from '../refusals.ts'
import { quiet, respond, start } from '../responses/responses.ts'
import { rowsIn } from '../rows.ts'
import { claiming } from '../step.ts'
import { playBeside, playFetched, refuseBeside } from './beside.ts'
import { expectRendered, play } from './visual.ts'

const bytes = silence(0.3)
/** How a file of MP3 begins. */
const taggedMp3 = Buffer.from(`ID3\u0004${'\0'.repeat(400)}`, 'latin1').toString('base64')
/** A file of video begins like a WAV, in the same kind of container. */
const videoFile = Buffer.concat([Buffer.from('RIFF\0\0\u0001\0AVI LIST', 'latin1'), Buffer.alloc(400)]).toString(
  'base64',
)
const honest = { mime_type: 'audio/wav', audio: bytes }

const audio = (fields: JsonObject): JsonObject => ({ script: { vocal: { type: 'audio', ...fields } } })
const asset = (fields: JsonObject): JsonObject => ({ script: { vocal: { type: 'audio_asset', ...fields } } })

const faults = [
  ['script-audio.mime-type-missing-rejected', { audio: bytes }],
  ['script-audio.mime-type-unknown-rejected', { mime_type: 'audio/x-flute', audio: bytes }],
  // A type that may be uploaded (4.3).
  ['script-audio.mime-type-unknown-rejected', { mime_type: 'audio/ogg', audio: bytes }],
  ['script-audio.no-source-rejected', { mime_type: 'audio/wav' }],
] as const

const unplayable = [
  ['script-audio.bytes-not-matching-not-completed', { mime_type: 'audio/mpeg', audio: bytes }],
  ['script-audio.bytes-not-matching-not-completed', { mime_type: 'audio/wav', audio: taggedMp3 }],
  ['script-audio.bytes-not-matching-not-completed', { mime_type: 'audio/wav', audio: videoFile }],
  ['script-audio.data-url-not-completed', { mime_type: 'audio/wav', audio: `data:audio/wav;base64,${bytes}` }],
  ['script-audio.not-base64-not-completed', { mime_type: 'audio/wav', audio: '%%% this is no base64 %%%' }],
] as const

/** Audio as bytes, and what is wrong with it. @returns that all of it is over: nothing of it started and is not done */
export const playBytes = claiming(
  { 'script-audio': 'bytes-accepted mpeg-bytes-accepted', 'render-started': 'for-audio' },
  rowsIn([...faults, ...unplayable]),
  playBeside,
  refuseBeside,
).step(async (talk): Promise<Condition> => {
  const { started } = await respond(talk, audio(honest), (asked) => ({
    'script-audio.bytes-accepted': asked.started,
    'render-started.for-audio': expectRendered(talk, asked),
  }))
  await quiet(talk)
  await play(talk, 'script-audio.mpeg-bytes-accepted', audio({ mime_type: 'audio/mpeg', audio: silentMp3(0.5) }))
  await quiet(talk)
  await playBeside(talk, audio(honest), started)
  await refuseBeside(talk, [[audio(honest), started]])
  for (const [rejected, fields] of faults) {
    await refuseResponse(talk, audio(fields), { rejected, given: [started], late: true })
  }
  // What cannot be played is refused, or its response does not end well.
  const over: Condition[] = []
  for (const [row, fields] of unplayable) {
    const completed = event('response.done', { '/response/status': 'completed' })
    const { at, unconfirmed } = await refuseResponse(talk, audio(fields), {
      expect: (it) => forRows(row, given([started, it.answered], talk.never(completed, it.at, talk.after(1)))),
    })
    const begun = talk.event(event('response.created'), at)
    const done = before({ event: talk.event(event('response.done'), { event: begun }) }, talk.coming)
    over.push(any(unconfirmed, done))
  }
  return all(...over)
})

const assetFaults = [
  ['script-audio-asset.unknown-asset-rejected', { audio_asset_id: 'nowhere' }],
  ['script-audio-asset.unknown-asset-rejected', { audio_asset_id: jingle.toUpperCase() }],
  ['script-audio-asset.other-kind-rejected', { audio_asset_id: greeting.id }],
  ['script-audio-asset.other-kind-rejected', { audio_asset_id: wave.id }],
  ['script-audio-asset.id-missing-rejected', {}],
] as const

const brieflyShown = { prompt: 'Waves.', duration_ms: 500 }

const playAssets = claiming(
  {
    'script-audio-asset': 'added-asset-accepted create-time-asset-accepted',
    'script-visual': 'beside-vocal-accepted',
    'render-started': 'for-audio',
  },
  rowsIn(assetFaults),
  playBeside,
  refuseBeside,
).step(async (talk, url: string) => {
  const bell = { asset_id: 'bell', url }
  const added = await add(talk, 'asset.add', { assets: { audio: [bell] } })
  const added_asset = asset({ audio_asset_id: bell.asset_id })
  const accepted = 'script-audio-asset.added-asset-accepted'
  await playFetched(talk, (taken) =>
    start(talk, added_asset, (asked) => forRows(accepted, onlyIf(added, taken(asked)))),
  )
  const { started: control } = await playFetched(talk, (taken) =>
    start(talk, asset({ audio_asset_id: jingle }), (asked) => ({
      'script-audio-asset.create-time-asset-accepted': taken(asked),
    })),
  )
  const beside = { script: { vocal: { type: 'audio_asset', audio_asset_id: jingle }, visual: brieflyShown } }
  await playFetched(talk, (taken) =>
    start(talk, beside, (asked) => ({ 'script-visual.beside-vocal-accepted': onlyIf(control, taken(asked)) })),
  )
  for (const [rejected, fields] of assetFaults) {
    await refuseResponse(talk, asset(fields), { rejected, given: [control], late: true })
  }
  const image = await add(talk, 'asset.add', {
    assets: { images: [{ asset_id: 'map', url: imageFrom(talk.context, 'map').url }] },
  })
  const rejected = 'script-audio-asset.other-kind-rejected'
  await refuseResponse(talk, asset({ audio_asset_id: 'map' }), { rejected, given: [control, image], late: true })
  const known = asset({ audio_asset_id: jingle })
  await quiet(talk)
  await playBeside(talk, known, control, true)
  await refuseBeside(talk, [[known, control]])
  for (const audio_asset_id of [bell.asset_id, jingle]) {
    await respond(talk, asset({ audio_asset_id }), (asked) => ({
      'render-started.for-audio': expectRendered(talk, asked),
    }))
    await quiet(talk)
  }
})

/** Audio at an address, and as an asset; only where the profile names some. */
export const playAddress = claiming(
  {
    'script-audio': [
      'url-accepted url-and-bytes-rejected url-not-https-rejected mime-type-missing-rejected mime-type-unknown-rejected',
    ],
  },
  playAssets,
).step(async (talk) => {
  const url = talk.context.profile.media?.audio_url
  if (url === undefined) return
  // Where the address does not tell the type, one or the other must be taken.
  const types = audioTypes(url)
  // Each is tried twice, for it may be out of reach just then.
  const tries = [...types, ...types]
  const taken = oneConfirmed(talk, 'response.created', tries.length)
  talk.expect({ 'script-audio.url-accepted': taken })
  for (const mime_type of tries) await refuse(talk, 'response.create', { response: audio({ mime_type, url }) })
  const bare = audio({ mime_type: types[0], url: url.replace(/^https:/i, 'http:') })
  for (const [rejected, response] of [
    ['script-audio.url-and-bytes-rejected', audio({ ...honest, url })],
    ['script-audio.url-not-https-rejected', bare],
    ['script-audio.mime-type-missing-rejected', audio({ url })],
    ['script-audio.mime-type-unknown-rejected', audio({ mime_type: 'audio/ogg', url })],
  ] as const) {
    await refuseResponse(talk, response, { rejected, given: [taken], late: true })
  }
  await playAssets(talk, url)
})
