import type { Override } from '#target/behaviour/behaviour'
import { around, drop } from '#target/overrides/operators'
import { without } from '#target/wire'
import { onStart, other } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

/** Only where one is saved. */
const ignoredModel: Override = onStart((body, _sent, saved) =>
  saved['model'] === undefined ? body : { ...body, model: saved['model'] },
)

export const sessionDefects = defectsOf('characters.session', {
  'model-saved: A start takes the model that is not saved.': onStart((body, sent) =>
    sent['model'] === undefined && body['model'] !== undefined
      ? { ...body, model: other(body['model'], 'svc-a1-stream', 'svc-a1-stream-lite') }
      : body,
  ),
  'model-missing-refused: A start needs no model.': drop('validations.start.session', 'model-missing'),
  'model-supplied: A model that is sent needs a saved one.': onStart((body, _sent, saved) =>
    saved['model'] === undefined ? without(body, 'model') : body,
  ),
  'model-supplied~dropped: A start of a character without a model is refused though it brings one.': around(
    'characters.sessions.body',
    (body) => (saved, sent, combination) => {
      const { model, ...rest } = body(saved, sent, combination)
      return saved['model'] === undefined ? rest : { model, ...rest }
    },
  ),
  'model-overridden: A model that is sent does not count.': ignoredModel,
  'model-overridden~beside-duration: Beside a duration a model that is sent does not count.': onStart(
    (body, sent, saved) =>
      sent['max_duration_seconds'] === undefined || saved['model'] === undefined
        ? body
        : { ...body, model: saved['model'] },
  ),
  'model-override-unknown-rejected: Any model can be sent.': drop('validations.start.session', 'model-unsupported'),
})
