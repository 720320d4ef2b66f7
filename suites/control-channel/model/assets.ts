import { readOnce } from '#judge/read-once'
import type { JsonObject } from '#trace/json'
import { type Addition, type Additions, type Form, type Member, pairAdditions } from './additions.ts'
import { isOfCharacter, objectAt, objectsAt, type SentEvent, type Session, textAt } from './sessions.ts'

/** Arrays of `asset.add` and `asset.added` (4.4, 6.2). */
export const assetKinds = ['images', 'audio', 'speech_text', 'visual_prompts'] as const

const form: Form = {
  add: 'asset.add',
  added: 'asset.added',
  members: (event) => assetsIn(objectAt(event, 'assets')),
}

/** The assets of an `assets` object. */
export function assetsIn(assets: JsonObject): readonly Member[] {
  return assetKinds.flatMap((kind) =>
    objectsAt(assets, kind).flatMap((value) => {
      const id = textAt(value, 'asset_id')
      return id === undefined ? [] : [{ id, kind, value }]
    }),
  )
}

/** What may stand behind an asset id, oldest first. */
export interface Claimant {
  readonly member: Member
  /** Undefined for what was given at creation. */
  readonly addition: Addition | undefined
}

export interface Assets extends Additions {
  /** Given at creation, and as the answer shows them: it may show more, of the service's own ("effective", 2.1). */
  readonly given: readonly Member[]
  readonly shown: readonly Member[]
  readonly byId: ReadonlyMap<string, readonly Claimant[]>
}

/** All assets that a session was given or asked to add. */
export const assetsOf = readOnce(readAssets)

function readAssets(session: Session): Assets {
  const { body, data } = session.create ?? { body: {}, data: {} }
  const [asked, shown] = [assetsIn(objectAt(body, 'assets')), assetsIn(objectAt(data, 'assets'))]
  const given = asked.length > 0 && !isOfCharacter(body) ? asked : shown
  const pairs = pairAdditions(session, form)
  const byId = new Map<string, Claimant[]>()
  const put = (member: Member, addition: Addition | undefined): void => {
    const claimants = byId.get(member.id)
    if (claimants === undefined) byId.set(member.id, [{ member, addition }])
    else claimants.push({ member, addition })
  }
  for (const member of given) put(member, undefined)
  for (const addition of pairs.additions) for (const member of addition.members) put(member, addition)
  return { ...pairs, given, shown, byId }
}

/**
 * Whatever may hold an id at a moment: "existing ids cannot be changed or replaced", so nothing after the first one that
 * was surely registered counts.
 */
export function holdersOf(session: Session, id: string, line: number): readonly Claimant[] {
  const holders: Claimant[] = []
  for (const claimant of assetsOf(session).byId.get(id) ?? []) {
    const { addition } = claimant
    if (addition === undefined) return [...holders, claimant]
    if (addition.sent.line > line) break
    if (addition.refused !== undefined) continue
    holders.push(claimant)
    if (addition.confirmed !== undefined) break
  }
  return holders
}

/** Texts that a `speech_asset` of this request may speak; undefined where nobody can say. */
export function speechTexts(sent: SentEvent, id: string): readonly string[] | undefined {
  const holders = holdersOf(sent.connection.session, id, sent.line)
  const texts = holders.map(({ member }) => plainText(member))
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.flatMap((text) => text ?? [])
}

/** SSML is not compared. */
function plainText({ kind, value }: Member): string | undefined {
  const format = value['format']
  const text = kind === 'speech_text' ? textAt(value, 'text') : undefined
  const plain = format === undefined || format === 'text'
  return plain && text !== undefined && !text.trimStart().startsWith('<') ? text : undefined
}
