import type { Condition } from '#trace/claim'
import type { JsonObject } from '#trace/json'
import { type Expect, forRows, given, onlyIf } from '../expectation.ts'
import { type Refusal, refuse, refuseResponse } from '../refusals.ts'
import { whole } from '../responses/responses.ts'
import { type Row, type Rows, rows, rowsIn } from '../rows.ts'
import { claiming } from '../step.ts'
import type { Talk } from '../talk.ts'
import { type Controls, greeting, texts, wave } from './add.ts'
import { add, goesOn, showing, speakAsset, speechAsset, speechTexts } from './additions.ts'

const other = 'This text came too late.'
const line = 'Mind the step.'

/** What every `asset.add` is asked for that must be refused. */
const refused = rows({ 'asset-add': 'rejected-not-confirmed' })

/** Sends an `asset.add` that must be refused. */
export function refuseAssets<R extends Row>(
  talk: Talk<R | (typeof refused)[number]>,
  rejected: Rows<R>,
  assets: JsonObject | undefined,
  control: Condition,
  expect?: Expect<R, Refusal>,
): Promise<Refusal> {
  return refuse<R>(talk, 'asset.add', assets === undefined ? {} : { assets }, {
    rejected,
    given: [control],
    expect: (it) => {
      talk.claim('asset-add.rejected-not-confirmed', it.unconfirmed, { given: [control, it.owned], choice: true })
      return expect?.(it)
    },
  })
}

type Kind = 'images' | 'audio' | 'speech_text' | 'visual_prompts'

/** What stands around a faulty asset: a service that looks at one end of a list alone finds nothing wrong there. */
function flawless(talk: Talk, kind: Kind): JsonObject {
  const asset_id = talk.context.id('whole')
  const { image_url = '', audio_url = '' } = talk.context.profile.media ?? {}
  if (kind === 'images') return { asset_id, url: image_url }
  return kind === 'audio' ? { asset_id, url: audio_url } : { asset_id, text: line }
}

/** The fault alone in the middle. */
const among =
  (kind: Kind, faulty: JsonObject) =>
  (talk: Talk): JsonObject => ({ [kind]: [flawless(talk, kind), faulty, flawless(talk, kind)] })

const emptyFaults = [
  ['asset-add.no-kinds-rejected', {}],
  ['asset-add.empty-arrays-rejected', { images: [], audio: [], speech_text: [], visual_prompts: [] }],
  ['asset-add.empty-arrays-rejected', { speech_text: [] }],
] as const

const idFaults = [
  [
    'asset-add.duplicate-id-in-event-rejected',
    {
      speech_text: [
        { asset_id: 'pair', text: line },
        // Not side by side.
        { asset_id: 'between', text: line },
        { asset_id: 'pair', text: other },
      ],
    },
  ],
  [
    'asset-add.id-across-kinds-rejected',
    { speech_text: [{ asset_id: 'shared', text: line }], visual_prompts: [{ asset_id: 'shared', text: line }] },
  ],
  ['asset-add.id-of-other-kind-rejected', among('speech_text', { asset_id: wave.id, text: line })],
  ['asset-add.id-missing-rejected', among('speech_text', { text: line })],
  ['asset-add.id-empty-rejected', among('speech_text', { asset_id: '', text: line })],
] as const

const textFaults = [['asset-add.speech-text-missing-rejected', among('speech_text', { asset_id: 'mute' })]] as const

const promptFaults = [
  [
    'asset-add.duplicate-id-in-event-rejected',
    {
      visual_prompts: [
        { asset_id: 'twin', text: line },
        { asset_id: 'amid', text: line },
        { asset_id: 'twin', text: other },
      ],
    },
  ],
  // "Unique across": in either direction.
  ['asset-add.id-of-other-kind-rejected', among('visual_prompts', { asset_id: greeting.id, text: line })],
  ['asset-add.id-missing-rejected', among('visual_prompts', { text: line })],
  ['asset-add.visual-prompt-text-missing-rejected', among('visual_prompts', { asset_id: 'still' })],
  ['asset-add.visual-prompt-as-prompt-rejected', among('visual_prompts', { asset_id: 'nod', prompt: 'Nods.' })],
] as const

const overHttp = (url: string) => url.replace(/^https:/i, 'http:')

/** Two with one id, not side by side. */
const alike = (kind: Kind, asset_id: string, url: string) => (talk: Talk) => ({
  [kind]: [{ asset_id, url }, flawless(talk, kind), { asset_id, url: anotherUrl(url) }],
})

