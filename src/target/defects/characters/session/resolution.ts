import { onOutput, onPart, other, pick, RESOLUTIONS } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

export const sessionDefects = defectsOf('characters.session', {
  'resolution-overridden: A saved resolution wins.': onOutput((merged, _sent, saved) => ({
    ...merged,
    ...pick(saved, 'resolution'),
  })),
  'resolution-kept: An aspect ratio that is sent resets the resolution.': onPart(
    'aspect_ratio',
    'resolution',
    (saved) => other(saved['resolution'], ...RESOLUTIONS),
  ),
  'resolution-kept~refused: An aspect ratio that is sent needs a resolution beside it.': onPart(
    'aspect_ratio',
    'resolution',
    () => 'missing',
  ),
  'resolution-kept~defaults: An output that is sent replaces the saved one; what it leaves out is 9:16 and 480p.':
    onOutput((_merged, sent) => ({ aspect_ratio: '9:16', resolution: '480p', ...sent })),
})
