import { notOneOf } from '#target/behaviour/rules/faults'
import { waive } from '#target/behaviour/rules/waive'
import { isWire, type Wire, wiresAt } from '#target/wire'
import { defectsOf } from '../table.ts'
import { refuseWorld } from './tools.ts'

const REQUIRED = ['model', 'initial_prompt', 'idempotency_key']

const promptDefects = defectsOf('world-sessions', {
  'create.minimal-accepted': [
    'A create needs more than model and prompt.',
    (b) => refuseWorld(b, ({ body }) => Object.keys(body).every((key) => REQUIRED.includes(key))),
  ],
  'create.minimal-accepted~opening-frame': [
    'A create needs an opening frame or a reference.',
    (b) => refuseWorld(b, ({ body }) => body['opening_frame'] === undefined && body['references'] === undefined),
  ],
  'create.billing-inactive-rejected': [
    'A world asks for no billing.',
    ({ world }) => void (world.create.skips = (step, state) => step === 'billing' && state === 'billing_inactive'),
  ],
  'create.balance-insufficient-rejected': [
    'A world asks for no balance.',
    ({ world }) => void (world.create.skips = (step, state) => step === 'billing' && state === 'insufficient_balance'),
  ],
  'create.model-missing-rejected': [
    'A create without model gets the only one.',
    ({ world }) => {
      world.create.read = (body) => ({ model: 'svc-w1-stream', ...body })
    },
  ],
  'create.model-unknown-rejected': [
    'Any model of worlds will do.',
    ({ world: { rules } }) => {
      rules['model-unsupported'].broken = ({ body }) => String(body['model']).startsWith('svc-a1')
    },
  ],
  'create.avatar-model-rejected': [
    'Models of avatars make worlds, too.',
    ({ world }) => void world.create.models.push('svc-a1-stream', 'svc-a1-stream-lite'),
  ],
  'create.initial-prompt-missing-rejected': [
    'A world may do without a prompt.',
    ({ world }) => waive(world.rules, 'prompt-missing'),
  ],
  'create.initial-prompt-content-missing-rejected': [
    'A prompt may lack its content.',
    ({ world }) => waive(world.rules, 'prompt-content-missing'),
  ],
  'create.initial-prompt-content-empty-rejected': [
    'The content of a prompt may be empty.',
    ({ world }) => waive(world.rules, 'prompt-content-empty'),
  ],
  'create.initial-prompt-several-accepted': [
    'A prompt is one block.',
    (b) => refuseWorld(b, ({ prompt }) => wiresAt(prompt, 'content').length > 1),
  ],
  'create.initial-prompt-image-rejected': [
    'An image is accepted in the prompt.',
    ({ world }) => void world.create.promptTypes.push('input_image'),
  ],
  'create.initial-prompt-unknown-type-rejected': [
    'A block of an unknown type is dropped from the prompt.',
    ({ world: { rules } }) => {
      rules['prompt-type-unsupported'].broken = ({ prompt }) =>
        wiresAt(prompt, 'content').some(({ type }) => type === 'input_image' || type === 'input_audio')
    },
  ],
  'create.initial-prompt-unknown-type-rejected~first': [
    'Only the first block of the prompt is looked at.',
    ({ world: { rules } }) => {
      rules['prompt-type-unsupported'].broken = ({ prompt, create }) =>
        notOneOf(wiresAt(prompt, 'content')[0]?.['type'], create.promptTypes)
    },
  ],
  'create.initial-prompt-text-empty-rejected': [
    'A text of the prompt may be empty.',
    ({ world }) => waive(world.rules, 'prompt-text-empty'),
  ],
  'create.initial-prompt-text-empty-rejected~beside': [
    'A text of the prompt may be empty where another is not.',
    ({ world: { rules } }) => {
      rules['prompt-text-empty'].broken = ({ prompt }) =>
        wiresAt(prompt, 'content').length > 0 && wiresAt(prompt, 'content').every(({ text }) => text === '')
    },
  ],
  'create.initial-prompt-text-missing-rejected': [
    'A block of the prompt may lack its text.',
    ({ world }) => waive(world.rules, 'prompt-text-missing'),
  ],
})

const frameDefects = defectsOf('world-sessions', {
  'create.opening-frame-accepted': [
    'An opening frame needs its MIME type.',
    (b) => refuseWorld(b, ({ body, frame }) => isWire(body['opening_frame']) && frame['mime_type'] === undefined),
  ],
  'create.opening-frame-mime-type-accepted': [
    'An opening frame must not name its MIME type.',
    (b) => refuseWorld(b, ({ frame }) => frame['mime_type'] !== undefined),
  ],
  'create.opening-frame-mime-type-accepted~png': [
    'An opening frame must be a JPEG.',
    (b) => refuseWorld(b, ({ frame }) => frame['mime_type'] !== undefined && frame['mime_type'] !== 'image/jpeg'),
  ],
  'create.opening-frame-url-missing-rejected': [
    'An opening frame may lack its URL.',
    ({ world }) => waive(world.rules, 'frame-url-missing'),
  ],
  'create.opening-frame-url-not-https-rejected': [
    'An opening frame may come by plain HTTP.',
    ({ world: { rules } }) => {
      rules['frame-url-not-https'].broken = ({ frame: { url } }) => typeof url === 'string' && !URL.canParse(url)
    },
  ],
  'create.opening-frame-url-no-url-rejected': [
    'An opening frame may have any text as URL.',
    ({ world: { rules } }) => {
      rules['frame-url-not-https'].broken = ({ frame: { url } }) =>
        typeof url === 'string' && URL.canParse(url) && new URL(url).protocol !== 'https:'
    },
  ],
  'create.opening-frame-mime-type-not-image-rejected': [
    'An opening frame may be of any MIME type.',
    ({ world }) => waive(world.rules, 'frame-mime-type-not-image'),
  ],
})

const referenceDefects = defectsOf('world-sessions', {
  'create.reference-name-missing-rejected': [
    'A reference may lack its name.',
    ({ world }) => waive(world.rules, 'reference-name-missing'),
  ],
  'create.reference-name-missing-rejected~dropped': [
    'A reference without name is dropped.',
    ({ world }) => {
      world.create.read = (body) => withReferences(body, ({ name }) => name !== undefined)
    },
  ],
  'create.reference-name-duplicate-rejected': [
    'Two references may share a name.',
    ({ world }) => waive(world.rules, 'reference-name-repeated'),
  ],
  'create.reference-name-duplicate-rejected~replaced': [
    'A second reference of a name replaces the first.',
    ({ world }) => {
      world.create.read = (body) =>
        withReferences(body, (one, index, all) => !all.slice(index + 1).some(({ name }) => name === one['name']))
    },
  ],
  'create.reference-content-missing-rejected': [
    'A reference may lack its content.',
    ({ world }) => waive(world.rules, 'reference-content-missing'),
  ],
  'create.reference-content-empty-rejected': [
    'A reference may be empty.',
    ({ world }) => waive(world.rules, 'reference-content-empty'),
  ],
})

const withReferences = (body: Wire, keeps: (one: Wire, index: number, all: Wire[]) => boolean): Wire =>
  Array.isArray(body['references']) ? { ...body, references: wiresAt(body, 'references').filter(keeps) } : body

export const worldCreateDefects = [...promptDefects, ...frameDefects, ...referenceDefects]
