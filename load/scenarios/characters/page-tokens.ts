import type { RestAnswer } from '../../core/envelope.ts'
import { broken, type Ruling } from '../../core/limits/laws.ts'
import { refusalOf } from '../../core/refusal.ts'
import { type CharacterStock, LONGEST_PAGE, pageOf } from './stock.ts'

/** What walks say; `sure` is what a second look can't change. */
export interface Walked {
  readonly rulings: readonly Ruling[]
  readonly sure: readonly Ruling[]
}

/** So many tokens that were just given are tried, where one was refused. */
const TOKEN_TRIES = 4

/** Of so many more, each between two characters that nobody deletes, so many refused have no excuse. */
const SURE = { tries: 12, refused: 2 } as const

/** Whoever comes so late with a token may come too late. */
const JUST_MS = 1_000

/** What became of a token; undefined where that says nothing. */
type Fate = 'taken' | 'refused' | undefined

/**
 * A token may be refused because the character that it leads to is gone: others are deleted meanwhile. Whoever asks for a page
 * and at once for the next one gets it, sooner or later; and where nothing that the token can lead to is gone, each time.
 *
 * @param kept characters that nobody deletes
 */
export async function judgeTokens(stock: CharacterStock, size: number, kept: readonly string[]): Promise<Walked> {
  for (let tries = 0; tries < TOKEN_TRIES; tries += 1)
    if ((await tryToken(stock, size)).fate !== 'refused') return judgeSureTokens(stock, kept)
  return { rulings: [broken('page-token-refused', `${TOKEN_TRIES} tokens in a row, each just given`)], sure: [] }
}

/** Nothing comes between two of ours that stand side by side: what is new comes before all others. */
async function judgeSureTokens(stock: CharacterStock, kept: readonly string[]): Promise<Walked> {
  let refused = 0
  for (let tries = 0; tries < SURE.tries && refused < SURE.refused; tries += 1) {
    const { ids } = pageOf(await stock.page('', LONGEST_PAGE), LONGEST_PAGE)
    const place = ids.findLastIndex((id, index) => kept.includes(id) && kept.includes(ids[index + 1] ?? ''))
    if (place === -1) break
    const { fate, last } = await tryToken(stock, place + 1)
    // Unless something came or went meanwhile, the page ended between the two.
    if (last === ids[place] && fate === 'refused') refused += 1
  }
  const text = `${refused} tokens, each just given, between characters that are there`
  const rulings = refused < SURE.refused ? [] : [broken('page-token-refused', text)]
  return { rulings, sure: rulings }
}

/** @returns with the last character of the page that brought the token; none where it brought no token */
async function tryToken(stock: CharacterStock, size: number): Promise<{ fate: Fate; last: string | undefined }> {
  const page = await stock.page('', size)
  const token = page.data['next_page_token']
  if (typeof token !== 'string' || token === '') return { fate: undefined, last: undefined }
  const answer = await stock.page(token, size)
  return { fate: fateOf(page, answer), last: pageOf(page, size).ids.at(-1) }
}

function fateOf(page: RestAnswer, answer: RestAnswer): Fate {
  if (answer.answeredAt - page.answeredAt > JUST_MS) return undefined
  return refusalOf(answer) === 'request' ? 'refused' : 'taken'
}
