import { lookTwice, either, twoLooks } from '#scenario/author/look-twice'
import { acceptance, rejection } from '#scenario/author/expectation'
import type { Optional } from '#scenario/author/optional'
import { step } from '#scenario/author/step'
import type { RequirementId } from '#spec/register'
import type { Condition } from '#trace/claim'
import { accepted, all, rejected } from '#trace/conditions'
import { beginInVain, get, list, remove, replace, save } from '../acts.ts'
import { pairCharacter } from '../bodies.ts'

type Deed = 'get' | 'replace' | 'delete' | 'start'

const gone = {
  replace: 'characters.deleted.replace-rejected',
  delete: 'characters.deleted.delete-rejected',
  start: 'characters.deleted.starts-no-session',
} as const

export const hidden = 'characters.list.hides-deleted'
const lite = 'characters.create.model-lite-accepted'

/** "a deleted character cannot start a session and is treated as not found by get, update and delete" (3.6). */
export const treatedAsUnknown = step(
  [
    ...Object.values(gone),
    'characters.code-20005.replace-deleted',
    'characters.code-20005.delete-deleted',
    'characters.code-20005.start-deleted',
    'characters.code-20005.get-deleted',
    'characters.deleted.get-rejected',
    'characters.deleted.replace-revives-nothing',
    lite,
  ],
  async (c, id: string, done: Readonly<Record<Deed, number>>) => {
    const looks = twoLooks(c)
    const isLookedFor = c.takes('gone-get')
    // Whether it was deleted at all is not known where a proxy answered that.
    const control = (deed: Deed) => all(accepted(done[deed]), accepted(done.delete))
    const unknown = <Of extends keyof typeof gone>(deed: Of) =>
      rejection<(typeof gone)[Of] | `characters.code-20005.${Of}-deleted`>({
        rows: gone[deed],
        coded: `characters.code-20005.${deed}-deleted`,
        codes: [20005],
        control: control(deed),
      })
    const unseen = (exchange: number) => rejected(exchange, control('get'))
    if (isLookedFor) c.claim('characters.deleted.get-rejected', either(looks, unseen))
    if (isLookedFor) c.claim('characters.deleted.replace-revives-nothing', either(looks, unseen))
    // The second look is taken where the first one finds it still.
    const coded = 'characters.code-20005.get-deleted'
    const notFound = (premise: Condition) =>
      rejection({ coded, codes: [20005], control: control('get') }, { onlyIf: [premise] })
    if (isLookedFor) c.expect(notFound(unseen(looks[0])), looks[0])
    if (isLookedFor) c.expect(notFound(accepted(looks[0])), looks[1])
    if (c.takes('gone-replace')) await replace(c, id, pairCharacter(c, 'revived'), { expect: unknown('replace') })
    const getting = (exchange: number) => get(c, id, { exchange })
    if (c.takes('gone-get')) await lookTwice(c, looks, getting, ({ ok }) => !ok)
    if (c.takes('gone-delete')) await remove(c, id, { expect: unknown('delete') })
    if (c.takes('gone-start')) {
      await beginInVain(c, { character_id: id }, { expect: unknown('start') })
      const again = rejection({ rows: gone.start, control: control('start') })
      await beginInVain(c, { character_id: id }, { expect: again })
    }
    if (!c.takes('gone-list')) return
    // So that the list has something to show.
    const light = c.offers('lite_model')
    const body = { ...pairCharacter(c, 'after'), ...(light ? { model: 'svc-a1-stream-lite' } : {}) }
    const sending = light ? { expect: acceptance(lite) } : {}
    const other = (await save(c, body, sending)) ?? (await save(c, pairCharacter(c, 'after')))
    await list(c, 'primary', (shown) => !shown.has(id) && (other === undefined || shown.has(other)))
  },
)

const goneRows = (deed: Deed, row: RequirementId) => [row, `characters.code-20005.${deed}-deleted` as const]

/** Requests for a character that is gone, each of which a run may leave out. */
export const optionalGone: readonly Optional[] = [
  { id: 'gone-replace', rows: goneRows('replace', gone.replace), requests: 1, needs: ['edit'] },
  {
    id: 'gone-get',
    rows: [...goneRows('get', 'characters.deleted.get-rejected'), 'characters.deleted.replace-revives-nothing'],
    requests: 1,
    needs: ['gone-replace'],
  },
  { id: 'gone-delete', rows: goneRows('delete', gone.delete), requests: 1 },
  { id: 'gone-start', rows: goneRows('start', gone.start), requests: 3, needs: ['gone-replace'] },
  { id: 'gone-list', rows: [lite, hidden], also: ['characters.character.id-unique'], requests: 3 },
]
