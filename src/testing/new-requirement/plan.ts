import { withDefect, withJudge } from './code.ts'
import { withExhibit, withRow, withSentence } from './row.ts'
import { type Read, type Stub, type Wish, wordsOf, WrongWish } from './stubs.ts'

/**
 * All files of a new requirement, whole.
 *
 * @throws WrongWish with what is wrong and where, before anything is written
 */
export function planNew(wish: Wish, read: Read): readonly Stub[] {
  const { part, subject, claim } = wordsOf(wish.id)
  if (![part, subject, claim].every((word) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(word)))
    throw new WrongWish(`"${wish.id}" is no id: it has three words with dots between them, as voices.get.created-at`)
  if (wish.folder !== `suites/${part}` && !wish.folder.startsWith(`suites/${part}/`))
    throw new WrongWish(`--in ${wish.folder}: a requirement of ${part} is judged in suites/${part}`)
  return [
    withRow(wish, read),
    withSentence(wish, read),
    ...withExhibit(wish, read),
    withDefect(wish, read),
    ...withJudge(wish, read),
  ]
}

/** What is left to do by hand, in order. */
export function leftToDo({ id, judge, folder, exhibit }: Wish): readonly string[] {
  const { part, claim } = wordsOf(id)
  const ending = judge === 'rule' ? 'rules' : 'check'
  return [
    `Say in suites/${part}/requirements.json what the target does, with the level of the sentence's own verb; where the sentence binds others, the row is derived, and \`from\` says from what.`,
    ...(exhibit === undefined ? [] : [`Make the last instance in fixtures/payloads/${exhibit}.json break the row.`]),
    `Write the defect of ${id}: what a client sees, and the change that makes it so.`,
    judge === 'rule'
      ? `Write the rule in ${folder}/${claim}.${ending}.ts, and a test that sees it held and broken; name the row under \`observes\` of a scenario that shows it (npx greenroom list --scenarios).`
      : `Write the step in ${folder}/${claim}.${ending}.ts, and name it among the steps of a scenario.`,
    'npm run format && npm run check',
    `npm start -- --defect ${id} --only ${id}     must fail through its own row`,
    `npm start -- --only ${id}                    must pass`,
    'npx greenroom prove                          writes reports/proof.md and reports/shown-by.json anew: commit both',
  ]
}
