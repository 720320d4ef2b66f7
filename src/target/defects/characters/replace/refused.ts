import { around, remembering, set } from '#target/overrides/operators'
import { without } from '#target/wire'
import { REPLACE } from '../../tools/characters.ts'
import { writes } from '../../tools/creates.ts'
import { onRefused } from '../../tools/saves.ts'
import { defectsOf } from '../../tools/table.ts'

export const replaceDefects = defectsOf('characters.replace', {
  'refused-changes-nothing: A refused replace is written.': set(
    'characters.writesRefused',
    (_code, operation) => operation === REPLACE,
  ),
  'refused-changes-nothing~name: A refused replace writes the name.': remembering(() => {
    let refused = false
    return [
      set('characters.writesRefused', (_code, operation) => {
        refused = operation === REPLACE
        return refused
      }),
      around('characters.replaced', (replaced) => (old, next) => {
        const { configuration } = refused ? old : replaced(old, next)
        refused = false
        return { name: next.name, configuration }
      }),
    ]
  }),
  'refused-changes-nothing~20012: A replace that is refused with 20012 is written.': writes('replace', '20012'),
  'refused-changes-nothing~20013: A replace that is refused with 20013 is written.': writes('replace', '20013'),
  'refused-changes-nothing~20014: A replace that is refused with 20014 is written.': writes('replace', '20014'),
  'refused-changes-nothing~20004: A replace that is refused with 20004 is written.': writes('replace', '20004'),
  'refused-changes-nothing~30004: A replace that is refused with 30004 is written.': writes('replace', '30004'),
  'refused-changes-nothing~limited: A replace that is refused for the rate of its key is written all the same.': set(
    'rate.actsAnyway',
    (operation) => operation === REPLACE,
  ),
  'refused-changes-nothing~timeouts: A refused replace writes its timeouts.': onRefused(
    () => true,
    ({ name, configuration }, next) => {
      const { auto_close } = next.configuration
      return {
        name,
        configuration:
          auto_close === undefined ? configuration : { ...without(configuration, 'auto_close'), auto_close },
      }
    },
  ),
})
