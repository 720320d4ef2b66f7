import { onOutput, other, pick } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

const RATIOS = ['9:16', '16:9']

export const sessionDefects = defectsOf('characters.session', {
  'aspect-ratio-overridden: A saved aspect ratio wins.': onOutput((merged, _sent, saved) => ({
    ...merged,
    ...pick(saved, 'aspect_ratio'),
  })),
  'aspect-ratio-kept: An output that is sent replaces the saved one.': onOutput((merged, sent, saved) =>
    sent['resolution'] !== undefined && sent['aspect_ratio'] === undefined
      ? { ...merged, aspect_ratio: other(saved['aspect_ratio'], ...RATIOS) }
      : merged,
  ),
  'aspect-ratio-kept~refused: A resolution that is sent needs an aspect ratio beside it.': onOutput((merged, sent) =>
    sent['resolution'] !== undefined && sent['aspect_ratio'] === undefined
      ? { ...merged, aspect_ratio: 'missing' }
      : merged,
  ),
})
