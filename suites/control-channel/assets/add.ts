import type { AnyContext as Context } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { absent, any, different, event, inEvent } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { add, speakAsset, speechTexts } from './additions.ts'
import { audioTypes, imageType } from './media.ts'
import type { Row } from '../rows.ts'
import type { Said, Talk } from '../talk.ts'

/** Assets of the session from its creation on. */
export const greeting = { id: 'greeting', text: ' Welcome to the “museum” —  日本語 😀.\nPlease come in. ' }
export const wave = { id: 'wave', prompt: 'Waves with the left hand.' }
export const jingle = 'jingle'

/** `assets` of the create; audio only where the profile names some. */
export function createTime({ profile }: Context): JsonObject {
  const url = profile.media?.audio_url
  return {
    ...(url === undefined ? {} : { audio: [{ asset_id: jingle, url }] }),
    speech_text: [{ asset_id: greeting.id, text: greeting.text }],
    visual_prompts: [{ asset_id: wave.id, prompt: wave.prompt }],
  }
}

/** Texts that are registered by `asset.add`. */
export const texts = {
  tour: 'The tour begins at the fountain.',
  lunch: 'Lunch is served on the terrace.',
  lunchOfOthers: 'The others eat in the hall.',
  garden: 'Mind the <b>wet</b> grass & the [deep] pond: 1 < 2, 3 > 2.',
  exit: '  The way out:\n behind the “stairs”, N° 5 — Straße, 日本語 😀  \\ end ',
}

/** What later refusals lean on. */
export interface Twins {
  readonly speech: Condition
  readonly visual: Condition
  /** Only where the profile names an image, or audio. */
  readonly image: Condition | undefined
  readonly audio: Condition | undefined
}

/** Assets of every kind, alone and together; texts are spoken as soon as they are confirmed. */
export async function addAssets(talk: Talk, known: string): Promise<Twins> {
  const speech = await one(talk, speechTexts({ tour: texts.tour }), ['asset-add.speech-text-accepted'], known)
  await speakAsset(talk, 'tour', texts.tour, {
    rows: ['script-speech-asset.added-asset-spoken', 'asset-add.usable-once-confirmed'],
    options: { given: [speech] },
  })
  const both = { lunch: texts.lunch, exit: texts.exit }
  const several = await one(talk, speechTexts(both), ['asset-add.several-of-a-kind-accepted'])
  for (const id of ['exit', 'lunch'] as const) {
    const rows: readonly Row[] = ['script-speech-asset.right-asset-spoken']
    await speakAsset(talk, id, texts[id], { rows, options: { given: [several] } })
  }
  await tellCasesApart(talk, several)
  const bow = { asset_id: 'bow', text: 'Bows deeply.' }
  const visual = await one(talk, { assets: { visual_prompts: [bow] } }, ['asset-add.visual-prompt-accepted'])
  await addTogether(talk)
  const image = await addImages(talk)
  const audio = await addAudio(talk)
  return { speech, visual, image, audio }
}

/** Ids that differ in case are different ids; where a service refuses the second, nothing is said. */
async function tellCasesApart(talk: Talk, several: Condition): Promise<void> {
  const rows: readonly Row[] = ['script-speech-asset.right-asset-spoken']
  const added = await add(talk, 'asset.add', speechTexts({ Lunch: texts.lunchOfOthers }))
  const options = { given: [several, added], choice: true }
  await speakAsset(talk, 'Lunch', texts.lunchOfOthers, { rows, options })
  await speakAsset(talk, 'lunch', texts.lunch, { rows, options })
}

function one(talk: Talk, what: JsonObject, rows: readonly Row[], known?: string): Promise<Condition> {
  return add(talk, 'asset.add', what, {
    rows,
    ...(known === undefined ? {} : { known }),
    write: claimArrays(talk, what),
  })
}

/** So many assets of a kind that a small store loses the first. No limit is stated; a service may have one. */
export function addMany(talk: Talk): Promise<Condition> {
  const many = Array.from({ length: 16 }, (_, place) => [`station-${place}`, `This is station ${place}.`] as const)
  return add(talk, 'asset.add', speechTexts(Object.fromEntries(many)))
}

const arrays = {
  images: 'asset-added.images-array',
  audio: 'asset-added.audio-array',
  speech_text: 'asset-added.speech-text-array',
  visual_prompts: 'asset-added.visual-prompts-array',
} as const

/** The kinds that are registered are not left out. */
function claimArrays(talk: Talk, { assets }: JsonObject): (said: Said) => void {
  return ({ answer, confirmed }) => {
    for (const [kind, row] of Object.entries(arrays)) {
      if (at(assets, `/${kind}`) === undefined) continue
      talk.claim(row, different(inEvent(answer, `/assets/${kind}`), absent), { given: [confirmed], choice: true })
    }
  }
}

async function addTogether(talk: Talk): Promise<void> {
  const speech_text = (asset_id: string, extra: JsonObject = {}) => [{ asset_id, text: 'A quiet place.', ...extra }]
  const visual_prompts = (asset_id: string, extra: JsonObject = {}) => [{ asset_id, text: 'Looks around.', ...extra }]
  const kinds = { speech_text: speech_text('hall'), visual_prompts: visual_prompts('look') }
  await one(talk, { assets: kinds }, ['asset-add.several-kinds-accepted'])
  const format = { format: 'text' }
  const garden = speech_text('garden', { ...format, text: texts.garden })
  const plain = { speech_text: garden, visual_prompts: visual_prompts('turn', format) }
  const taken = await one(talk, { assets: plain }, ['asset-add.format-text-accepted'])
  await speakAsset(talk, 'garden', texts.garden, {
    rows: ['script-speech-asset.added-asset-spoken'],
    options: { given: [taken] },
  })
  const marked = [{ asset_id: 'marked', text: '<speak>Please <break/> wait.</speak>', format: 'ssml' }]
  await one(talk, { assets: { speech_text: marked } }, ['asset-add.format-ssml-accepted'])
}

/** Images need an address that the profile gives. */
async function addImages(talk: Talk): Promise<Condition | undefined> {
  const url = talk.context.profile.media?.image_url
  if (url === undefined) return undefined
  const added = await one(talk, { assets: { images: [{ asset_id: 'map', url }] } }, ['asset-add.image-accepted'])
  const typed = [{ asset_id: 'plan', url, mime_type: imageType(url) }]
  await one(talk, { assets: { images: typed } }, ['asset-add.image-mime-type-accepted'])
  return added
}

/** Audio too; where its address does not tell its type, one of both is it. */
async function addAudio(talk: Talk): Promise<Condition | undefined> {
  const url = talk.context.profile.media?.audio_url
  if (url === undefined) return undefined
  const added = await one(talk, { assets: { audio: [{ asset_id: 'bell', url }] } }, ['asset-add.audio-accepted'])
  const confirmation = event('asset.added')
  const tries = audioTypes(url).map((type, place) => ({
    type,
    confirmed: talk.inTime(confirmation, talk.after(place), talk.after(place + 1), { instead: [event('error')] }),
  }))
  talk.claim('asset-add.audio-mime-type-accepted', any(...tries.map(({ confirmed }) => confirmed)))
  for (const { type } of tries) {
    await one(talk, { assets: { audio: [{ asset_id: `bell-${type.slice(6)}`, url, mime_type: type }] } }, [])
  }
  return added
}
