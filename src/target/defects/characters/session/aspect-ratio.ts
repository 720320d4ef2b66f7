import { onOutput, onPart, other, pick } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

const RATIOS = ['9:16', '16:9']

export const sessionDefects = defectsOf('characters.session', {
  'aspect-ratio-overridden: A saved aspect ratio wins.': onOutput((merged, _sent, saved) => ({
    ...merged,
    ...pick(saved, 'aspect_ratio'),
  })),
  'aspect-ratio-kept: An output that is sent replaces the saved one.': onPart('resolution', 'aspect_ratio', (saved) =>
    other(saved['aspect_ratio'], ...RATIOS),
  ),
  'aspect-ratio-kept~refused: A resolution that is sent needs an aspect ratio beside it.': onPart(
    'resolution',
    'aspect_ratio',
    () => 'missing',
  ),
})
