import { at, type Json, type JsonObject } from '#trace/json'
import { text } from '../bodies.ts'
import { type Offers, offersAutomatic, offersLiveAudio, offersType, plainBlock } from './offers.ts'
import type { Between } from '../names.ts'
import { type WorldOption, unsendable } from './bundle.ts'
import type { Condition } from '#trace/claim'

type Effective = `world-sessions.${Between<'world-sessions.', '-effective'>}-effective`
type Block = Between<'world-sessions.blocks.', '-accepted'>
type Made = Between<'world-sessions.create.', '-accepted'>

/** Rows that options bear out. */
export type PieceRow =
  | Effective
  | `world-sessions.blocks.${Block}-accepted`
  | `world-sessions.create.${Made}-accepted`
  | (typeof seenOfReferences)[number]
  | 'world-sessions.output.resolution-default'
  | 'world-sessions.capabilities.max-references-accepted'
  | 'world-sessions.capabilities.max-reference-images-accepted'

/** A option that only some targets can be sent. */
export interface Optional extends WorldOption<PieceRow> {
  /** Missing where it can be sent to this one; otherwise what stands in the way. */
  readonly unless?: Condition | undefined
}

const effective = (name: Between<'world-sessions.', '-effective'>) => `world-sessions.${name}-effective` as const
const create = (name: Made) => `world-sessions.create.${name}-accepted` as const
const block = (name: Block) => `world-sessions.blocks.${name}-accepted` as const

/** Not so many references or images as to be a load test. */
export const most = 32

const seenOfReferences = [
  'world-sessions.references.array',
  'world-sessions.references.names-returned',
  'world-sessions.references.name-only',
] as const

export function firstOptions(offers: Offers, resolution: Json | undefined): readonly Optional[] {
  const frame = { url: offers.image ?? '', mime_type: 'image/png' }
  const unheard = offers.liveAudio ? undefined : offersLiveAudio(offers)
  return [
    {
      id: 'prompt-several',
      rows: [create('initial-prompt-several')],
      part: { initial_prompt: { content: [text('Gulls cry far away – 海鷗 🐦.')] } },
    },
    frameOf('frame', 'opening-frame-mime-type', frame, offers),
    ...references(offers),
    mayBeRefused('aspect-ratio-9-16', { aspect_ratio: '9:16' }, effective('output.aspect-ratio')),
    orDefault(mayBeRefused('resolution-480p', { resolution: '480p' }, effective('output.resolution')), resolution),
    mayBeRefused('captions', { captions: true }, effective('output.captions')),
    // How it listens may be refused; that it listens is not, and Get shows it.
    { id: 'live-audio-on', rows: [], part: { live_input: { audio: { enabled: true } } }, unless: unheard },
    {
      id: 'live-audio',
      rows: [create('live-audio-language-tag')],
      shows: [effective('live-input.language')],
      part: { live_input: { audio: { enabled: true, language: 'en-US' } } },
      mayBeRefused: true,
      unless: unheard,
    },
    {
      id: 'no-transcription',
      rows: [],
      part: { live_input: { audio: { enabled: true, transcription: false } } },
      mayBeRefused: true,
      unless: unheard,
    },
    {
      id: 'manual',
      rows: [create('start-mode-manual'), create('max-idle')],
      shows: [effective('continuation.start-mode')],
      part: { continuation: { start_mode: 'manual', max_idle_ms: 60_000 } },
    },
    { id: 'duration', rows: [create('max-session-duration')], part: { max_session_duration_seconds: 600 } },
    ...metadataOptions,
  ]
}

const metadataOptions: readonly Optional[] = [
  {
    id: 'metadata',
    rows: [create('metadata')],
    part: { metadata: { scene: 'beach 1', take_no: '07', userId: 'Ada', note: '' } },
  },
  {
    // How long a value may be is not said.
    id: 'metadata-long',
    rows: [],
    part: { metadata: { [`told_${'again_'.repeat(12)}`]: 'Once upon a time, '.repeat(16) } },
    mayBeRefused: true,
  },
  {
    // Nor which letters a key or a value may have: what is taken comes back letter by letter.
    id: 'metadata-odd',
    rows: [],
    part: {
      metadata: {
        'app.shop': 'true',
        Größe: '12',
        name: 'Zoe\u0308 & <Ada> "2" 🦉',
        type: ' line one\nline two ',
        id: '0x1F',
        layout: '{ "w": [1] }',
        constructor: 'none',
      },
    },
    mayBeRefused: true,
  },
  {
    // Nor whether a key may look like a path: who refuses that is seen to keep the others all the same.
    id: 'metadata-slash',
    rows: [],
    part: { metadata: { 'x-take/2': 'false' } },
    mayBeRefused: true,
  },
]

