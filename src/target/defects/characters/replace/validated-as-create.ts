import { drop } from '#target/overrides/operators'
import { defectsOf } from '../../tools/table.ts'

export const replaceDefects = defectsOf('characters.replace', {
  'validated-as-create~model: A replace takes an unknown model.': drop(
    'validations.replacement.session',
    'model-unsupported',
  ),
  'validated-as-create~mode: A replace takes an unknown mode.': drop('validations.replacement.session', 'mode-unknown'),
  'validated-as-create~ambiguous: A replace takes several avatars of which none is active.': drop(
    'validations.replacement.session',
    'active-avatar-ambiguous',
  ),
  'validated-as-create~tool-name: A replace takes a tool without a name.': drop(
    'validations.replacement.conversation',
    'tool-name-missing',
  ),
  'validated-as-create~voice-id: A replace takes an empty voice id.': drop(
    'validations.replacement.pipeline',
    'tts-voice-empty',
  ),
  'validated-as-create~resolution: A replace takes an unknown resolution.': drop(
    'validations.replacement.session',
    'resolution-unsupported',
  ),
  'validated-as-create~source-image: A replace takes an unknown source image.': drop(
    'validations.replacement.session',
    'source-image-unknown',
  ),
  'validated-as-create~image-ids: A replace takes two images of one id.': drop(
    'validations.replacement.avatars',
    'source-image-id-repeated',
  ),
  'validated-as-create~media-type: A replace takes a media_type of no image.': drop(
    'validations.replacement.avatars',
    'media-type-not-image',
  ),
  'validated-as-create~voice-model: A replace takes a voice without a model.': drop(
    'validations.replacement.avatars',
    'voice-model-missing',
  ),
  'validated-as-create~negative-timeout: A replace takes a negative timeout.': drop(
    'validations.replacement.session',
    'disconnected-negative',
    'idle-negative',
  ),
  'validated-as-create~idle: A replace takes an idle timeout below 30.': drop(
    'validations.replacement.session',
    'idle-low',
  ),
  'validated-as-create~longest: A replace takes timeouts above 3600.': drop(
    'validations.replacement.session',
    'disconnected-high',
    'idle-high',
  ),
  'validated-as-create~above-duration: A replace takes a disconnected timeout above the duration.': drop(
    'validations.replacement.session',
    'disconnected-over-duration',
  ),
  'validated-as-create~auto-close: A replace takes a disconnected timeout below 10.': drop(
    'validations.replacement.session',
    'disconnected-low',
  ),
  'validated-as-create~pipeline: A replace takes a pipeline_config without tts_config.': drop(
    'validations.replacement.pipeline',
    'tts-missing',
  ),
  'validated-as-create~voice: A replace takes an incomplete avatar voice.': drop(
    'validations.replacement.avatars',
    'voice-provider-missing',
    'voice-id-missing',
    'voice-model-missing',
  ),
})
