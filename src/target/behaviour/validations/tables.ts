import type { Session } from '#target/sessions/session'
import { type JsonObject, objectAt, wiresOf } from '#target/wire'
import { addAssetValidations, createAssetValidations } from './assets.ts'
import { avatarValidations } from './avatars.ts'
import { characterValidations, startValidations } from './characters.ts'
import { conversationValidations } from './conversation.ts'
import { createSessionValidations } from './create-session.ts'
import { itemCreateValidations, itemNamedValidations, itemValidations } from './items.ts'
import { pipelineValidations } from './pipeline.ts'
import { responseCreateValidations } from './response-create.ts'
import { type ValidationInput, validation } from './input-validation.ts'
import { sessionUpdateValidations } from './session-update.ts'
import { uploadValidations } from './upload.ts'
import { cloneValidations, usedVoiceValidations } from './voices.ts'

/** What `asset.add` and `avatar.add` look at besides the shapes. */
export interface AdditionInput extends ValidationInput {
  event: JsonObject
  session: Session
}

const assetsOf = (input: AdditionInput): JsonObject[] =>
  Object.values(objectAt(input.event, 'assets')).flatMap((list) => wiresOf(list))

const registered = (session: Session, id: unknown): boolean =>
  typeof id === 'string' && Object.values(session.assets).some((store: Map<string, JsonObject>) => store.has(id))

/** "Additive: existing ids cannot be changed or replaced." */
const assetAdditionValidations = () => ({
  'asset-id-taken': validation('4.4', 'assets.asset_id', (input: AdditionInput) =>
    assetsOf(input).some((asset) => registered(input.session, asset['asset_id'])),
  ),
})

const added = (input: AdditionInput): JsonObject[] => wiresOf(input.event['avatars'])
const addedImages = (input: AdditionInput): JsonObject[] =>
  added(input).flatMap((avatar) => wiresOf(objectAt(avatar, 'visual')['source_images']))

const avatarAdditionValidations = () => ({
  /** "existing ids cannot be replaced and source images cannot be appended to an existing avatar" */
  'avatar-id-taken': validation('4.4', 'avatars.avatar_id', (input: AdditionInput) =>
    added(input).some((avatar) => input.session.avatars.some((known) => known['avatar_id'] === avatar['avatar_id'])),
  ),
  /** 2.3: `url` is required "for each image registered via `avatar.add`". */
  'added-image-url-missing': validation('2.3', 'avatars.visual.source_images.url', (input: AdditionInput) =>
    addedImages(input).some((image) => image['url'] === undefined || image['url'] === ''),
  ),
  /** "Per-avatar `voice` only for sessions without `pipeline_config.tts_config`." */
  'voice-beside-tts': validation(
    '4.4',
    'avatars.voice',
    (input: AdditionInput) =>
      input.session.plan.pipeline?.['tts_config'] !== undefined &&
      added(input).some((avatar) => avatar['voice'] !== undefined),
  ),
})

/** Every rule table of the service, by the noun that it judges. */
export const validationTables = () => ({
  createSession: createSessionValidations(),
  avatars: avatarValidations(),
  createAssets: createAssetValidations(),
  conversation: conversationValidations(),
  pipeline: pipelineValidations(),
  character: characterValidations(),
  replacement: characterValidations(),
  start: startValidations(),
  sessionUpdate: sessionUpdateValidations(),
  addAssets: addAssetValidations(),
  assetAddition: assetAdditionValidations(),
  addAvatars: avatarValidations(),
  avatarAddition: avatarAdditionValidations(),
  items: itemValidations(),
  itemCreate: itemCreateValidations(),
  itemRetrieve: itemNamedValidations(),
  itemDelete: itemNamedValidations(),
  responseInput: itemValidations(),
  responseCreate: responseCreateValidations(),
  upload: uploadValidations(),
  clone: cloneValidations(),
  usedVoices: usedVoiceValidations(),
})
