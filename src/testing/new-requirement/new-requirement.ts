import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '#spec/package-root'
import { leftToDo, planNew } from './plan.ts'
import { type Wish, wordsOf, WrongWish } from './stubs.ts'

const usage = `npm run new -- <requirement id> --section <number> --says "<words of its sentence>"
  [--level must|should|may] [--judge rule|step] [--in suites/<part>/<folder>] [--exhibit rest/<payload>]`

/** Not wrong: who asks for it gets it. */
class Help extends Error {}

function wishFrom(args: readonly string[]): Wish {
  const text = { type: 'string' } as const
  const help = { type: 'boolean' } as const
  const options = { help, section: text, says: text, level: text, judge: text, in: text, exhibit: text }
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [id, ...more] = positionals
  if (values.help === true) throw new Help(usage)
  const { section, says, level = 'must', judge = 'rule', exhibit } = values
  if (id === undefined || more.length > 0 || section === undefined || says === undefined) throw new WrongWish(usage)
  if (level !== 'must' && level !== 'should' && level !== 'may')
    throw new WrongWish(`--level ${level}: it is must, should or may`)
  if (judge !== 'rule' && judge !== 'step') throw new WrongWish(`--judge ${judge}: it is rule or step`)
  const folder = values.in?.replace(/\/$/, '') ?? `suites/${wordsOf(id).part}`
  return { id, section, says, level, judge, folder, ...(exhibit === undefined ? {} : { exhibit }) }
}

function main(args: readonly string[]): void {
  const place = (path: string): string => join(packageRoot(), path)
  try {
    const wish = wishFrom(args)
    const read = (path: string) => (existsSync(place(path)) ? readFileSync(place(path), 'utf8') : undefined)
    const stubs = planNew(wish, read)
    for (const { path, text } of stubs) writeFileSync(place(path), text)
    const files = stubs.map(({ path }) => `  ${path}\n`).join('')
    const todo = leftToDo(wish).map((one, index) => `  ${index + 1}. ${one}\n`)
    process.stdout.write(`Written:\n${files}Left to do:\n${todo.join('')}`)
  } catch (error) {
    if (error instanceof Help) {
      process.stdout.write(`${error.message}\n`)
      return
    }
    const wrong = error instanceof WrongWish || (error instanceof TypeError && 'code' in error)
    if (!wrong) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 2
  }
}

if (import.meta.main) main(process.argv.slice(2))
