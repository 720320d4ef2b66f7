import { change } from '#target/overrides/changes'
import { memory } from '#target/overrides/memory'
import { around } from '#target/overrides/operators'
import type { JsonObject } from '#target/wire'
import { defectsOf } from '../../tools/table.ts'

export const scriptWrittenDefects = defectsOf('control-channel.script', {
  'written-text-exact~early: An item that is retrieved while it is spoken is found as it was then ever after.': around(
    'conversation.find',
    (find) => {
      const known = memory(() => new Map<unknown, JsonObject>())
      return (items, id) => {
        const item = find(items, id)
        if (item !== undefined && !known(items).has(id)) known(items).set(id, item)
        return item === undefined ? undefined : known(items).get(id)
      }
    },
  ),
  'written-text-exact: Speech is written without its last character.': around(
    'conversation.kept',
    (kept) => (item, plan) =>
      plan.kind === 'speech'
        ? change('content.*.text', (text) => String(text).slice(0, -1))(kept(item, plan))
        : kept(item, plan),
  ),
})
