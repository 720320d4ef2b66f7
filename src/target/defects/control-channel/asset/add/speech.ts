import { drop } from '#target/overrides/operators'
import { objectsAt } from '#target/wire'
import { atEnds, fewerAssets } from '../../../tools/ends.ts'
import { refuseEvent } from '../../../tools/refusals.ts'
import { defectsOf } from '../../../tools/table.ts'

export const assetAddDefects = defectsOf('control-channel.asset-add', {
  'speech-text-accepted: Speech texts need a format.': refuseEvent('validations.addAssets', (input) =>
    objectsAt(input.given, 'speech_text').some((asset) => asset['format'] === undefined),
  ),
  'speech-text-accepted~busy: asset.add is refused while a response is active.': refuseEvent(
    'validations.assetAddition',
    ({ session }) => session.response !== undefined,
  ),
  'speech-text-missing-rejected: Speech texts need no text.': drop('validations.addAssets', 'speech-text-missing'),
  ...atEnds('asset', 'validations.addAssets', fewerAssets, {
    'speech-text-missing-rejected': ['speech-text-missing', 'a text'],
  }),
})
