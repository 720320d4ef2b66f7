import { change, omit } from '#target/overrides/changes'
import { onData } from '#target/overrides/data'
import { around } from '#target/overrides/operators'
import { isWire, type JsonObject } from '#target/wire'
import { REPLACE } from '../../tools/characters.ts'
import { defectsOf } from '../../tools/table.ts'

/** Whoever takes 0 for nothing loses it. */
const withoutZero = (model: unknown): unknown =>
  isWire(model) ? Object.fromEntries(Object.entries(model).filter(([, value]) => value !== 0)) : model

export const replaceReturnsDefects = defectsOf('characters.replace', {
  'returns-written: A replace returns the record as it was before.': (b) => {
    let before: JsonObject = {}
    const { replaced, views } = b.characters
    b.characters.replaced = (old, next) => {
      before = { name: old.name, ...views.configuration(old) }
      return replaced(old, next)
    }
    onData(REPLACE, ({ character_id, created_at, updated_at }) => ({
      character_id,
      created_at,
      updated_at,
      ...before,
    }))(b)
  },
  'returns-written~motion-planner: The answer of a replace has no motion planner.': onData(
    REPLACE,
    omit('pipeline_config.motion_planner'),
  ),
  'returns-written~pipeline: A replace does not keep a pipeline.': around(
    'characters.stored',
    (stored) => (body, operation) => {
      const { pipeline_config: pipeline, ...rest } = stored(body, operation)
      return operation === REPLACE || pipeline === undefined ? rest : { ...rest, pipeline_config: pipeline }
    },
  ),
  'returns-written~zero: A replace does not keep a temperature of 0.': around(
    'characters.replaced',
    (replaced) => (old, next) =>
      replaced(old, { ...next, configuration: change('pipeline_config.llm_config', withoutZero)(next.configuration) }),
  ),
  'returns-written~second: A second replace keeps what the first one wrote.': around(
    'characters.replaced',
    (replaced) => {
      const times = new Map<string, number>()
      return (old, next) => {
        const time = (times.get(old.id) ?? 0) + 1
        times.set(old.id, time)
        return time === 2 ? { name: old.name, configuration: old.configuration } : replaced(old, next)
      }
    },
  ),
})
