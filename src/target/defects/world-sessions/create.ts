import { notOneOf } from '#target/behaviour/validations/faults'
import { waive } from '#target/behaviour/validations/waive'
import type { WorldInput } from '#target/behaviour/world/input'
import { append, around, drop, set, except } from '#target/overrides/operators'
import { isWire, textOf, type JsonObject, objectsAt } from '#target/wire'
import { atEnds, type End, fewerReferences, narrowed } from '../tools/ends.ts'
import { defectsOf } from '../tools/table.ts'
import { refuseWorld } from '../tools/world-sessions.ts'

const isEmpty = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && Object.keys(given).length === 0

const REQUIRED = ['model', 'initial_prompt', 'idempotency_key']

const withReferences = (
  body: JsonObject,
  keeps: (one: JsonObject, index: number, all: JsonObject[]) => boolean,
): JsonObject =>
  Array.isArray(body['references']) ? { ...body, references: objectsAt(body, 'references').filter(keeps) } : body

const fewerPromptBlocks = (input: WorldInput, end: End): WorldInput => ({
  ...input,
  prompt: narrowed(input.prompt, 'content', end),
})

export const createDefects = defectsOf('world-sessions.create', {
  'reference-name-duplicate-rejected: Two references may share a name.': drop(
    'world.validations',
    'reference-name-repeated',
  ),
  'reference-name-duplicate-rejected~apart: Two references may share a name where another stands between them.': set(
    'world.validations.reference-name-repeated.broken',
    ({ references }: WorldInput) =>
      references.some(({ name }, index) => typeof name === 'string' && name === references[index + 1]?.['name']),
  ),
  'reference-name-duplicate-rejected~replaced: A second reference of a name replaces the first.': set(
    'world.create.read',
    (body) => withReferences(body, (one, index, all) => !all.slice(index + 1).some(({ name }) => name === one['name'])),
  ),
  'minimal-accepted: A create needs more than model and prompt.': refuseWorld(({ body }) =>
    Object.keys(body).every((key) => REQUIRED.includes(key)),
  ),
  'minimal-accepted~opening-frame: A create needs an opening frame or a reference.': refuseWorld(
    ({ body }) => body['opening_frame'] === undefined && body['references'] === undefined,
  ),
  'billing-inactive-rejected: A world asks for no billing.': set(
    'world.create.skips',
    (step, state) => step === 'billing' && state === 'billing_inactive',
  ),
  'balance-insufficient-rejected: A world asks for no balance.': set(
    'world.create.skips',
    (step, state) => step === 'billing' && state === 'insufficient_balance',
  ),
  'model-missing-rejected: A create without model gets the only one.': set('world.create.read', (body) => ({
    model: 'svc-w1-stream',
    ...body,
  })),
  'model-unknown-rejected: Any model of worlds will do.': set(
    'world.validations.model-unsupported.broken',
    ({ body }) => String(body['model']).startsWith('svc-a1'),
  ),
  'avatar-model-rejected: Models of avatars make worlds, too.': ({ world }) =>
    void world.create.models.push('svc-a1-stream', 'svc-a1-stream-lite'),
  'initial-prompt-missing-rejected: A world may do without a prompt.': drop('world.validations', 'prompt-missing'),
  'initial-prompt-missing-rejected~frame: A world that begins with a picture may do without a prompt.': except(
    'world.validations',
    'prompt-missing',
    ({ body }) => body['opening_frame'] !== undefined,
  ),
  'initial-prompt-content-missing-rejected: A prompt may lack its content.': drop(
    'world.validations',
    'prompt-content-missing',
  ),
  'initial-prompt-content-empty-rejected: The content of a prompt may be empty.': drop(
    'world.validations',
    'prompt-content-empty',
  ),
  'initial-prompt-several-accepted: A prompt is one block.': refuseWorld(
    ({ prompt }) => objectsAt(prompt, 'content').length > 1,
  ),
  'initial-prompt-several-accepted~ascii: A prompt must be ASCII.': refuseWorld(({ prompt }) =>
    /[^ -~]/u.test(JSON.stringify(prompt)),
  ),
  'initial-prompt-image-rejected: An image is accepted in the prompt.': append(
    'world.create.promptTypes',
    'input_image',
  ),
  'initial-prompt-unknown-type-rejected: A block of an unknown type is dropped from the prompt.': set(
    'world.validations.prompt-type-unsupported.broken',
    ({ prompt }) => objectsAt(prompt, 'content').some(({ type }) => type === 'input_image' || type === 'input_audio'),
  ),
  'initial-prompt-unknown-type-rejected~audio: A recording is accepted in the prompt.': append(
    'world.create.promptTypes',
    'input_audio',
  ),
  'initial-prompt-unknown-type-rejected~reference: A reference is accepted in the prompt, as in an Event.': append(
    'world.create.promptTypes',
    'input_reference',
  ),
  'initial-prompt-unknown-type-rejected~first: Only the first block of the prompt is looked at.': set(
    'world.validations.prompt-type-unsupported.broken',
    ({ prompt, create }) => notOneOf(objectsAt(prompt, 'content')[0]?.['type'], create.promptTypes),
  ),
  'initial-prompt-text-empty-rejected: A text of the prompt may be empty.': drop(
    'world.validations',
    'prompt-text-empty',
  ),
  'initial-prompt-text-empty-rejected~beside: A text of the prompt may be empty where another is not.': set(
    'world.validations.prompt-text-empty.broken',
    ({ prompt }) =>
      objectsAt(prompt, 'content').length > 0 && objectsAt(prompt, 'content').every(({ text }) => text === ''),
  ),
  'initial-prompt-text-missing-rejected: A block of the prompt may lack its text.': drop(
    'world.validations',
    'prompt-text-missing',
  ),
  'opening-frame-accepted: An opening frame needs its MIME type.': refuseWorld(
    ({ body, frame }) => isWire(body['opening_frame']) && frame['mime_type'] === undefined,
  ),
  'opening-frame-mime-type-accepted: An opening frame must not name its MIME type.': refuseWorld(
    ({ frame }) => frame['mime_type'] !== undefined,
  ),
  'opening-frame-mime-type-accepted~png: An opening frame must be a JPEG.': refuseWorld(
    ({ frame }) => frame['mime_type'] !== undefined && frame['mime_type'] !== 'image/jpeg',
  ),
  'opening-frame-url-missing-rejected: An opening frame may lack its URL.': drop(
    'world.validations',
    'frame-url-missing',
  ),
  'opening-frame-url-not-https-rejected: An opening frame may come by plain HTTP.': set(
    'world.validations.frame-url-not-https.broken',
    ({ frame: { url } }) => typeof url === 'string' && !URL.canParse(url),
  ),
  'opening-frame-url-no-url-rejected: An opening frame may have any text as URL.': set(
    'world.validations.frame-url-not-https.broken',
    ({ frame: { url } }) => typeof url === 'string' && URL.canParse(url) && new URL(url).protocol !== 'https:',
  ),
  'opening-frame-url-no-url-rejected~beginning: An opening frame may have any text as URL that begins like one.': set(
    'world.validations.frame-url-not-https.broken',
    ({ frame: { url } }) => typeof url === 'string' && url !== '' && !/^https:\/\//i.test(url),
  ),
  'opening-frame-mime-type-not-image-rejected: An opening frame may be of any MIME type.': drop(
    'world.validations',
    'frame-mime-type-not-image',
  ),
  'reference-name-missing-rejected: A reference may lack its name.': drop(
    'world.validations',
    'reference-name-missing',
  ),
  'reference-name-missing-rejected~dropped: A reference without name is dropped.': set('world.create.read', (body) =>
    withReferences(body, ({ name }) => name !== undefined),
  ),
  'reference-content-missing-rejected: A reference may lack its content.': drop(
    'world.validations',
    'reference-content-missing',
  ),
  'reference-content-empty-rejected: A reference may be empty.': drop('world.validations', 'reference-content-empty'),
  'aspect-ratio-16-9-accepted: The ratio that is the default must not be named.': refuseWorld(
    ({ output }) => output['aspect_ratio'] === '16:9',
  ),
  'aspect-ratio-9-16-accepted: An upright session is refused as a parameter.': refuseWorld(
    ({ output }) => output['aspect_ratio'] === '9:16',
    '20004',
  ),
  'aspect-ratio-1-1-accepted: A square session is refused as a parameter.': refuseWorld(
    ({ output }) => output['aspect_ratio'] === '1:1',
    '20004',
  ),
  'aspect-ratio-unknown-rejected: Any aspect ratio will do.': drop('world.validations', 'aspect-ratio-unsupported'),
  'aspect-ratio-unknown-rejected~nearest: An unknown aspect ratio means the default.': ({ world }) => {
    const { output } = world.create
    waive(world.validations, 'aspect-ratio-unsupported')
    world.create.output = (asked, defaults) => {
      const known = world.create.aspectRatios.includes(textOf(asked['aspect_ratio']) ?? '')
      return output(known ? asked : { ...asked, aspect_ratio: undefined }, defaults)
    }
  },
  'resolution-480p-accepted: 480p is refused as a parameter.': refuseWorld(
    ({ output }) => output['resolution'] === '480p',
    '20004',
  ),
  'resolution-720p-accepted: 720p is refused as a parameter.': refuseWorld(
    ({ output }) => output['resolution'] === '720p',
    '20004',
  ),
  'resolution-default-accepted: The resolution that is the default must not be named.': refuseWorld(
    ({ output }) => output['resolution'] === '720p',
  ),
  'resolution-unknown-rejected: Any resolution will do.': drop('world.validations', 'resolution-unsupported'),
  'resolution-unknown-rejected~lowered: Resolutions above 720p are lowered to it.': ({ world }) => {
    const { output } = world.create
    waive(world.validations, 'resolution-unsupported')
    world.create.output = (asked, defaults) => {
      const known = world.create.resolutions.includes(textOf(asked['resolution']) ?? '720p')
      return output(known ? asked : { ...asked, resolution: '720p' }, defaults)
    }
  },
  'captions-accepted: Captions are refused as a parameter.': refuseWorld(
    ({ output }) => output['captions'] === true,
    '20004',
  ),
  'live-audio-accepted: Live audio is refused, though the capabilities support it.': refuseWorld(
    ({ audio }) => audio['enabled'] === true,
  ),
  'live-audio-transcription-accepted: Transcription is refused, though the capabilities support live audio.':
    refuseWorld(({ audio }) => audio['transcription'] === true, '10009'),
  'live-audio-language-tag-accepted: The language of live audio can only be detected.': refuseWorld(
    ({ audio }) => audio['language'] !== undefined && audio['language'] !== 'auto',
    '10009',
  ),
  'live-audio-language-auto-accepted: The language of live audio must be named.': refuseWorld(
    ({ audio }) => audio['language'] === 'auto',
    '10009',
  ),
  'live-audio-off-accepted: Live audio must not be named when it is off.': refuseWorld(
    ({ audio }) => audio['enabled'] === false,
  ),
  'live-audio-unsupported-rejected: Live audio is accepted, though the capabilities do not support it.': [
    set('world.capabilities.live_audio.supported', false),
    drop('world.validations', 'live-audio-unsupported'),
  ],
  'live-audio-unsupported-rejected~dropped: Live audio that the capabilities do not support is left out in silence.': [
    set('world.capabilities.live_audio.supported', false),
    drop('world.validations', 'live-audio-unsupported'),
    around('world.create.liveInput', (liveInput) => () => liveInput({})),
  ],
  'start-mode-manual-accepted: The start mode that is the default must not be named.': refuseWorld(
    ({ continuation }) => continuation['start_mode'] === 'manual',
  ),
  'start-mode-automatic-accepted: An automatic start is refused, though the capabilities offer it.': refuseWorld(
    ({ continuation }) => continuation['start_mode'] === 'automatic',
  ),
  'start-mode-automatic-unsupported-rejected: An automatic start is accepted, though the capabilities do not offer it.':
    [set('world.capabilities.continuation.automatic', false), drop('world.validations', 'start-mode-unsupported')],
  'start-mode-unknown-rejected: An unknown start mode means manual.': [
    drop('world.validations', 'start-mode-unknown'),
    set('world.create.startMode', ({ start_mode: asked }) => (asked === 'automatic' ? asked : 'manual')),
  ],
  'max-idle-accepted: The idle time must not be named.': refuseWorld(
    ({ continuation }) => continuation['max_idle_ms'] !== undefined,
  ),
  'max-session-duration-accepted: The lifetime must not be named.': refuseWorld(
    ({ body }) => body['max_session_duration_seconds'] !== undefined,
  ),
  'empty-members-accepted: Empty metadata are refused.': refuseWorld(({ body }) => isEmpty(body['metadata'])),
  'empty-members-accepted~references: An empty list of references is refused.': refuseWorld(({ body }) =>
    isEmpty(body['references']),
  ),
  'empty-members-accepted~continuation: An empty continuation is refused.': refuseWorld(({ body }) =>
    isEmpty(body['continuation']),
  ),
  'metadata-accepted: Metadata are refused.': refuseWorld(({ body }) => body['metadata'] !== undefined),
  ...atEnds('block', 'world.validations', fewerPromptBlocks, {
    'initial-prompt-text-empty-rejected': ['prompt-text-empty', 'an empty text'],
    'initial-prompt-text-missing-rejected': ['prompt-text-missing', 'a text'],
    'initial-prompt-unknown-type-rejected': ['prompt-type-unsupported', 'its type'],
  }),
  ...atEnds('reference', 'world.validations', fewerReferences, {
    'reference-name-missing-rejected': ['reference-name-missing', 'its name'],
    'reference-content-missing-rejected': ['reference-content-missing', 'content'],
    'reference-content-empty-rejected': ['reference-content-empty', 'empty content'],
  }),
  'initial-prompt-text-empty-rejected~second: Only the first block of a prompt must have a text.': except(
    'world.validations',
    'prompt-text-empty',
    ({ prompt }) => objectsAt(prompt, 'content')[0]?.['text'] !== '',
  ),
})
