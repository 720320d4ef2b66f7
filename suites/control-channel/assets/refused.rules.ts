import { show } from '#judge/show'
import { textAt as textOf } from '#trace/json'
import type { Addition, Member } from '../model/additions.ts'
import { assetsOf, type Claimant } from '../model/assets.ts'
import { responsesOf, spokenText } from '../model/responses.ts'
import type { Response } from '../model/response.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { isDecided, objectAt, type Session, sessionsOf, textAt } from '../model/sessions.ts'
import { isAsker } from '../model/watch.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'asset-add': [
    'none-registered-on-invalid none-registered-after-invalid none-registered-across-kinds',
    'none-registered-beside-existing',
  ],
})

type Own = (typeof proves)[number]

/** "If any asset is invalid none is registered" (4.4): what was only ever refused is not spoken, whatever came between. */
export const refusedAssets = ruleOf('refused-assets', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) for (const response of responsesOf(session)) judge(session, response, say)
})

function judge(session: Session, response: Response, say: Say<Own>): void {
  const { request, unasked } = response.origin
  const [done] = response.done
  if (request?.kind !== 'speech_asset' || unasked || response.guessed || !isAsker(response)) return
  if (done === undefined || !isDecided(done)) return
  const { sent } = request
  const vocal = objectAt(objectAt(objectAt(sent.event, 'response'), 'script'), 'vocal')
  const id = textAt(vocal, 'speech_text_asset_id') ?? ''
  const claimants = (assetsOf(session).byId.get(id) ?? []).filter((one) => (one.addition?.sent.line ?? 0) < done.line)
  const isRefused = ({ addition }: Claimant): boolean => (addition?.refused?.line ?? Infinity) < sent.line
  if (claimants.length === 0 || !claimants.every(isRefused)) return
  const spoken = spokenText(response)
  const claimant = claimants.find(({ member }) => spoken !== '' && textAt(member.value, 'text') === spoken)
  const { addition, member } = claimant ?? {}
  if (addition?.refused === undefined || member === undefined) return
  const row = rowOf(session, addition, member)
  if (row === undefined) return
  say.broken(row, 'no speech of an asset that was refused', show(spoken), addition.sent, addition.refused, sent, done)
}

/** By what the others are refused for: an id that is taken, or a lack of content before or behind it, or of another kind. */
function rowOf(session: Session, addition: Addition, member: Member): Own | undefined {
  const others = addition.members.filter((one) => one !== member)
  if (others.some(({ id }) => isTaken(session, id, addition))) return 'asset-add.none-registered-beside-existing'
  const invalid = others.find(isEmpty)
  if (invalid === undefined) return undefined
  if (invalid.kind !== member.kind) return 'asset-add.none-registered-across-kinds'
  const isBehind = addition.members.indexOf(member) > addition.members.indexOf(invalid)
  return isBehind ? 'asset-add.none-registered-after-invalid' : 'asset-add.none-registered-on-invalid'
}

function isTaken(session: Session, id: string, { sent }: Addition): boolean {
  const claimants = assetsOf(session).byId.get(id) ?? []
  return claimants.some(({ addition }) => addition === undefined || (addition.confirmed?.line ?? Infinity) < sent.line)
}

function isEmpty({ kind, value }: Member): boolean {
  const content = kind === 'images' || kind === 'audio' ? '/url' : '/text'
  return textOf(value, content) === undefined
}