/** The other choices, and as many references and images as the capabilities allow (section 8). */
export function secondOptions(offers: Offers, resolution: Json | undefined): readonly Optional[] {
  const { image = '', audio = '' } = offers
  const mime_type = mimeOf(audio, 'audio/wav', 'mp3', 'audio/mpeg')
  const spoken = { type: 'input_audio', url: audio, mime_type, transcript: 'Ahoy.' }
  const unheard = offers.liveAudio ? undefined : offersLiveAudio(offers)
  return [
    frameOf('frame-url', 'opening-frame', { url: image }, offers),
    typed('audio-transcript', 'input_audio', reference('crew', spoken), offers),
    maxReferences(offers),
    ...maxImages(offers),
    mayBeRefused('aspect-ratio-1-1', { aspect_ratio: '1:1' }, effective('output.aspect-ratio')),
    orDefault(mayBeRefused('resolution-720p', { resolution: '720p' }, effective('output.resolution')), resolution),
    { id: 'captions-off', rows: [], part: { output: { captions: false } } },
    {
      id: 'language-auto',
      rows: [create('live-audio-transcription'), create('live-audio-language-auto')],
      shows: [effective('live-input.transcription')],
      part: { live_input: { audio: { enabled: true, transcription: true, language: 'auto' } } },
      mayBeRefused: true,
      unless: unheard,
    },
    {
      id: 'automatic',
      rows: [create('start-mode-automatic')],
      part: { continuation: { start_mode: 'automatic' } },
      unless: offers.automatic ? undefined : offersAutomatic(offers),
    },
    // Another one than the first session's, beside other options: the lifetime is that of each request.
    { id: 'duration-other', rows: [], part: { max_session_duration_seconds: 900 }, mayBeRefused: true },
  ]
}

/** Live audio, and not a word of how: the switch alone; beside it a square picture, and not a word of its resolution. */
export function soundOptions(offers: Offers): readonly Optional[] {
  const part = { live_input: { audio: { enabled: true } } }
  const unless = offers.liveAudio ? undefined : offersLiveAudio(offers)
  return [
    {
      id: 'live-audio-alone',
      rows: [create('live-audio')],
      shows: [effective('live-input.enabled')],
      part,
      unless,
    },
    { id: 'empty-members', rows: [create('empty-members')], part: { metadata: {}, references: [], continuation: {} } },
    {
      ...mayBeRefused('aspect-ratio-1-1', { aspect_ratio: '1:1' }, 'world-sessions.output.resolution-default'),
      id: 'square-alone',
    },
  ]
}

/** The model supports its default, which the minimal create showed. */
function orDefault(option: Optional, resolution: Json | undefined): Optional {
  if (at(option.part, '/output/resolution') !== resolution) return option
  return { ...option, rows: [...option.rows, create('resolution-default')], mayBeRefused: false }
}

function maxReferences(offers: Offers): Optional {
  const { references: count, images } = offers
  const plain = plainBlock(offers)
  const names = Array.from({ length: Math.min(count, most) }, (_, place) => `extra_${place + 1}`)
  const fits = plain?.['type'] !== 'input_image' || count < images
  return {
    id: 'max-references',
    rows: ['world-sessions.capabilities.max-references-accepted'],
    part: { references: names.map((name) => ({ name, content: plain === undefined ? [] : [plain] })) },
    unless: count >= 1 && count <= most && plain !== undefined && fits ? undefined : unsendable,
  }
}

