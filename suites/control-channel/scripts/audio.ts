import type { Condition } from '#trace/claim'
import { all, any, before, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { add } from '../assets/additions.ts'
import { greeting, jingle } from '../assets/add.ts'
import { audioTypes, silence, silentMp3 } from '../assets/media.ts'
import { refuse } from '../refusals.ts'
import { finish, quiet, start } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import { claimRendered, play, refuseScript } from './visual.ts'
import type { Talk } from '../talk.ts'

const bytes = silence(0.3)
/** How a file of MP3 begins. */
const taggedMp3 = Buffer.from(`ID3\u0004${'\0'.repeat(400)}`, 'latin1').toString('base64')
const honest = { mime_type: 'audio/wav', audio: bytes }

const audio = (fields: JsonObject): JsonObject => ({ script: { vocal: { type: 'audio', ...fields } } })
const asset = (fields: JsonObject): JsonObject => ({ script: { vocal: { type: 'audio_asset', ...fields } } })

/** Audio as bytes, and what is wrong with it. @returns that all of it is over: nothing of it started and is not done */
export async function playBytes(talk: Talk): Promise<Condition> {
  const heard = await start(talk, audio(honest), (asked) => {
    talk.claim('script-audio.bytes-accepted', asked.started)
    claimRendered(talk, asked, 'render-started.for-audio')
  })
  await finish(talk, heard)
  await quiet(talk)
  await play(talk, ['script-audio.mpeg-bytes-accepted'], audio({ mime_type: 'audio/mpeg', audio: silentMp3(0.5) }))
  await quiet(talk)
  const given = [heard.started]
  await refuseScript(talk, ['script-audio.mime-type-missing-rejected'], audio({ audio: bytes }), given)
  const unknown = audio({ mime_type: 'audio/x-flute', audio: bytes })
  await refuseScript(talk, ['script-audio.mime-type-unknown-rejected'], unknown, given)
  await refuseScript(talk, ['script-audio.no-source-rejected'], audio({ mime_type: 'audio/wav' }), given)
  const over: Condition[] = []
  for (const [row, fields] of unplayable) over.push(await failToPlay(talk, row, audio(fields), heard.started))
  return all(...over)
}

const unplayable: readonly (readonly [row: Row, fields: JsonObject])[] = [
  ['script-audio.bytes-not-matching-not-completed', { mime_type: 'audio/mpeg', audio: bytes }],
  ['script-audio.bytes-not-matching-not-completed', { mime_type: 'audio/wav', audio: taggedMp3 }],
  ['script-audio.data-url-not-completed', { mime_type: 'audio/wav', audio: `data:audio/wav;base64,${bytes}` }],
  ['script-audio.not-base64-not-completed', { mime_type: 'audio/wav', audio: '%%% this is no base64 %%%' }],
]

/** It is refused, or its response does not end well. @returns that it is over */
async function failToPlay(talk: Talk, row: Row, response: JsonObject, twin: Condition): Promise<Condition> {
  const refusal = await refuse(talk, {
    rows: [],
    message: { type: 'response.create', response },
    confirmation: 'response.created',
    write: ({ at, answered }) => {
      const completed = event('response.done', { '/response/status': 'completed' })
      talk.claim(row, talk.never(completed, at, talk.after(1)), { given: [twin, answered] })
    },
  })
  await quiet(talk)
  const begun = talk.event(event('response.created'), refusal.at)
  return any(refusal.unconfirmed, before({ event: talk.event(event('response.done'), { event: begun }) }, talk.coming))
}

/** Audio at an address, and as an asset; only where the profile names some. */
export async function playAddress(talk: Talk): Promise<void> {
  const url = talk.context.profile.media?.audio_url
  if (url === undefined) return
  const [type] = audioTypes(url)
  const taken = await fromAddress(talk, url)
  await refuseScript(talk, ['script-audio.url-and-bytes-rejected'], audio({ ...honest, url }), [taken])
  const bare = audio({ mime_type: type, url: url.replace(/^https:/i, 'http:') })
  await refuseScript(talk, ['script-audio.url-not-https-rejected'], bare, [taken])
  await playAssets(talk, url)
}

/** Where the address does not tell the type, one or the other must be taken. */
async function fromAddress(talk: Talk, url: string): Promise<Condition> {
  const created = event('response.created')
  const types = audioTypes(url)
  const taken = any(
    ...types.map((_, place) =>
      talk.inTime(created, talk.after(place), talk.after(place + 1), { instead: [event('error')] }),
    ),
  )
  talk.claim('script-audio.url-accepted', taken)
  for (const mime_type of types) {
    const message = { type: 'response.create', response: audio({ mime_type, url }) }
    await refuse(talk, { rows: [], message, confirmation: 'response.created' })
  }
  return taken
}

async function playAssets(talk: Talk, url: string): Promise<void> {
  const bell = { asset_id: 'bell', url }
  const added = await add(talk, 'asset.add', { assets: { audio: [bell] } })
  const rows: readonly Row[] = ['script-audio-asset.added-asset-accepted']
  await play(talk, rows, asset({ audio_asset_id: bell.asset_id }), [added])
  const jingles: readonly Row[] = ['script-audio-asset.create-time-asset-accepted']
  const twin = await play(talk, jingles, asset({ audio_asset_id: jingle }))
  const given = [twin]
  await refuseScript(talk, ['script-audio-asset.unknown-asset-rejected'], asset({ audio_asset_id: 'nowhere' }), given)
  await refuseScript(talk, ['script-audio-asset.other-kind-rejected'], asset({ audio_asset_id: greeting.id }), given)
  await refuseScript(talk, ['script-audio-asset.id-missing-rejected'], asset({}), given)
}
