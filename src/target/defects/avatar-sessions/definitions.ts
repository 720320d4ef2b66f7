import type { Behaviour } from '#target/behaviour/behaviour'
import { imagesOf } from '#target/behaviour/create'
import type { CreateInput } from '#target/behaviour/rules/create-session'
import { waive } from '#target/behaviour/rules/waive'
import { textOf, type Wire, wireAt, wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { inBody, refuseCreate, sent } from '../tools.ts'

const someAvatar = (input: CreateInput, fits: (avatar: Wire) => boolean): boolean => input.avatars.some(fits)
const assets = (input: CreateInput, kind: string): Wire[] => wiresAt(inBody(input, 'assets'), kind)
const overlap = (one: unknown[], other: unknown[]): boolean => one.some((id) => other.includes(id))
const sharedImages = (input: CreateInput): boolean => {
  const all = input.avatars.flatMap((avatar) => imagesOf(avatar).map((image) => image['source_image_id']))
  return new Set(all).size < all.length
}

/** Lets one id appear twice in some of the arrays, and nowhere else. */
const allowDuplicates = ({ rules }: Behaviour, fits: (ids: (kind: string) => unknown[]) => boolean): void => {
  const rule = rules.createAssets['asset-id-repeated']
  const { broken } = rule
  rule.broken = (input) =>
    broken(input) && !fits((kind) => wiresAt(input.given, kind).map((asset) => asset['asset_id']))
}

const avatarDefects = defectsOf('avatar-sessions', {
  'avatars.avatar-id-missing-rejected': [
    'An avatar without id gets one.',
    ({ rules, create }) => {
      waive(rules.avatars, 'avatar-id-missing')
      const { avatars } = create
      create.avatars = (body) => avatars(body).map((avatar, index) => ({ avatar_id: `avatar_${index}`, ...avatar }))
    },
  ],
  'avatars.avatar-id-empty-rejected': [
    'An empty avatar id is accepted.',
    ({ rules }) => waive(rules.avatars, 'avatar-id-empty'),
  ],
  'avatars.avatar-id-duplicate-rejected': [
    'The first of two avatars with one id counts.',
    ({ rules }) => waive(rules.avatars, 'avatar-id-repeated'),
  ],
  'avatars.instructions-optional': [
    'Instructions are required.',
    (b) => refuseCreate(b, (input) => someAvatar(input, (avatar) => avatar['instructions'] === undefined)),
  ],
  'avatars.voice-provider-missing-rejected': [
    'A voice needs no provider.',
    ({ rules }) => waive(rules.avatars, 'voice-provider-missing'),
  ],
  'avatars.voice-provider-voice-id-missing-rejected': [
    'A voice needs no id.',
    ({ rules }) => waive(rules.avatars, 'voice-id-missing'),
  ],
  'avatars.voice-model-missing-rejected': [
    'A voice needs no model.',
    ({ rules }) => waive(rules.avatars, 'voice-model-missing'),
  ],
  'avatars.voice-speed-optional': [
    'The speed of a voice is required.',
    (b) =>
      refuseCreate(b, (input) =>
        someAvatar(input, (avatar) => avatar['voice'] !== undefined && wireAt(avatar, 'voice')['speed'] === undefined),
      ),
  ],
  'avatars.voice-speed-out-of-range-rejected': [
    'Any speed is accepted.',
    ({ rules }) => waive(rules.avatars, 'voice-speed-low', 'voice-speed-high'),
  ],
  'avatars.visual-missing-rejected': [
    'A video session needs no visual.',
    ({ rules }) => {
      const rule = rules.createSession['source-image-unresolved']
      const { broken } = rule
      rule.broken = (input) => broken(input) && input.active?.['visual'] !== undefined
    },
  ],
  'avatars.visual-unneeded-in-text-chat': [
    'A visual is required in every mode.',
    (b) =>
      refuseCreate(
        b,
        (input) => input.mode === 'text_chat' && someAvatar(input, (avatar) => avatar['visual'] === undefined),
      ),
  ],
  'avatars.inactive-without-visual-accepted': [
    'Every avatar of a video session needs a visual.',
    (b) =>
      refuseCreate(
        b,
        (input) =>
          input.mode === 'video_avatar' &&
          someAvatar(input, (avatar) => avatar !== input.active && avatar['visual'] === undefined),
      ),
  ],
  'avatars.url-unneeded-in-text-chat': [
    'Source images need a URL in every mode.',
    (b) =>
      refuseCreate(
        b,
        (input) =>
          input.mode === 'text_chat' && input.avatars.flatMap(imagesOf).some((image) => image['url'] === undefined),
      ),
  ],
  'avatars.source-image-id-missing-rejected': [
    'A source image needs no id.',
    ({ rules, create }) => {
      waive(rules.avatars, 'source-image-id-missing')
      // The image is found by its place.
      const { avatars } = create
      create.avatars = (body) => avatars(body).map(withImageIds)
    },
  ],
  'avatars.source-image-id-duplicate-rejected': [
    'Two images of an avatar may share an id.',
    ({ rules }) => waive(rules.avatars, 'source-image-id-repeated'),
  ],
  'avatars.source-image-id-shared-by-avatars-accepted': [
    'Image ids are unique in the whole session.',
    (b) => refuseCreate(b, (input) => input.avatars.length > 1 && sharedImages(input)),
  ],
  'avatars.source-image-url-missing-rejected': [
    'An image without URL is good for video.',
    ({ create }) => void (create.usable = () => true),
  ],
  'avatars.source-image-description-optional': [
    'Images need a description.',
    (b) =>
      refuseCreate(b, (input) => input.avatars.flatMap(imagesOf).some((image) => image['description'] === undefined)),
  ],
  'avatars.media-type-missing-rejected': [
    'An image needs no media type.',
    ({ rules }) => waive(rules.avatars, 'media-type-missing'),
  ],
  'avatars.media-type-not-image-rejected': [
    'Any media type is accepted.',
    ({ rules }) => waive(rules.avatars, 'media-type-not-image'),
  ],
  'avatars.default-source-image-optional': [
    'A default image is required.',
    (b) =>
      refuseCreate(
        b,
        (input) =>
          input.mode === 'video_avatar' && wireAt(input.active, 'visual')['default_source_image_id'] === undefined,
      ),
  ],
  'avatars.default-source-image-selects': [
    'With several images the first one is taken.',
    ({ create }) => {
      const { sourceImageId } = create
      create.sourceImageId = (session, avatar) =>
        session['source_image_id'] === undefined && imagesOf(avatar).length > 1
          ? textOf(imagesOf(avatar)[0]?.['source_image_id'])
          : sourceImageId(session, avatar)
    },
  ],
})

function withImageIds(avatar: Wire): Wire {
  if (avatar['visual'] === undefined) return avatar
  const images = imagesOf(avatar).map((image, index) => ({ source_image_id: `image_${index}`, ...image }))
  return { ...avatar, visual: { ...wireAt(avatar, 'visual'), source_images: images } }
}

const assetDefects = defectsOf('avatar-sessions', {
  'assets.duplicate-within-array-rejected': [
    'One id may stand twice in an array.',
    (b) =>
      allowDuplicates(b, (ids) =>
        ['audio', 'speech_text', 'visual_prompts'].some((kind) => new Set(ids(kind)).size < ids(kind).length),
      ),
  ],
  'assets.duplicate-audio-speech-text-rejected': [
    'Audio and speech texts have ids of their own.',
    (b) => allowDuplicates(b, (ids) => overlap(ids('audio'), ids('speech_text'))),
  ],
  'assets.duplicate-speech-text-visual-prompts-rejected': [
    'Speech texts and visual prompts have ids of their own.',
    (b) => allowDuplicates(b, (ids) => overlap(ids('speech_text'), ids('visual_prompts'))),
  ],
  'assets.duplicate-audio-visual-prompts-rejected': [
    'Audio and visual prompts have ids of their own.',
    (b) => allowDuplicates(b, (ids) => overlap(ids('audio'), ids('visual_prompts'))),
  ],
  'assets.audio-accepted': [
    'Audio needs a MIME type.',
    (b) => refuseCreate(b, (input) => assets(input, 'audio').some((asset) => asset['mime_type'] === undefined)),
  ],
  'assets.audio-wav-accepted': [
    'WAV is refused.',
    (b) => refuseCreate(b, (input) => assets(input, 'audio').some((asset) => asset['mime_type'] === 'audio/wav')),
  ],
  'assets.audio-mpeg-accepted': [
    'MP3 is refused.',
    (b) => refuseCreate(b, (input) => assets(input, 'audio').some((asset) => asset['mime_type'] === 'audio/mpeg')),
  ],
  'assets.audio-mime-type-unknown-rejected': [
    'Any MIME type is accepted.',
    ({ rules }) => waive(rules.createAssets, 'audio-type-unknown'),
  ],
  'assets.audio-url-not-https-rejected': [
    'Any URL is accepted.',
    ({ rules }) => waive(rules.createAssets, 'audio-url-not-https'),
  ],
  'assets.speech-text-accepted': [
    'Speech texts need a format.',
    (b) => refuseCreate(b, (input) => assets(input, 'speech_text').some((asset) => asset['format'] === undefined)),
  ],
  'assets.visual-prompt-accepted': [
    'Visual prompts are refused.',
    (b) => refuseCreate(b, (input) => assets(input, 'visual_prompts').some((asset) => asset['prompt'] !== undefined)),
  ],
  'assets.visual-prompt-text-field-rejected': [
    'A visual prompt may hold `text`.',
    ({ rules }) => waive(rules.createAssets, 'visual-prompt-missing'),
  ],
  'assets.audio-url-missing-rejected': [
    'Audio assets need no URL.',
    ({ rules }) => waive(rules.createAssets, 'audio-url-missing'),
  ],
  'assets.speech-text-missing-rejected': [
    'Speech texts need no text.',
    ({ rules }) => waive(rules.createAssets, 'speech-text-missing'),
  ],
  'assets.id-missing-rejected': ['Assets need no id.', ({ rules }) => waive(rules.createAssets, 'asset-id-missing')],
})

const tools = (input: CreateInput): Wire[] => wiresAt(inBody(input, 'conversation'), 'tools')
const transcription = (input: CreateInput): unknown =>
  sent(input, 'conversation', 'input_audio_transcription', 'language')

const conversationDefects = defectsOf('avatar-sessions', {
  'conversation.tool-minimal-accepted': [
    'Tools need parameters.',
    (b) => refuseCreate(b, (input) => tools(input).some((tool) => tool['parameters'] === undefined)),
  ],
  'conversation.tool-type-missing-rejected': [
    'A tool needs no type.',
    ({ rules }) => waive(rules.conversation, 'tool-type-missing'),
  ],
  'conversation.tool-name-missing-rejected': [
    'A tool needs no name.',
    ({ rules }) => waive(rules.conversation, 'tool-name-missing'),
  ],
  'conversation.tool-type-unknown-rejected': [
    'Any tool type is accepted.',
    ({ rules }) => waive(rules.conversation, 'tool-type-not-function'),
  ],
  'conversation.temperature-out-of-range-rejected': [
    'Any temperature is accepted.',
    ({ rules }) => waive(rules.conversation, 'temperature-low', 'temperature-high'),
  ],
  'conversation.turn-detection-manual-accepted': [
    'Manual turn detection is refused.',
    (b) => refuseCreate(b, (input) => sent(input, 'conversation', 'turn_detection', 'type') === 'manual'),
  ],
  'conversation.turn-detection-server-vad-accepted': [
    'server_vad is an invalid parameter.',
    (b) => refuseCreate(b, (input) => sent(input, 'conversation', 'turn_detection', 'type') === 'server_vad', '20004'),
  ],
  'conversation.turn-detection-unknown-rejected': [
    'Any turn detection is accepted.',
    ({ rules }) => waive(rules.conversation, 'turn-detection-type-unknown'),
  ],
  'conversation.transcription-language-tag-accepted': [
    'Only `auto` is known as a language.',
    (b) => refuseCreate(b, (input) => transcription(input) !== undefined && transcription(input) !== 'auto', '20004'),
  ],
  'conversation.transcription-language-auto-accepted': [
    '`auto` is no language.',
    (b) => refuseCreate(b, (input) => transcription(input) === 'auto', '20004'),
  ],
})

export const definitionDefects = [...avatarDefects, ...assetDefects, ...conversationDefects]
