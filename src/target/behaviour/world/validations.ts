import { isWire, objectAt } from '#target/wire'
import {
  below,
  missing,
  notArray,
  notBoolean,
  notInteger,
  notObject,
  notObjects,
  notOneOf,
  notString,
} from '../validations/faults.ts'
import { validation } from '../validations/input-validation.ts'
import { contentValidations } from './content-validations.ts'
import { referenceBlocks, type WorldInput } from './input.ts'

type Broken = (value: unknown, input: WorldInput) => boolean

const at = (param: string, broken: Broken) =>
  validation('4.5', param, (input: WorldInput) => broken(input.body[param], input))
const inOutput = (param: string, broken: Broken) =>
  validation('4.5', `output.${param}`, (input: WorldInput) => broken(input.output[param], input))
const inAudio = (param: string, broken: Broken) =>
  validation('4.5', `live_input.audio.${param}`, (input: WorldInput) => broken(input.audio[param], input))
const inContinuation = (param: string, broken: Broken) =>
  validation('4.5', `continuation.${param}`, (input: WorldInput) => broken(input.continuation[param], input))

const bodyValidations = () => ({
  'model-missing': at('model', missing),
  'model-not-string': at('model', notString),
  'model-unsupported': at('model', (value, { create }) => notOneOf(value, create.models)),
  'idempotency-key-not-string': at('idempotency_key', notString),
  'duration-not-integer': at('max_session_duration_seconds', notInteger),
  'duration-not-positive': at('max_session_duration_seconds', (value) => below(value, 1)),
  'metadata-not-object': at('metadata', notObject),
  'metadata-value-not-string': at(
    'metadata',
    (value) => isWire(value) && Object.values(value).some((member) => typeof member !== 'string'),
  ),
})

/** "unsupported output … option for the model" (30004). */
const outputValidations = () => ({
  'output-not-object': at('output', notObject),
  'aspect-ratio-not-string': inOutput('aspect_ratio', notString),
  'aspect-ratio-unsupported': inOutput('aspect_ratio', (value, { create }) => notOneOf(value, create.aspectRatios)),
  'resolution-not-string': inOutput('resolution', notString),
  'resolution-unsupported': inOutput('resolution', (value, { create }) => notOneOf(value, create.resolutions)),
  'captions-not-boolean': inOutput('captions', notBoolean),
})

/** "unsupported … live-input option for the model" (30004). */
const liveInputValidations = () => ({
  'live-input-not-object': at('live_input', notObject),
  'audio-not-object': validation('4.5', 'live_input.audio', ({ body }: WorldInput) =>
    notObject(objectAt(body, 'live_input')['audio']),
  ),
  'audio-enabled-not-boolean': inAudio('enabled', notBoolean),
  'transcription-not-boolean': inAudio('transcription', notBoolean),
  'language-not-string': inAudio('language', notString),
  'live-audio-unsupported': inAudio(
    'enabled',
    (value, { capabilities }) => value === true && !capabilities.live_audio.supported,
  ),
})

const continuationValidations = () => ({
  'continuation-not-object': at('continuation', notObject),
  'start-mode-not-string': inContinuation('start_mode', notString),
  'start-mode-unknown': inContinuation('start_mode', (value, { create }) => notOneOf(value, create.startModes)),
  'start-mode-unsupported': inContinuation(
    'start_mode',
    (value, { capabilities }) => value === 'automatic' && !capabilities.continuation.automatic,
  ),
  'max-idle-not-integer': inContinuation('max_idle_ms', notInteger),
  'max-idle-not-positive': inContinuation('max_idle_ms', (value) => below(value, 1)),
})

/** "`name` string required (unique within the session)"; numbers by `capabilities.limits`. */
const referenceValidations = () => ({
  'references-not-array': at('references', notArray),
  'references-not-objects': at('references', notObjects),
  'reference-name-missing': ofReferences('name', (name) => missing(name)),
  'reference-name-not-string': ofReferences('name', (name) => notString(name)),
  'reference-name-empty': ofReferences('name', (name) => name === ''),
  'reference-name-repeated': validation('4.5', 'references.name', ({ references }: WorldInput) => {
    const names = references.map((reference) => reference['name']).filter((name) => typeof name === 'string')
    return new Set(names).size < names.length
  }),
  'reference-content-missing': ofReferences('content', missing),
  'reference-content-not-array': ofReferences('content', notArray),
  'reference-content-empty': ofReferences('content', isEmptyArray),
  'reference-content-not-objects': ofReferences('content', notObjects),
  'references-too-many': validation(
    '2.12',
    'references',
    ({ references, capabilities }: WorldInput) => references.length > capabilities.limits.max_references,
  ),
  'reference-images-too-many': validation(
    '2.12',
    'references',
    (input: WorldInput) => imagesOf(input).length > input.capabilities.limits.max_reference_images,
  ),
})

const ofReferences = (field: string, fault: (value: unknown) => boolean) =>
  validation('4.5', `references.${field}`, ({ references }: WorldInput) =>
    references.some((reference) => fault(reference[field])),
  )

const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const imagesOf = (input: WorldInput) => referenceBlocks(input).filter((block) => block['type'] === 'input_image')

/** 4.5 Create Session: each rule names one fault. */
export const worldValidations = () => ({
  ...bodyValidations(),
  ...contentValidations(),
  ...referenceValidations(),
  ...outputValidations(),
  ...liveInputValidations(),
  ...continuationValidations(),
})
