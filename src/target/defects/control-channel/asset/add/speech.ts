import { drop } from '#target/overrides/operators'
import { isWire, objectsAt } from '#target/wire'
import { idsIn, idsOf, isInherited, KINDS } from '../../../tools/assets.ts'
import { isStarted } from '../../../tools/characters.ts'
import { atEnds, fewerAssets } from '../../../tools/ends.ts'
import { isInVideo } from '../../../tools/modes.ts'
import { onceReturned, refuseEvent, takenElsewhere } from '../../../tools/refusals.ts'
import { defectsOf } from '../../../tools/table.ts'

export const assetAddDefects = defectsOf('control-channel.asset-add', {
  'speech-text-accepted~other-session: The id of a text that one session added is refused in all others.':
    takenElsewhere(
      'validations.assetAddition',
      ({ event }) => idsOf(event['assets'], 'speech_text'),
      ({ session }) => session,
    ),
  'speech-text-accepted: Speech texts need a format.': refuseEvent('validations.addAssets', (input) =>
    objectsAt(input.given, 'speech_text').some((asset) => asset['format'] === undefined),
  ),
  'speech-text-accepted~busy: asset.add is refused while a response is active.': refuseEvent(
    'validations.assetAddition',
    ({ session }) => session.response !== undefined,
  ),
  'speech-text-accepted~reconnect: asset.add is refused after a reconnect.': onceReturned((returned) => [
    refuseEvent('validations.assetAddition', ({ session }) => returned(session)),
  ]),
  'speech-text-accepted~started: asset.add is refused in a session from a character.': refuseEvent(
    'validations.assetAddition',
    ({ session }) => isStarted(session),
  ),
  'speech-text-accepted~video: asset.add is refused in video.': refuseEvent(
    'validations.assetAddition',
    ({ session }) => isInVideo(session),
  ),
  'speech-text-accepted~empty-list: A kind of which there is no asset must be left out.': refuseEvent(
    'validations.addAssets',
    ({ given }) => isWire(given) && Object.values(given).some((list) => Array.isArray(list) && list.length === 0),
  ),
  'speech-text-accepted~namesake: No asset may have the id of an avatar.': refuseEvent(
    'validations.assetAddition',
    ({ event, session }) => {
      const avatars = session.avatars.map(({ avatar_id }) => avatar_id)
      return objectsAt(event['assets'], 'speech_text').some(({ asset_id }) => avatars.includes(asset_id))
    },
  ),
  'speech-text-accepted~inherited: An id that objects have for a member by themselves counts as taken.': refuseEvent(
    'validations.assetAddition',
    ({ event }) => idsIn(event['assets']).some(isInherited),
  ),
  'speech-text-accepted~capitals: Ids of assets that differ in capitals alone count as the same.': refuseEvent(
    'validations.assetAddition',
    ({ event, session }) => {
      const known = KINDS.flatMap((kind) => [...session.assets[kind].keys()])
      const small = new Set(known.map((id) => id.toLowerCase()))
      return idsIn(event['assets']).some((id) => !known.includes(id) && small.has(id.toLowerCase()))
    },
  ),
  'speech-text-missing-rejected: Speech texts need no text.': drop('validations.addAssets', 'speech-text-missing'),
  ...atEnds('asset', 'validations.addAssets', fewerAssets, {
    'speech-text-missing-rejected': ['speech-text-missing', 'a text'],
  }),
})
