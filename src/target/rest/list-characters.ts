import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { drawFields } from './fields.ts'
import type { RestRequest } from './request.ts'

/** "invalid token gives `20004`"; `undefined` is the first page. */
function startOf(service: Service, given: string | null): number | undefined {
  const { list } = service.behaviour.characters
  if (list.isFirst(given) || given === null) return undefined
  const place = list.placeOf(given)
  if (place === undefined) throw new Refusal('20004', 'page_token')
  return place
}

/** 4.2 GET `/v1/characters`: "summaries, newest first, undeleted only". */
export function listCharacters(service: Service, { account, operation, query }: RestRequest): unknown {
  const { access, characters } = service.behaviour
  const { list, views } = characters
  const start = startOf(service, query.get('page_token'))
  const size = list.size(query.get('page_size'), list)
  if (size === undefined) throw new Refusal('20004', 'page_size')
  const listed = [...service.characters.values()]
    .filter((one) => access.sees(account, one.account, operation) && list.lists(one))
    .toSorted(list.order)
  const page = list.cut(start === undefined ? listed : list.following(listed, start), size, start)
  const items = page.characters.map((one) => drawFields(views.summary, one))
  return list.answer(items, page.after === undefined ? '' : list.token(page.after))
}
