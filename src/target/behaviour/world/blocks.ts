import type { JsonObject } from '#target/wire'
import { empty, missing, notHttps, notString } from '../validations/faults.ts'
import type { InputValidation } from '../validations/input-validation.ts'
import { validation } from '../validations/input-validation.ts'
import type { WorldInput } from './input.ts'

/** Blocks that a part of a create holds. */
type BlocksOf = (input: WorldInput) => JsonObject[]
/** A fault of one value. */
type Fault = (value: unknown) => boolean

const URL_BLOCKS = ['input_image', 'input_audio']

/** 2.13: faults inside content blocks, each looked for in blocks of the types that have the field. */
export function blockValidations<Prefix extends string>(
  prefix: Prefix,
  param: string,
  blocksOf: BlocksOf,
): Record<`${Prefix}-${BlockFault}`, InputValidation<WorldInput>> {
  const within = (types: readonly string[], field: string, fault: Fault) =>
    validation('2.13', `${param}.${field}`, (input: WorldInput) =>
      blocksOf(input).some((block) => types.includes(String(block['type'])) && fault(block[field])),
    )
  const faults: Record<BlockFault, InputValidation<WorldInput>> = {
    'type-missing': validation('2.13', `${param}.type`, (input: WorldInput) =>
      blocksOf(input).some((block) => missing(block['type'])),
    ),
    'type-not-string': validation('2.13', `${param}.type`, (input: WorldInput) =>
      blocksOf(input).some((block) => notString(block['type'])),
    ),
    'text-missing': within(['input_text'], 'text', missing),
    'text-not-string': within(['input_text'], 'text', notString),
    'text-empty': within(['input_text'], 'text', empty),
    'image-url-missing': within(['input_image'], 'url', missing),
    'audio-url-missing': within(['input_audio'], 'url', missing),
    'url-not-string': within(URL_BLOCKS, 'url', notString),
    'url-empty': within(URL_BLOCKS, 'url', empty),
    'image-url-not-https': within(['input_image'], 'url', notHttps),
    'audio-url-not-https': within(['input_audio'], 'url', notHttps),
    'mime-type-not-string': within(URL_BLOCKS, 'mime_type', notString),
    'transcript-not-string': within(['input_audio'], 'transcript', notString),
  }
  return Object.fromEntries(Object.entries(faults).map(([id, one]) => [`${prefix}-${id}`, one])) as typeof faults &
    Record<`${Prefix}-${BlockFault}`, InputValidation<WorldInput>>
}

type BlockFault =
  | 'type-missing'
  | 'type-not-string'
  | 'text-missing'
  | 'text-not-string'
  | 'text-empty'
  | 'image-url-missing'
  | 'audio-url-missing'
  | 'url-not-string'
  | 'url-empty'
  | 'image-url-not-https'
  | 'audio-url-not-https'
  | 'mime-type-not-string'
  | 'transcript-not-string'
