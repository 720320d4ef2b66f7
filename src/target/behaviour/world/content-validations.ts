import { isWire, type JsonObject, objectsAt } from '#target/wire'
import { empty, missing, notArray, notHttps, notObject, notOneOf, notString } from '../validations/faults.ts'
import { validation } from '../validations/input-validation.ts'
import { blockValidations } from './blocks.ts'
import { referenceBlocks, type WorldInput } from './input.ts'

type Fault = (value: unknown) => boolean

const promptBlocks = ({ prompt }: WorldInput): JsonObject[] => objectsAt(prompt, 'content')

const inPrompt = (fault: Fault) =>
  validation('4.5', 'initial_prompt.content', ({ body, prompt }: WorldInput) =>
    isWire(body['initial_prompt']) ? fault(prompt['content']) : false,
  )
const inFrame = (param: string, fault: Fault) =>
  validation('4.5', `opening_frame.${param}`, ({ body, frame }: WorldInput) =>
    isWire(body['opening_frame']) ? fault(frame[param]) : false,
  )

/** "`initial_prompt` required; `content` required … one or more `input_text` blocks." */
const promptValidations = () => ({
  'prompt-missing': validation('4.5', 'initial_prompt', ({ body }: WorldInput) => missing(body['initial_prompt'])),
  'prompt-not-object': validation('4.5', 'initial_prompt', ({ body }: WorldInput) => notObject(body['initial_prompt'])),
  'prompt-content-missing': inPrompt(missing),
  'prompt-content-not-array': inPrompt(notArray),
  'prompt-content-empty': inPrompt((value) => Array.isArray(value) && value.length === 0),
  'prompt-content-not-objects': inPrompt((value) => Array.isArray(value) && !value.every(isWire)),
  'prompt-type-unsupported': validation('4.5', 'initial_prompt.content.type', (input: WorldInput) =>
    promptBlocks(input).some((block) => notOneOf(block['type'], input.create.promptTypes)),
  ),
  ...blockValidations('prompt', 'initial_prompt.content', promptBlocks),
})

/** "HTTPS URL fetchable without custom headers"; "Image MIME type." */
const frameValidations = () => ({
  'frame-not-object': validation('4.5', 'opening_frame', ({ body }: WorldInput) => notObject(body['opening_frame'])),
  'frame-url-missing': inFrame('url', missing),
  'frame-url-not-string': inFrame('url', notString),
  'frame-url-empty': inFrame('url', empty),
  'frame-url-not-https': inFrame('url', notHttps),
  'frame-mime-type-not-string': inFrame('mime_type', notString),
  'frame-mime-type-not-image': inFrame(
    'mime_type',
    (value) => typeof value === 'string' && !/^image\/\S+$/u.test(value),
  ),
})

/** "A block type absent from the relevant capability list must not be used" (2.13). */
export const contentValidations = () => ({
  ...promptValidations(),
  ...frameValidations(),
  'reference-type-unsupported': validation('2.13', 'references.content.type', (input: WorldInput) =>
    referenceBlocks(input).some((block) => notOneOf(block['type'], input.capabilities.reference_content_types)),
  ),
  ...blockValidations('reference', 'references.content', referenceBlocks),
})
