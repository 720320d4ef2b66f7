import { Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { drawFields } from './fields.ts'
import type { RestRequest } from './request.ts'

/** "invalid token gives `20004`"; `undefined` asks for the first page. */
function startOf(service: Service, given: string | null): number | undefined {
  const { list } = service.behaviour.characters
  if (given === null || list.isFirst(given)) return undefined
  const position = list.position(given)
  if (position === undefined) throw new Refusal('20004', 'page_token')
  return position
}

/** 4.2 GET `/v1/characters`: "summaries, newest first, undeleted only". */
export function listCharacters(service: Service, { account, operation, query }: RestRequest): unknown {
  const { access, characters } = service.behaviour
  const { list, views } = characters
  const start = startOf(service, query.get('page_token'))
  const size = list.size(query.get('page_size'))
  if (size === undefined) throw new Refusal('20004', 'page_size')
  const listed = [...service.characters.values()].filter(
    (one) => access.sees(account, one.account, operation) && list.lists(one),
  )
  const following = listed.toSorted(list.order).filter((one) => start === undefined || list.follows(one, start))
  const { characters: shown, after } = list.cut(following, size)
  const items = shown.map((one) => drawFields(views.summary, one))
  return list.answer(items, after === undefined ? '' : list.token(after))
}
