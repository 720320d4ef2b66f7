import { fullInstructions } from '#scenario/author/bodies'
import type { Context } from '#scenario/author/context'
import type { Condition } from '#trace/claim'
import { absent, any, different, event, inEvent } from '#trace/conditions'
import { at, type JsonObject } from '#trace/json'
import { host } from '../bodies.ts'
import { forRows, onlyIf } from '../expectation.ts'
import { takesMore } from '../full.ts'
import { respond } from '../responses/responses.ts'
import { type Row } from '../rows.ts'
import { claiming } from '../step.ts'
import type { Said, Talk } from '../talk.ts'
import { add, addOnce, type Offer, speakAsset, speechAsset, speechTexts, TRIES } from './additions.ts'
import { audioTypes, imageType } from './media.ts'

/** Assets of the session from its creation on. */
export const greeting = { id: 'greeting', text: ' Welcome to Zoe\u0308’s “museum” —  日本語 😀.\nPlease come in. ' }
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
  exit: '  The way out, Zoe\u0308:\r\n behind the “stairs”, N° 5 — Straße, 日本語 😀  \\ end ',
}

/** Positive controls of later refusals. */
export interface Controls {
  readonly speech: Condition
  /** Several texts at once, that of `lunch` among them. */
  readonly several: Condition
  readonly visual: Condition
  /** Only where the profile names an image, or audio. */
  readonly image: Condition | undefined
  readonly audio: Condition | undefined
}

const arrays = {
  images: 'asset-added.images-array',
  audio: 'asset-added.audio-array',
  speech_text: 'asset-added.speech-text-array',
  visual_prompts: 'asset-added.visual-prompts-array',
} as const

type ArrayRow = (typeof arrays)[keyof typeof arrays]

/** The kinds that are registered are not left out. */
function offer<R extends Row>(talk: Talk<ArrayRow>, { assets }: JsonObject, accepted: readonly R[]): Offer<R> {
  const expect = ({ answer, confirmed }: Said): undefined => {
    for (const [kind, row] of Object.entries(arrays)) {
      const shown = onlyIf(confirmed, different(inEvent(answer, `/assets/${kind}`), absent))
      if (at(assets, `/${kind}/0`) !== undefined) talk.expect(forRows(row, shown))
    }
  }
  return { accepted, expect }
}

function one<R extends Row>(talk: Talk<R | ArrayRow>, what: JsonObject, ...accepted: readonly R[]): Promise<Condition> {
  return add<R>(talk, 'asset.add', what, offer(talk, what, accepted))
}

const arrayRows = Object.values(arrays)

/**
 * So many assets of a kind that a small store loses the first, and before them two of so many words that a column cuts them. No
 * limit is stated; a service may have one of either.
 */
export async function addMany(talk: Talk): Promise<Condition> {
  const long = {
    speech_text: [{ asset_id: 'story', text: fullInstructions }],
    visual_prompts: [{ asset_id: 'dance', text: fullInstructions }],
  }
  await add(talk, 'asset.add', { assets: long })
  const many = Array.from({ length: 16 }, (_, place) => [`station-${place}`, `This is station ${place}.`] as const)
  return add(talk, 'asset.add', speechTexts(Object.fromEntries(many)))
}

/** Ids that differ in case are different ids: the second is free, and each names its own text. */
const tellCasesApart = claiming({
  'asset-add': 'speech-text-accepted',
  'script-speech-asset': 'right-asset-spoken',
}).step(async (talk, several: Condition) => {
  const spoken = 'script-speech-asset.right-asset-spoken'
  const free = { accepted: 'asset-add.speech-text-accepted', given: [several] } as const
  const added = await add(talk, 'asset.add', speechTexts({ Lunch: texts.lunchOfOthers }), free)
  const terms = { given: [several, added], choice: true }
  await speakAsset(talk, 'Lunch', texts.lunchOfOthers, { spoken, ...terms })
  await speakAsset(talk, 'lunch', texts.lunch, { spoken, ...terms })
})

