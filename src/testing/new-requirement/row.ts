import { expandFamilies } from '#spec/families'
import type { RequirementsFile } from '#spec/types/shapes.d'
import { type Json, type JsonObject, textAt } from '#trace/json'
import { parsed, type Read, type Stub, type Wish, wordsOf, WrongWish } from './stubs.ts'

/** `requirements.json` of the part with the row, behind the others of its subject. */
export function withRow(wish: Wish, read: Read): Stub {
  const { part, subject } = wordsOf(wish.id)
  const path = `suites/${part}/requirements.json`
  if (read(path) === undefined) throw new WrongWish(`${wish.id}: there is no part "${part}" in suites/`)
  const file = parsed(read, path)
  const rows = Object.entries(file['requirements'] as JsonObject)
  const own = expandFamilies(file['requirements'] as RequirementsFile['requirements'])
  if (own.some(({ id }) => id === wish.id)) throw new WrongWish(`${wish.id} stands in ${path} already`)
  const row: JsonObject = {
    section: wish.section,
    level: wish.level,
    text: 'Say in one sentence what the target does.',
    standing: 'stated',
    unscored: true,
  }
  const last = rows.findLastIndex(([id]) => id.startsWith(`${part}.${subject}.`))
  rows.splice(last < 0 ? rows.length : last + 1, 0, [wish.id, row])
  return { path, text: textOf({ ...file, requirements: Object.fromEntries(rows) }) }
}

/** `sentences.json` with the id beside its sentence. */
export function withSentence(wish: Wish, read: Read): Stub {
  const path = 'suites/sentences.json'
  const file = parsed(read, path)
  const sentences = file['sentences'] as JsonObject[]
  const found = sentences.filter(
    (one) => one['section'] === wish.section && textAt(one, '/says')?.toLowerCase().includes(wish.says.toLowerCase()),
  )
  const [sentence, other] = found
  if (sentence === undefined)
    throw new WrongWish(`--says "${wish.says}": no sentence of section ${wish.section} in ${path} has these words`)
  if (other !== undefined)
    throw new WrongWish(`--says "${wish.says}": ${found.length} sentences of section ${wish.section} have these words`)
  const rows = (sentence['rows'] ?? []) as readonly Json[]
  const named = { ...sentence, rows: [...rows, wish.id] }
  return { path, text: textOf({ ...file, sentences: sentences.map((one) => (one === sentence ? named : one)) }) }
}

/** The payload's examples with one that breaks the row, as a copy of the first valid one. */
export function withExhibit({ id, exhibit }: Wish, read: Read): Stub[] {
  if (exhibit === undefined) return []
  const path = `fixtures/payloads/${exhibit}.json`
  if (read(path) === undefined) throw new WrongWish(`--exhibit ${exhibit}: there is no ${path}`)
  const file = parsed(read, path)
  const tests = file['tests'] as JsonObject[]
  const data = tests.find(({ valid }) => valid === true)?.['data'] ?? {}
  return [{ path, text: textOf({ ...file, tests: [...tests, { description: id, data, valid: false }] }) }]
}

const textOf = (value: JsonObject): string => `${JSON.stringify(value, undefined, 2)}\n`
