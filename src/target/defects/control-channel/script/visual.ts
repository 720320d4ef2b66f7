import type { ResponseInput } from '#target/behaviour/validations/response-create'
import { around, drop, except } from '#target/overrides/operators'
import { type JsonObject, objectAt } from '#target/wire'
import { isOfAnotherKind, isPlanned, refuseResponse, scriptOf, vocalOf } from '../../tools/control-channel.ts'
import { isAmong } from '../../tools/items.ts'
import { defectsOf } from '../../tools/table.ts'

const visualOf = (input: ResponseInput): JsonObject => objectAt(scriptOf(input), 'visual')

const has = (input: ResponseInput, key: string): boolean => scriptOf(input)[key] !== undefined

const asset = (input: ResponseInput): unknown => visualOf(input)['visual_prompt_asset_id']

const besideVocal = (response: JsonObject): boolean => objectAt(response, 'script')['vocal'] !== undefined

export const scriptVisualDefects = defectsOf('control-channel.script-visual', {
  'prompt-accepted: A prompt is refused.': refuseResponse(
    (input) =>
      visualOf(input)['prompt'] !== undefined &&
      asset(input) === undefined &&
      !String(visualOf(input)['prompt']).includes('[SHOT_SEP]'),
  ),
  'several-actions-accepted: One action at a time.': refuseResponse((input) =>
    String(visualOf(input)['prompt']).includes('[SHOT_SEP]'),
  ),
  'added-asset-accepted: Added prompts are unknown.': refuseResponse(
    (input) => asset(input) !== undefined && !isPlanned(input.session, 'visual_prompts', asset(input)),
  ),
  'added-asset-accepted~format: Added prompts that name their format are unknown.': refuseResponse(
    (input) => input.session.assets.visual_prompts.get(String(asset(input)))?.['format'] !== undefined,
  ),
  'create-time-asset-accepted: Prompts of the creation are unknown.': refuseResponse((input) =>
    isPlanned(input.session, 'visual_prompts', asset(input)),
  ),
  'beside-vocal-accepted~asset: Beside a vocal an action must be told by its prompt.': refuseResponse(
    (input) => has(input, 'vocal') && asset(input) !== undefined,
  ),
  'beside-vocal-accepted~registered-audio: No action stands beside registered audio.': refuseResponse(
    (input) => vocalOf(input)['type'] === 'audio_asset' && has(input, 'visual'),
  ),
  'beside-vocal-accepted: A script is either vocal or visual.': refuseResponse(
    (input) => has(input, 'vocal') && has(input, 'visual'),
  ),
  'prompt-and-asset-rejected: A prompt wins over an asset.': drop('validations.responseCreate', 'visual-both'),
  'prompt-and-asset-rejected~vocal: A visual part is not looked at beside a vocal one.': except(
    'validations.responseCreate',
    ['visual-both', 'visual-neither'],
    (input) => besideVocal(input.response),
  ),
  'prompt-and-asset-rejected~beside-vocal: Beside a vocal, a visual may hold both prompt and asset.': except(
    'validations.responseCreate',
    'visual-both',
    (input) => objectAt(input.response, 'script')['vocal'] !== undefined,
  ),
  'neither-rejected: A visual may hold nothing.': drop('validations.responseCreate', 'visual-neither'),
  'unknown-asset-rejected: Unknown prompts do nothing.': except(
    'validations.responseCreate',
    'visual-asset-unknown',
    (input) => !isOfAnotherKind(input.session, 'visual_prompts', asset(input)),
  ),
  'unknown-asset-rejected~case: Prompts are looked for without regard to case.': except(
    'validations.responseCreate',
    'visual-asset-unknown',
    (input) => isAmong(input.session.assets.visual_prompts.keys(), asset(input)),
  ),
  'other-kind-rejected: A speech text may be acted.': except(
    'validations.responseCreate',
    'visual-asset-unknown',
    (input) => isOfAnotherKind(input.session, 'visual_prompts', asset(input)),
  ),
  'other-kind-rejected~audio: Audio may be acted.': except(
    'validations.responseCreate',
    'visual-asset-unknown',
    (input) => input.session.assets.audio.has(String(asset(input))),
  ),
  'other-kind-rejected~image: An image may be acted.': except(
    'validations.responseCreate',
    'visual-asset-unknown',
    (input) => input.session.assets.images.has(String(asset(input))),
  ),
  'not-rendered-in-text-chat: Actions are rendered in text, too.': [
    drop('validations.responseCreate', 'visual-in-text-chat'),
    around('responses.renders', (renders) => (plan) => renders(plan) || plan.kind === 'visual'),
  ],
  'duration-accepted: A duration is refused.': refuseResponse((input) =>
    Number.isInteger(visualOf(input)['duration_ms']),
  ),
  'duration-accepted~asset: A duration is refused beside the id of an asset.': refuseResponse(
    (input) =>
      visualOf(input)['visual_prompt_asset_id'] !== undefined && Number.isInteger(visualOf(input)['duration_ms']),
  ),
  'duration-omitted-accepted: A duration is required.': refuseResponse(
    (input) => has(input, 'visual') && visualOf(input)['duration_ms'] === undefined,
  ),
  'duration-not-integer-rejected: Any duration is accepted.': drop(
    'validations.responseCreate',
    'visual-duration-invalid',
  ),
})