const addTogether = claiming(
  {
    'asset-add': [
      'several-kinds-accepted speech-text-accepted format-text-accepted format-ssml-accepted usable-once-confirmed',
    ],
    'script-speech-asset': 'added-asset-spoken',
  },
  arrayRows,
).step(async (talk) => {
  const speech_text = (asset_id: string, extra: JsonObject = {}) => [{ asset_id, text: 'A quiet place.', ...extra }]
  const visual_prompts = (asset_id: string, extra: JsonObject = {}) => [{ asset_id, text: 'Looks around.', ...extra }]
  const kinds = { speech_text: speech_text('hall'), visual_prompts: visual_prompts('look') }
  await one(talk, { assets: kinds }, 'asset-add.several-kinds-accepted')
  const format = { format: 'text' }
  const garden = speech_text('garden', { ...format, text: texts.garden })
  const plain = {
    speech_text: garden,
    visual_prompts: [...visual_prompts('turn', format), ...visual_prompts('step', format)],
  }
  const taken = await one(talk, { assets: plain }, 'asset-add.format-text-accepted')
  await speakAsset(talk, 'garden', texts.garden, {
    spoken: 'script-speech-asset.added-asset-spoken',
    given: [taken],
  })
  // A kind may be empty, and an asset called like an avatar: only assets have ids of which none may come twice.
  const namesake = { images: [], audio: [], speech_text: speech_text(host) }
  await one(talk, { assets: namesake }, 'asset-add.speech-text-accepted')
  const marked = [{ asset_id: 'marked', text: '<speak>Please <break/> wait.</speak>', format: 'ssml' }]
  const ssml = await one(talk, { assets: { speech_text: marked } }, 'asset-add.format-ssml-accepted')
  // How it is spoken is not said.
  await respond(talk, speechAsset('marked'), ({ started }) => ({
    'asset-add.usable-once-confirmed': onlyIf(ssml, started),
  }))
})

/** Images need an address that the profile gives. */
const addImages = claiming({ 'asset-add': 'image-accepted image-mime-type-accepted' }, arrayRows).step(
  async (talk): Promise<Condition | undefined> => {
    const url = talk.context.profile.media?.image_url
    if (url === undefined) return undefined
    const added = await one(talk, { assets: { images: [{ asset_id: 'map', url }] } }, 'asset-add.image-accepted')
    const mime_type = imageType(url)
    const typed = ['plan', 'sketch'].map((asset_id) => ({ asset_id, url, mime_type }))
    await one(talk, { assets: { images: typed } }, 'asset-add.image-mime-type-accepted')
    return added
  },
)

/** Audio too; where its address does not tell its type, one of both is it. */
const addAudio = claiming({ 'asset-add': 'audio-accepted audio-mime-type-accepted' }, arrayRows).step(
  async (talk): Promise<Condition | undefined> => {
    const url = talk.context.profile.media?.audio_url
    if (url === undefined) return undefined
    const sounds = ['bell', 'gong'].map((asset_id) => ({ asset_id, url }))
    const added = await one(talk, { assets: { audio: sounds } }, 'asset-add.audio-accepted')
    const types = audioTypes(url)
    const taken = oneConfirmed(talk, 'asset.added', TRIES * types.length)
    talk.expect({ 'asset-add.audio-mime-type-accepted': onlyIf(takesMore(talk, event('asset.added'), taken), taken) })
    for (const type of types) {
      await one(talk, { assets: { audio: [{ asset_id: `bell-${type.slice(6)}`, url, mime_type: type }] } })
    }
    return added
  },
)

/** One of the next so many events is confirmed. */
export function oneConfirmed(talk: Talk, confirmation: string, events: number): Condition {
  return any(...Array.from({ length: events }, (_, place) => confirmedAt(talk, confirmation, place)))
}

/** An event is confirmed that is sent after so many others. */
export function confirmedAt(talk: Talk, confirmation: string, others: number): Condition {
  return talk.inTime(event(confirmation), talk.after(others), talk.after(others + 1), { instead: [event('error')] })
}

/** Assets of every kind, alone and together; texts are spoken as soon as they are confirmed. */
export const addAssets = claiming(
  {
    'asset-add': [
      'confirmed confirmed-once speech-text-accepted usable-once-confirmed several-of-a-kind-accepted',
      'visual-prompt-accepted',
    ],
    'script-speech-asset': 'added-asset-spoken right-asset-spoken',
  },
  tellCasesApart,
  addTogether,
  addImages,
  addAudio,
).step(async (talk, known: string): Promise<Controls> => {
  const tour = speechTexts({ tour: texts.tour })
  const speech = await addOnce(talk, 'asset.add', tour, known, offer(talk, tour, ['asset-add.speech-text-accepted']))
  await speakAsset(talk, 'tour', texts.tour, {
    spoken: ['script-speech-asset.added-asset-spoken', 'asset-add.usable-once-confirmed'],
    given: [speech],
  })
  const both = { lunch: texts.lunch, exit: texts.exit }
  const several = await one(talk, speechTexts(both), 'asset-add.several-of-a-kind-accepted')
  for (const id of ['exit', 'lunch'] as const) {
    await speakAsset(talk, id, texts[id], { spoken: 'script-speech-asset.right-asset-spoken', given: [several] })
  }
  await tellCasesApart(talk, several)
  const bow = { asset_id: 'bow', text: 'Bows deeply.' }
  const visual = await one(talk, { assets: { visual_prompts: [bow] } }, 'asset-add.visual-prompt-accepted')
  // Before the session may be full: what is refused later leans on them.
  const image = await addImages(talk)
  const audio = await addAudio(talk)
  await addTogether(talk)
  return { speech, several, visual, image, audio }
})