const imageFaults = (url: string) =>
  [
    ['asset-add.duplicate-id-in-event-rejected', alike('images', 'copy', url)],
    ['asset-add.id-missing-rejected', among('images', { url })],
    ['asset-add.image-url-missing-rejected', among('images', { asset_id: 'blank' })],
    ['asset-add.image-url-not-https-rejected', among('images', { asset_id: 'bare', url: overHttp(url) })],
  ] as const

const audioFaults = (url: string) =>
  [
    ['asset-add.duplicate-id-in-event-rejected', alike('audio', 'echo', url)],
    ['asset-add.id-missing-rejected', among('audio', { url })],
    ['asset-add.id-empty-rejected', among('audio', { asset_id: '', url })],
    ['asset-add.id-of-other-kind-rejected', among('audio', { asset_id: wave.id, url })],
    [
      'asset-add.id-across-kinds-rejected',
      { audio: [{ asset_id: 'common', url }], visual_prompts: [{ asset_id: 'common', text: line }] },
    ],
    ['asset-add.audio-url-missing-rejected', among('audio', { asset_id: 'hush' })],
    ['asset-add.audio-url-not-https-rejected', among('audio', { asset_id: 'noise', url: overHttp(url) })],
    [
      'asset-add.audio-mime-type-unknown-rejected',
      among('audio', { asset_id: 'flute', url, mime_type: 'audio/x-flute' }),
    ],
    // A type that may be uploaded is not one of these.
    ['asset-add.audio-mime-type-unknown-rejected', among('audio', { asset_id: 'organ', url, mime_type: 'audio/ogg' })],
  ] as const

/** Whatever is wrong with an asset. */
export const refuseFaults = claiming(
  { 'asset-add': 'missing-assets-rejected', error: 'usable-after-invalid-add' },
  rowsIn([...emptyFaults, ...idFaults, ...textFaults, ...promptFaults, ...imageFaults(''), ...audioFaults('')]),
  refused,
).step(async (talk, { speech, visual, image, audio }: Controls) => {
  const { image_url = '', audio_url = '' } = talk.context.profile.media ?? {}
  await refuseAssets(talk, 'asset-add.missing-assets-rejected', undefined, speech, ({ at, rejected }) => ({
    'error.usable-after-invalid-add': given([speech, rejected], talk.eventually(goesOn, at)),
  }))
  // What follows takes a slow service long: whoever is interrupted in it has seen by now that the channel goes on.
  await add(talk, 'asset.add', speechTexts({ onward: line }))
  for (const [control, faults] of [
    [speech, [...emptyFaults, ...idFaults, ...textFaults]],
    [visual, promptFaults],
    [image, imageFaults(image_url)],
    [audio, audioFaults(audio_url)],
  ] as const) {
    for (const [row, assets] of control === undefined ? [] : faults) {
      await refuseAssets(talk, row, typeof assets === 'function' ? assets(talk) : assets, control ?? speech)
    }
  }
  await add(talk, 'asset.add', speechTexts({ after: line }))
})

const known = [
  { id: 'lunch', text: texts.lunch, spoken: 'asset-add.existing-content-kept', added: 'several' },
  { id: greeting.id, text: greeting.text, spoken: 'asset-add.create-time-content-kept', added: 'speech' },
] as const

/** "Existing ids cannot be changed or replaced": each speaks its old text afterwards. */
export const keepExisting = claiming(
  { 'asset-add': 'existing-rejected existing-not-confirmed-anew' },
  known.map(({ spoken }) => spoken),
  refused,
).step(async (talk, controls: Controls) => {
  for (const { id, text, spoken, added } of known) {
    const control = controls[added]
    const changed = `Nothing is said of the ${id}.`
    const again = { speech_text: [{ asset_id: id, text: changed }] }
    const anew = showing('asset.add', '/assets/speech_text', (place) => ({
      [`${place}/asset_id`]: id,
      [`${place}/text`]: changed,
    }))
    const { answered } = await refuseAssets(talk, 'asset-add.existing-rejected', again, control, (it) => ({
      'asset-add.existing-not-confirmed-anew': onlyIf([control, it.answered], talk.never(anew, it.at)),
    }))
    await speakAsset(talk, id, text, { spoken, given: [control, answered], choice: true })
  }
})

