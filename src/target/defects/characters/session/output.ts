import { change } from '#target/overrides/changes'
import { drop } from '#target/overrides/operators'
import { onOutput, onStart, other, pick, refuseStart, RESOLUTIONS } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

export const sessionDefects = defectsOf('characters.session', {
  'output-saved: A start takes another resolution than the saved one.': onStart((body, sent) =>
    sent['output'] === undefined ? change('output.resolution', (value) => other(value, '480p', '720p'))(body) : body,
  ),
  'output-both-overridden: Of an output with both fields only the resolution counts.': onOutput(
    (merged, sent, saved) =>
      sent['aspect_ratio'] !== undefined && sent['resolution'] !== undefined
        ? { ...merged, ...pick(saved, 'aspect_ratio') }
        : merged,
  ),
  'output-empty-keeps: An empty output resets the saved one.': onOutput((merged, sent, saved) =>
    Object.keys(sent).length === 0 ? { ...merged, resolution: other(saved['resolution'], ...RESOLUTIONS) } : merged,
  ),
  'output-empty-keeps~refused: An output that is sent has a resolution and a ratio in it.': onOutput((merged, sent) =>
    Object.keys(sent).length === 0 ? { ...merged, resolution: 'missing' } : merged,
  ),
  'output-unsupported-rejected: Any resolution can be sent.': drop(
    'validations.start.session',
    'resolution-unsupported',
  ),
  'output-ignored-in-text-chat: A text chat must be started without output.': refuseStart(
    ({ mode, body }) => mode === 'text_chat' && body['output'] !== undefined,
  ),
})
