import { onOutput, other, pick, RESOLUTIONS } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

export const sessionDefects = defectsOf('characters.session', {
  'resolution-overridden: A saved resolution wins.': onOutput((merged, _sent, saved) => ({
    ...merged,
    ...pick(saved, 'resolution'),
  })),
  'resolution-kept: An aspect ratio that is sent resets the resolution.': onOutput((merged, sent, saved) =>
    sent['aspect_ratio'] !== undefined && sent['resolution'] === undefined
      ? { ...merged, resolution: other(saved['resolution'], ...RESOLUTIONS) }
      : merged,
  ),
  'resolution-kept~refused: An aspect ratio that is sent needs a resolution beside it.': onOutput((merged, sent) =>
    sent['aspect_ratio'] !== undefined && sent['resolution'] === undefined
      ? { ...merged, resolution: 'missing' }
      : merged,
  ),
})