/** The same of assets of which nothing is heard. Only one with another content would change what is there. */
export const refuseExisting = claiming({ 'asset-add': 'existing-rejected' }, refused).step(
  async (talk, { visual, image, audio }: Controls) => {
    const { image_url = '', audio_url = '' } = talk.context.profile.media ?? {}
    for (const [control, kind, asset] of [
      [visual, 'visual_prompts', { asset_id: 'bow', text: 'Does not bow.' }],
      [image, 'images', { asset_id: 'map', url: anotherUrl(image_url) }],
      [audio, 'audio', { asset_id: 'bell', url: anotherUrl(audio_url) }],
    ] as const) {
      if (control !== undefined) await refuseAssets(talk, 'asset-add.existing-rejected', { [kind]: [asset] }, control)
    }
  },
)

/** The same content at an address that is not the same. */
export const anotherUrl = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}another=1`

const noneRows = rows({
  'asset-add': [
    'none-registered-on-invalid none-registered-after-invalid none-registered-across-kinds',
    'none-registered-beside-existing',
  ],
})

interface Batch {
  readonly row: (typeof noneRows)[number]
  /** Id of the valid one in it. */
  readonly id: string
  readonly assets: JsonObject
}

const tooLate = (id: string) => `The ${id} one came too late.`
const valid = (asset_id: string) => ({ asset_id, text: tooLate(asset_id) })

const batches: readonly Batch[] = [
  {
    row: 'asset-add.none-registered-on-invalid',
    id: 'first',
    assets: { speech_text: [valid('first'), { asset_id: 'lacking' }] },
  },
  {
    row: 'asset-add.none-registered-after-invalid',
    id: 'second',
    assets: { speech_text: [{ asset_id: 'lacking' }, valid('second')] },
  },
  {
    row: 'asset-add.none-registered-across-kinds',
    id: 'third',
    assets: { speech_text: [valid('third')], visual_prompts: [{ asset_id: 'lacking' }] },
  },
  {
    row: 'asset-add.none-registered-across-kinds',
    id: 'fourth',
    assets: { images: [{ asset_id: 'lacking' }], speech_text: [valid('fourth')] },
  },
  {
    row: 'asset-add.none-registered-across-kinds',
    id: 'fifth',
    assets: { audio: [{ asset_id: 'lacking' }], speech_text: [valid('fifth')] },
  },
  {
    row: 'asset-add.none-registered-beside-existing',
    id: 'sixth',
    assets: { speech_text: [{ asset_id: 'tour', text: other }, valid('sixth')] },
  },
]

/** "If any asset is invalid none is registered": the valid one cannot be spoken, and its id can be registered. */
export const registerNone = claiming({ 'asset-add': 'free-after-rejection' }, noneRows, refused).step(
  async (talk, control: Condition) => {
    for (const { row, id, assets } of batches) {
      const { rejected } = await refuseAssets(talk, [], assets, control)
      const terms = { given: [control, rejected], choice: row === 'asset-add.none-registered-beside-existing' }
      const unheard = (at: Refusal['at']) => talk.never(whole(tooLate(id)), at)
      await refuseResponse(talk, speechAsset(id), {
        expect: ({ at }) => forRows(row, { condition: unheard(at), terms }),
      })
      const text = `Now there is a ${id} one.`
      const freed = await add(talk, 'asset.add', speechTexts({ [id]: text }), {
        accepted: 'asset-add.free-after-rejection',
        ...terms,
      })
      await speakAsset(talk, id, text, { spoken: row, given: [...terms.given, freed], choice: true })
    }
  },
)

/** An asset of one kind beside an invalid one of the same or another kind. */
export function besideInvalid(kind: string, asset: JsonObject, faulty: string, invalid: JsonObject): JsonObject {
  return faulty === kind ? { [kind]: [asset, invalid] } : { [kind]: [asset], [faulty]: [invalid] }
}

/**
 * The same of assets of which nothing is heard: what was refused with another one, be it of another kind, can be added by
 * itself.
 */
export const registerNoneUnheard = claiming({ 'asset-add': 'free-after-rejection' }, refused).step(
  async (talk, { visual, image, audio }: Controls) => {
    for (const [control, kind] of [
      [visual, 'visual_prompts'],
      [image, 'images'],
      [audio, 'audio'],
    ] as const) {
      if (control === undefined) continue
      for (const faulty of [kind, 'speech_text']) {
        const asset = flawless(talk, kind)
        const batch = besideInvalid(kind, asset, faulty, { asset_id: 'lacking' })
        const { rejected } = await refuseAssets(talk, [], batch, control)
        const accepted = 'asset-add.free-after-rejection'
        await add(talk, 'asset.add', { assets: { [kind]: [asset] } }, { accepted, given: [control, rejected] })
      }
    }
  },
)
