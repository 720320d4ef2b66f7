import type { RequirementId } from '#spec/register'
import { rejected } from '#trace/conditions'
import { type Control, type Expectation, outcome, rejection, type Rows, type Terms, together } from './expectation.ts'

/** An id that the target never gave out. */
export interface Unissued {
  readonly id: string
  /** It has the form of those that were given out: only digits of one of them were changed to other digits. */
  readonly alike: boolean
}

/** How many characters at the end may change: before them a random id may tell a version, a time or a node. */
const tail = 12
/** The longest number that is taken for a count: with nines alone it fits into 32 bits. */
const longestCount = 9
/** Of fewer digits a count soon comes to any number. */
const shortestCount = 4
/** Of fewer characters a random id is not sure to be nobody's. */
const shortestRandom = 6

/**
 * An id like one that was given out, which nobody has. Where that one has no digits to change, an id of another form,
 * which a service may refuse before it looks anything up.
 */
export function unissued(id: string): Unissued {
  const pieces = id.split(/([^A-Za-z0-9]+)/)
  for (const [place, piece] of [...pieces.entries()].toReversed()) {
    const isLast = place === pieces.length - 1
    const other = isLast && /^\d+$/.test(piece) ? otherNumber(piece) : otherWord(piece, isLast ? 1 : 2)
    if (other !== undefined) return { id: pieces.with(place, other).join(''), alike: true }
  }
  return { id: turned(id), alike: false }
}

/** A count that is higher than any so far, or another number. */
function otherNumber(digits: string): string | undefined {
  if (digits.length < shortestCount || /^9+$/.test(digits)) return undefined
  if (digits.length <= longestCount) return '9'.repeat(digits.length)
  return digits.slice(0, -longestCount) + exchanged(digits.slice(-longestCount))
}

/** A word before the last one may be the name of a place (`east2`), a number there a date. */
function otherWord(word: string, digits: number): string | undefined {
  const [head, end] = [word.slice(0, -tail), word.slice(-tail)]
  const isRandom = word.length >= shortestRandom && /[^\d]/.test(word)
  return isRandom && (end.match(/\d/g) ?? []).length >= digits ? head + exchanged(end) : undefined
}

/** Each digit becomes another one that stands there too: not every alphabet has all ten. */
function exchanged(text: string): string {
  const digits = [...new Set(text.match(/\d/g))].toSorted()
  if (digits.length === 1) return text.replaceAll(/\d/g, (digit) => (digit === '5' ? '4' : '5'))
  return text.replaceAll(/\d/g, (digit) => digits[(digits.indexOf(digit) + 1) % digits.length] ?? digit)
}

/** The same characters, turned round until they differ. */
function turned(id: string): string {
  const other = Array.from(id, turn).join('')
  return other === id ? `${id}0` : other
}

function turn(character: string): string {
  if (/\d/.test(character)) return String(9 - Number(character))
  if (!/[a-z]/i.test(character)) return character
  const base = character < 'a' ? 65 : 97
  return String.fromCharCode(base + 25 - (character.charCodeAt(0) - base))
}

/** `20005 not found` (section 7). */
const notFound = [20005]

/** Rows about an id that nobody issued: it is rejected, and as not found where nothing is wrong with its form. */
export function unfound<const Row extends RequirementId>(
  { rows = [], coded }: { readonly rows?: Rows<Row>; readonly coded: Rows<Row> },
  { alike }: Pick<Unissued, 'alike'>,
  control: Control,
): Expectation<Row> {
  const found = (exchange: number) => rejected(exchange, control, notFound)
  const terms = (exchange: number): Terms => (alike ? {} : { onlyIf: [found(exchange)] })
  return together(rejection({ rows, control }), outcome(coded, found, terms))
}
