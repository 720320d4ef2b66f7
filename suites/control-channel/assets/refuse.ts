import type { Condition } from '#trace/claim'
import { all, event } from '#trace/conditions'
import type { JsonObject } from '#trace/json'
import { add, showing, speakAsset, speechAsset, speechTexts } from './additions.ts'
import { greeting, texts, type Twins, wave } from './add.ts'
import { type Refusal, refuse } from '../refusals.ts'
import { quiet, whole } from '../responses/responses.ts'
import type { Row } from '../rows.ts'
import type { Talk } from '../talk.ts'

const other = 'This text came too late.'
const line = 'Mind the step.'

type Fault = readonly [row: Row, assets: JsonObject | ((talk: Talk) => JsonObject)]

/** Sends an `asset.add` that must be refused. */
export function refuseAssets(
  talk: Talk,
  rows: readonly Row[],
  assets: JsonObject | undefined,
  twin: Condition,
  write?: (refusal: Refusal) => void,
): Promise<Refusal> {
  return refuse(talk, {
    rows,
    message: { type: 'asset.add', ...(assets === undefined ? {} : { assets }) },
    confirmation: 'asset.added',
    given: [twin],
    write: (it) => {
      talk.claim('asset-add.rejected-not-confirmed', it.unconfirmed, { given: [twin, it.rejected], choice: true })
      write?.(it)
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

/** Whatever is wrong with an asset. */
export async function refuseFaults(talk: Talk, { speech, visual, image, audio }: Twins): Promise<void> {
  const { image_url = '', audio_url = '' } = talk.context.profile.media ?? {}
  await refuseAssets(talk, ['asset-add.missing-assets-rejected'], undefined, speech, ({ at, rejected }) => {
    const works = talk.eventually(event('asset.added'), at)
    talk.claim('error.usable-after-invalid-add', works, { given: [speech, rejected] })
  })
  await refuseEach(talk, speech, [...emptyFaults, ...idFaults, ...textFaults])
  await refuseEach(talk, visual, promptFaults)
  if (image !== undefined) await refuseEach(talk, image, imageFaults(image_url))
  if (audio !== undefined) await refuseEach(talk, audio, audioFaults(audio_url))
  await add(talk, 'asset.add', speechTexts({ after: line }))
}

async function refuseEach(talk: Talk, twin: Condition, faults: readonly Fault[]): Promise<void> {
  for (const [row, assets] of faults) {
    await refuseAssets(talk, [row], typeof assets === 'function' ? assets(talk) : assets, twin)
  }
}

const emptyFaults: readonly Fault[] = [
  ['asset-add.no-kinds-rejected', {}],
  ['asset-add.empty-arrays-rejected', { images: [], audio: [], speech_text: [], visual_prompts: [] }],
  ['asset-add.empty-arrays-rejected', { speech_text: [] }],
]

const idFaults: readonly Fault[] = [
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
]

const textFaults: readonly Fault[] = [
  ['asset-add.speech-text-missing-rejected', among('speech_text', { asset_id: 'mute' })],
]

const promptFaults: readonly Fault[] = [
  ['asset-add.visual-prompt-text-missing-rejected', among('visual_prompts', { asset_id: 'still' })],
  ['asset-add.visual-prompt-as-prompt-rejected', among('visual_prompts', { asset_id: 'nod', prompt: 'Nods.' })],
]

const overHttp = (url: string) => url.replace(/^https:/i, 'http:')

const imageFaults = (url: string): readonly Fault[] => [
  ['asset-add.image-url-missing-rejected', among('images', { asset_id: 'blank' })],
  ['asset-add.image-url-not-https-rejected', among('images', { asset_id: 'bare', url: overHttp(url) })],
]

const audioFaults = (url: string): readonly Fault[] => [
  ['asset-add.audio-url-missing-rejected', among('audio', { asset_id: 'hush' })],
  ['asset-add.audio-url-not-https-rejected', among('audio', { asset_id: 'noise', url: overHttp(url) })],
  [
    'asset-add.audio-mime-type-unknown-rejected',
    among('audio', { asset_id: 'flute', url, mime_type: 'audio/x-flute' }),
  ],
]

/** "Existing ids cannot be changed or replaced": each speaks its old text afterwards. */
export async function keepExisting(talk: Talk, twin: Condition): Promise<void> {
  const known = [
    { id: 'lunch', text: texts.lunch, row: 'asset-add.existing-content-kept' },
    { id: greeting.id, text: greeting.text, row: 'asset-add.create-time-content-kept' },
  ] as const
  for (const { id, text, row } of known) {
    const changed = `Nothing is said of the ${id}.`
    const again = { speech_text: [{ asset_id: id, text: changed }] }
    const { answered } = await refuseAssets(
      talk,
      ['asset-add.existing-rejected'],
      again,
      twin,
      ({ at, answered: it }) => {
        const anew = showing('asset.add', '/assets/speech_text', (place) => ({
          [`${place}/asset_id`]: id,
          [`${place}/text`]: changed,
        }))
        talk.claim('asset-add.existing-not-confirmed-anew', talk.never(anew, at), { given: [twin, it], choice: true })
      },
    )
    await speakAsset(talk, id, text, { rows: [row], options: { given: [twin, answered], choice: true } })
  }
}

interface Batch {
  readonly row: Row
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
export async function registerNone(talk: Talk, twin: Condition): Promise<void> {
  for (const { row, id, assets } of batches) {
    const { rejected } = await refuseAssets(talk, [], assets, twin)
    const given = { given: [twin, rejected], choice: row === 'asset-add.none-registered-beside-existing' }
    await speakUnknown(talk, id, (it) => talk.claim(row, talk.never(whole(tooLate(id)), it.at), given))
    const text = `Now there is a ${id} one.`
    let freed: Condition = all()
    await add(talk, 'asset.add', speechTexts({ [id]: text }), {
      write: ({ confirmed }) => {
        freed = confirmed
        talk.claim('asset-add.free-after-rejection', confirmed, given)
      },
    })
    await speakAsset(talk, id, text, { rows: [row], options: { given: [...given.given, freed], choice: true } })
  }
}

/** Speaks a text that is not registered; nothing must come of it. */
async function speakUnknown(talk: Talk, id: string, write: (refusal: Refusal) => void): Promise<void> {
  await refuse(talk, {
    rows: [],
    message: { type: 'response.create', response: speechAsset(id) },
    confirmation: 'response.created',
    write,
  })
  await quiet(talk)
}
