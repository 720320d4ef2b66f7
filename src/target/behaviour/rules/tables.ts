import type { Session } from '#target/sessions/session'
import { type Wire, wireAt, wiresOf } from '#target/wire'
import { addAssetRules, createAssetRules } from './assets.ts'
import { avatarRules } from './avatars.ts'
import { characterRules, startRules } from './characters.ts'
import { conversationRules } from './conversation.ts'
import { createSessionRules } from './create-session.ts'
import { itemCreateRules, itemNamedRules, itemRules } from './items.ts'
import { pipelineRules } from './pipeline.ts'
import { responseCreateRules } from './response-create.ts'
import { type RuleInput, rule } from './rule.ts'
import { sessionUpdateRules } from './session-update.ts'
import { uploadRules } from './upload.ts'
import { cloneRules, usedVoiceRules } from './voices.ts'

/** What `asset.add` and `avatar.add` look at besides the shapes. */
export interface AdditionInput extends RuleInput {
  event: Wire
  session: Session
}

const assetsOf = (input: AdditionInput): Wire[] =>
  Object.values(wireAt(input.event, 'assets')).flatMap((list) => wiresOf(list))

const registered = (session: Session, id: unknown): boolean =>
  typeof id === 'string' && Object.values(session.assets).some((store: Map<string, Wire>) => store.has(id))

/** "Additive: existing ids cannot be changed or replaced." */
const assetAdditionRules = () => ({
  'asset-id-taken': rule('4.4', 'assets.asset_id', (input: AdditionInput) =>
    assetsOf(input).some((asset) => registered(input.session, asset['asset_id'])),
  ),
})

const added = (input: AdditionInput): Wire[] => wiresOf(input.event['avatars'])
const addedImages = (input: AdditionInput): Wire[] =>
  added(input).flatMap((avatar) => wiresOf(wireAt(avatar, 'visual')['source_images']))

const avatarAdditionRules = () => ({
  /** "existing ids cannot be replaced and source images cannot be appended to an existing avatar" */
  'avatar-id-taken': rule('4.4', 'avatars.avatar_id', (input: AdditionInput) =>
    added(input).some((avatar) => input.session.avatars.some((known) => known['avatar_id'] === avatar['avatar_id'])),
  ),
  /** 2.3: `url` is required "for each image registered via `avatar.add`". */
  'added-image-url-missing': rule('2.3', 'avatars.visual.source_images.url', (input: AdditionInput) =>
    addedImages(input).some((image) => image['url'] === undefined || image['url'] === ''),
  ),
  /** "Per-avatar `voice` only for sessions without `pipeline_config.tts_config`." */
  'voice-beside-tts': rule(
    '4.4',
    'avatars.voice',
    (input: AdditionInput) =>
      input.session.plan.pipeline?.['tts_config'] !== undefined &&
      added(input).some((avatar) => avatar['voice'] !== undefined),
  ),
})

/** Every rule table of the service, by the noun that it judges. */
export const ruleTables = () => ({
  createSession: createSessionRules(),
  avatars: avatarRules(),
  createAssets: createAssetRules(),
  conversation: conversationRules(),
  pipeline: pipelineRules(),
  character: characterRules(),
  replacement: characterRules(),
  start: startRules(),
  sessionUpdate: sessionUpdateRules(),
  addAssets: addAssetRules(),
  assetAddition: assetAdditionRules(),
  addAvatars: avatarRules(),
  avatarAddition: avatarAdditionRules(),
  items: itemRules(),
  itemCreate: itemCreateRules(),
  itemRetrieve: itemNamedRules(),
  itemDelete: itemNamedRules(),
  responseInput: itemRules(),
  responseCreate: responseCreateRules(),
  upload: uploadRules(),
  clone: cloneRules(),
  usedVoices: usedVoiceRules(),
})
