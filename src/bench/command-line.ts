import { parseArgs, type ParseArgsConfig } from 'node:util'
import { messageOf } from '#trace/message-of'

type Options = NonNullable<ParseArgsConfig['options']>

/** Options of a bench script: who asks for help, or for what there is not, gets one line. */
export function readOptions<const Own extends Options>(usage: string, options: Own) {
  answerHelp(usage)
  try {
    const { values } = parseArgs({ options })
    for (const [name, { default: usual }] of Object.entries(options)) {
      checkNumber(`--${name}`, usual, (values as { readonly [option: string]: unknown })[name])
    }
    return values
  } catch (error) {
    return refuse(usage, error)
  }
}

/** The words behind a bench script, in their order, each with what it is where it is missing. */
export function readWords<const Usual extends readonly string[]>(
  usage: string,
  ...usual: Usual
): { readonly [Place in keyof Usual]: string } {
  answerHelp(usage)
  try {
    const { positionals } = parseArgs({ options: {}, allowPositionals: true })
    const [tooMany] = positionals.slice(usual.length)
    if (tooMany !== undefined) throw new Error(`Unexpected argument '${tooMany}'`)
    for (const [place, word] of positionals.entries()) checkNumber(`'${word}'`, usual[place], word)
    return usual.map((one, place) => positionals[place] ?? one) as { readonly [Place in keyof Usual]: string }
  } catch (error) {
    return refuse(usage, error)
  }
}

function answerHelp(usage: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return
  console.log(usage)
  process.exit(0)
}

/** Where a number is usual, another word is a mistake. */
function checkNumber(name: string, usual: unknown, given: unknown): void {
  const isNumber = (one: unknown): boolean => typeof one === 'string' && /^\d+$/.test(one)
  if (isNumber(usual) && !isNumber(given)) throw new Error(`${name} must be a whole number`)
}

function refuse(usage: string, error: unknown): never {
  const [why] = messageOf(error).split(/\. |\n/)
  console.error(`${why}; ${usage}`)
  process.exit(2)
}
