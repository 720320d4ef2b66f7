import { show } from '#judge/show'
import { equal } from '#trace/match'
import type { Addition, Member } from '../model/additions.ts'
import { Book } from '../model/book.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { isDecided, type ReceivedEvent, sessionsOf } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'asset-add': 'existing-rejected id-of-other-kind-rejected',
  'avatar-add': 'existing-rejected',
})

type Own = (typeof proves)[number]

/**
 * "Existing ids cannot be changed or replaced" (4.4): an addition that names one should be refused, unless it names it as it
 * is: that changes nothing, and may be confirmed again.
 */
export const existing = ruleOf('existing', proves, (trace, say) => {
  for (const session of sessionsOf(trace)) {
    if (session.create === undefined) continue
    for (const kind of ['asset-add', 'avatar-add'] as const) {
      const book = new Book(session, kind)
      for (const addition of book.additions) if (isDecided(addition.sent)) judge(book, addition, say)
    }
  }
})

function judge(book: Book, addition: Addition, say: Say<Own>): void {
  const { sent, members, confirmed, refused } = addition
  const taken = members.flatMap((member) => {
    const old = book.taken(member.id, sent.line)
    return old === undefined || isApart(old.member, member) ? [] : [{ old: old.member, member }]
  })
  const [first] = taken
  if (first === undefined) return
  const row = rowOf(book, first.old, first.member)
  if (refused !== undefined) return say.held(row, sent, refused)
  const changed = taken.find(({ old, member }) => !isSame(old, member))
  if (changed === undefined || confirmed === undefined || !isDecided(confirmed) || hasErrors(addition, confirmed))
    return
  const { old, member } = changed
  say.broken(rowOf(book, old, member), `an error, since ${show(member.id)} exists`, 'a confirmation', sent, confirmed)
}

function rowOf({ kind }: Book, old: Member, member: Member): Own {
  return old.kind === member.kind ? `${kind}.existing-rejected` : 'asset-add.id-of-other-kind-rejected'
}

/** "Unique across `audio`, `speech_text` and `visual_prompts`" (2.4): of images nothing is said. */
function isApart(old: Member, member: Member): boolean {
  return old.kind !== member.kind && [old.kind, member.kind].includes('images')
}

function isSame(old: Member, member: Member): boolean {
  return old.kind === member.kind && equal(asAdded(old.value), asAdded(member.value))
}

/** At creation the text of a visual prompt is named `prompt` (2.4). */
function asAdded({ prompt, ...rest }: Member['value']): Member['value'] {
  return prompt === undefined ? rest : { text: prompt, ...rest }
}

/** An `error` between them that names nothing may be the answer. */
function hasErrors({ sent }: Addition, confirmed: ReceivedEvent): boolean {
  const { received } = sent.connection
  return received.some((one) => one.type === 'error' && one.line > sent.line && one.line < confirmed.line)
}