/** All images in one reference, whether the limit counts those of a session or of a reference. */
function maxImages(offers: Offers): readonly Optional[] {
  const { images, image = '' } = offers
  const row = 'world-sessions.capabilities.max-reference-images-accepted'
  const mime_type = mimeOf(image, 'image/png', 'jpg', 'image/jpeg')
  const one = { type: 'input_image', url: image, mime_type }
  const content = Array.from({ length: images <= most ? images : 1 }, () => one)
  const listed = typed('image-mime-type', 'input_image', { name: 'album', content }, offers)
  if (images <= most) return [{ ...listed, id: 'max-images', rows: [...listed.rows, row] }]
  return [listed, { id: 'max-images', rows: [row], part: {}, unless: unsendable }]
}

function references(offers: Offers): readonly Optional[] {
  const { image = '', audio = '' } = offers
  const plain = plainBlock(offers)
  // Of several types where they may hold several; the other references of the body have one image.
  const more = [
    ...(withImages(offers) && offers.images > 1 ? [{ type: 'input_image', url: image }] : []),
    ...(offers.types.has('input_audio') && audio !== '' ? [{ type: 'input_audio', url: audio }] : []),
  ]
  const several = plain?.['type'] === 'input_text' ? [plain, text('He limps.'), ...more] : undefined
  return [
    {
      // A name is "unique within the session" (4.5), and the same in capitals is another one. First, since what is
      // too much for a session is put into its last reference.
      id: 'name-capitals',
      rows: [block('text')],
      shows: seenOfReferences,
      part: { references: ['lantern', 'LANTERN'].map((name) => reference(name, text('It gives a green light.'))) },
      unless: offers.types.has('input_text') && offers.references > 1 ? undefined : unsendable,
    },
    {
      id: 'several',
      rows: [block('several')],
      shows: seenOfReferences,
      // A name is its letters, large and small ones.
      part: { references: [{ name: 'CaptainOfTheRustyLightship', content: several ?? [] }] },
      unless: several === undefined ? unsendable : undefined,
    },
    {
      // Which letters a name may have is not said.
      id: 'name-odd',
      rows: [],
      part: { references: [{ name: 'Käpt’n 船長', content: plain === undefined ? [] : [plain] }] },
      mayBeRefused: true,
      unless: plain?.['type'] === 'input_text' ? undefined : unsendable,
    },
    typed('text', 'input_text', reference('constructor', text('A rusty anchor.')), offers),
    typed('image', 'input_image', reference('Boat_2', { type: 'input_image', url: image }), offers),
    typed('audio', 'input_audio', reference('song', { type: 'input_audio', url: audio }), offers),
  ]
}

const reference = (name: string, one: JsonObject): JsonObject => ({ name, content: [one] })

function typed(id: Block, type: string, one: JsonObject, offers: Offers): Optional {
  const listed = offers.types.has(type) && offers.references > 0
  const media = type === 'input_text' || (type === 'input_image' ? withImages(offers) : offers.audio !== undefined)
  const missing = listed ? unsendable : offersType(offers, type)
  const unless = listed && media ? undefined : offers.references > 0 ? missing : unsendable
  return { id, rows: [block(id)], part: { references: [one] }, unless }
}

/** Whether a reference may hold an image that we have. */
export function withImages({ types, image, images, references: count }: Offers): boolean {
  return types.has('input_image') && image !== undefined && images > 0 && count > 0
}

function frameOf(id: string, row: Made, frame: JsonObject, { image }: Offers): Optional {
  const mime = mimeOf(image ?? '', 'image/png', 'jpg', 'image/jpeg')
  const typedFrame = frame['mime_type'] === undefined ? frame : { ...frame, mime_type: mime }
  const unless = image === undefined ? unsendable : undefined
  return { id, rows: [create(row)], part: { opening_frame: typedFrame }, unless }
}

function mayBeRefused(name: Made, output: JsonObject, shown: PieceRow): Optional {
  return { id: name, rows: [create(name)], shows: [shown], part: { output }, mayBeRefused: true }
}

/** The type that the ending of a URL tells. */
function mimeOf(url: string, usual: string, ending: string, other: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname.toLowerCase() : ''
  return path.endsWith(`.${ending}`) || (ending === 'jpg' && path.endsWith('.jpeg')) ? other : usual
}
