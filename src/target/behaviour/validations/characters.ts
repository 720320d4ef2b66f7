import type { JsonObject } from '#target/wire'
import type { ErrorCode } from '../codes.ts'
import { createAssetValidations } from './assets.ts'
import { avatarValidations } from './avatars.ts'
import { conversationValidations } from './conversation.ts'
import { createSessionValidations } from './create-session.ts'
import { empty, missing, notString } from './faults.ts'
import { pipelineValidations } from './pipeline.ts'
import { type InputValidation, type ValidationInput, validation } from './input-validation.ts'

/** A body with fields of its own beside a create. */
export interface BodyInput extends ValidationInput {
  body: JsonObject
}

const at = (section: string, param: string, broken: (value: unknown) => boolean, code?: ErrorCode) => ({
  ...validation(section, param, (input: BodyInput) => broken(input.body[param])),
  ...(code === undefined ? {} : { code }),
})

/** 4.2: "`name` (required string)"; 20004 for a "missing `name`". */
const nameValidations = () => ({
  'name-missing': at('4.2', 'name', missing, '20004'),
  'name-not-string': at('4.2', 'name', notString, '20004'),
  'name-empty': at('4.2', 'name', empty, '20004'),
})

/** Gives rules of a table a code of their own. */
function recoded<Table extends Record<string, InputValidation<never>>>(
  table: Table,
  code: ErrorCode,
  ids: (keyof Table & string)[],
): Table {
  for (const id of ids) {
    const found = table[id]
    if (found !== undefined) found.code = code
  }
  return table
}

/** 20012: "Character `avatars` empty or missing"; 20013: "missing `avatar_id`, duplicate ids". */
const savedAvatarValidations = () => {
  const table = recoded(avatarValidations(), '20012', ['avatars-missing', 'avatars-empty'])
  return recoded(table, '20013', [
    'avatars-not-array',
    'avatars-not-objects',
    'avatar-id-missing',
    'avatar-id-not-string',
    'avatar-id-empty',
    'avatar-id-repeated',
  ])
}

/** What holds for a create holds for a saved one, save that a `model` is only "required to start a session" (4.2). */
const configurationValidations = () => {
  const { 'model-missing': _onlyToStart, ...validations } = createSessionValidations()
  recoded(validations, '20014', ['output-missing'])
  return recoded(validations, '20013', ['active-avatar-unknown', 'active-avatar-not-string'])
}

/** What holds for a save, by the noun that is judged. */
export const characterValidations = () => ({
  name: nameValidations(),
  avatars: savedAvatarValidations(),
  session: configurationValidations(),
  assets: createAssetValidations(),
  conversation: conversationValidations(),
  pipeline: pipelineValidations(),
})

/** 4.1 Create Session from Character: its own fields, and what holds for the create that it comes to. */
export const startValidations = () => ({
  body: {
    'character-id-missing': at('4.1', 'character_id', missing),
    'character-id-not-string': at('4.1', 'character_id', notString),
    /** "`avatars` must not be sent." */
    'avatars-sent': at('4.1', 'avatars', (value) => value !== undefined),
  },
  avatars: avatarValidations(),
  session: createSessionValidations(),
  assets: createAssetValidations(),
  conversation: conversationValidations(),
  pipeline: pipelineValidations(),
})
