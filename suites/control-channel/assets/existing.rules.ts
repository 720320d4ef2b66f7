import { show } from '#judge/show'
import type { Addition } from '../model/additions.ts'
import { Book } from '../model/book.ts'
import { ruleOf, type Say } from '../model/say.ts'
import { isDecided, type ReceivedEvent, sessionsOf } from '../model/sessions.ts'
import { rows } from '../rows.ts'

const proves = rows({
  'asset-add': 'existing-rejected id-of-other-kind-rejected',
  'avatar-add': 'existing-rejected',
})

type Own = (typeof proves)[number]

/** "Existing ids cannot be changed or replaced" (4.4): an addition that names one should be refused. */
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
    return old === undefined ? [] : [{ old: old.member, member }]
  })
  const [first] = taken
  if (first !== undefined) {
    const other = first.old.kind !== first.member.kind
    const row = other ? 'asset-add.id-of-other-kind-rejected' : (`${book.kind}.existing-rejected` as const)
    if (refused !== undefined) say.held(row, sent, refused)
    else if (confirmed !== undefined && isDecided(confirmed) && !hasErrors(addition, confirmed)) {
      say.broken(row, `an error, since ${show(first.member.id)} exists`, 'a confirmation', sent, confirmed)
    }
  }
}

/** An `error` between them that names nothing may be the answer. */
function hasErrors({ sent }: Addition, confirmed: ReceivedEvent): boolean {
  const { received } = sent.connection
  return received.some((one) => one.type === 'error' && one.line > sent.line && one.line < confirmed.line)
}
