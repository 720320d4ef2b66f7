import { at, type Json } from '#trace/json'
import type { KeyName } from '#spec/profile'
import { either, twoLooks } from '#scenario/author/look-twice'
import { step } from '#scenario/author/step'
import { accepted } from '#trace/conditions'
import { replace } from '../acts.ts'
import { oddName, textCharacter } from '../bodies.ts'

/** `created_at` tells whole seconds. */
export const toNextSecond_ms = 1_100

/** Longer than a column that was thought wide enough; how long a name may be is not said. */
const longName = 120

/** Says that both are accepted. */
export const replaced = 'characters.replace.accepted'

/** @returns the character after the write */
const rename = step([replaced], async (c, id: string, key: KeyName): Promise<Json | undefined> => {
  const name = oddName(c, 'renamed')
  const body = {
    ...textCharacter(c, 'renamed'),
    // Another model, and no more of these than their names.
    ...(c.offers('lite_model') ? { model: 'svc-a1-stream-lite' } : {}),
    auto_close: {},
    conversation: {},
  }
  const looks = twoLooks(c)
  c.claim(replaced, either(looks, accepted))
  const long = `${name} ${'é'.repeat(longName - name.length)}`
  const received = await replace(c, id, { ...body, name: long }, { key, exchange: looks[0] })
  return received.ok ? received.data : (await replace(c, id, { ...body, name }, { key, exchange: looks[1] })).data
})

/** Whether a list shows a character as the replace left it; use may have moved `updated_at` since. */
export function isNew(item: Json | undefined, written: Json | undefined): boolean {
  const same = ['/name', '/model'].every((place) => at(item, place) === at(written, place))
  const [shown, told] = [at(item, '/updated_at'), at(written, '/updated_at')]
  const late = typeof shown === 'string' && typeof told === 'string' && shown < told
  return same && !late && (at(item, '/resolution') ?? '') === (at(written, '/output/resolution') ?? '')
}

/** Two records are written anew. @returns the first of them after the write */
export const replaceTwo = step(
  [rename],
  async (c, key: KeyName, [oldest, middle, latest]: readonly [string, string, string]) => {
    await c.wait(toNextSecond_ms, 'timer')
    const renamed = await rename(c, middle, key)
    // The path names the character; an id in the body, which a service may refuse, names nothing.
    await replace(c, latest, { ...textCharacter(c, 'misnamed'), character_id: oldest }, { key })
    return renamed
  },
)
