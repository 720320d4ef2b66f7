import { append, around, remembering, set, several } from '#target/overrides/operators'
import { everyNth } from '../every-nth.ts'
import { deeply, integersAsStrings } from '../payloads.ts'
import { variationsOf } from '../table.ts'

/** How long a list stays as it was told, in milliseconds. */
const listedMs = 1500

/** How an answer is cut, dated and kept, where nothing is said of it. */
export const framingVariations = variationsOf({
  'bodies-end-with-connections §Conventions: A body has neither a length nor chunks, and ends with its connection.':
    set('http.endsWithConnection', true),
  'bodies-with-trailers §Conventions: Bodies come in chunks, with a header behind them.': several(
    set('http.contentLength', false),
    set('http.trailers', true),
  ),
  'bodies-behind-headers §Conventions: The headers of an answer come at once, its body a fifth of a second later (no time is promised).':
    set('http.bodyMs', 200),
  'answers-undated §Conventions: Answers have no date.': set('http.dated', false),
  'answers-dated-by-two-clocks §Conventions: Every other answer is dated by a clock that is 100 seconds ahead (edges write the header, and whose clock counts is not said).':
    remembering(() => {
      const isOther = everyNth(2)
      return [set('http.dateAheadMs', () => (isOther() ? 100_000 : 0))]
    }),
  'answers-dated-late-at-times §Conventions: Every other answer bears the date of ten seconds ago (a server that gets no time keeps the header as it was; nothing is said of it).':
    remembering(() => {
      const isOther = everyNth(2)
      return [set('http.dateAheadMs', () => (isOther() ? -10_000 : 0))]
    }),
  'integers-as-strings-at-times §Conventions: In every other answer and event integers that may be 64-bit are strings ("may be returned as strings").':
    remembering(() => {
      const isOther = everyNth(2)
      return [
        append('http.data', (data) => (isOther() ? deeply(data, integersAsStrings) : data)),
        append('outgoing', (event) => [isOther() ? { ...event, ...Object(deeply(event, integersAsStrings)) } : event]),
      ]
    }),
  'uploads-refused-unread §8: An upload that is too large is refused as soon as its length is known, and its connection is closed.':
    set('http.refusesUnread', true),
  'list-in-another-order §4.1: List shows its sessions in another order each time.': around('views.list', (list) => {
    let count = 0
    return (items) => {
      count += 1
      const first = items.length === 0 ? 0 : count % items.length
      return list([...items.slice(first), ...items.slice(0, first)])
    }
  }),
  'list-kept-for-a-while §4.1: What List told a workspace, it tells it for another second and a half (nothing promises read-after-write).':
    remembering(() => {
      const kept = new Map<string, { readonly at: number; readonly shown: unknown }>()
      let workspace = ''
      return [
        around('access.sees', (sees) => (account, owner, operation) => {
          if (operation === 'list-avatar-sessions') ({ workspace } = account)
          return sees(account, owner, operation)
        }),
        around('views.list', (list) => (items) => {
          const known = kept.get(workspace)
          const now = performance.now()
          if (known !== undefined && now - known.at < listedMs) return known.shown
          const shown = list(items)
          kept.set(workspace, { at: now, shown })
          return shown
        }),
      ]
    }),
})
