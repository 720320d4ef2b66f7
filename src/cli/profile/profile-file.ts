import { readFileSync } from 'node:fs'
import { type ParseError, parse } from 'jsonc-parser'
import { fileTrouble, usage } from '../stop.ts'

/**
 * What a profile's file holds: JSON, with comments and trailing commas for whoever likes them.
 *
 * @throws Stop (2) naming the place; never what stands there, since it might be a secret by mistake
 */
export function readProfileFile(file: string): unknown {
  const text = readText(file)
  if (text.trim() === '') throw usage(`the profile ${file} is empty; start from "npx greenroom init"`)
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error === undefined) return value
  throw usage(
    `the profile ${file} is not JSON (${placeOf(text, error.offset)}); mend it, or start from "npx greenroom init"`,
  )
}

function readText(file: string): string {
  try {
    // Some editors begin a file with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    const hint = 'give a profile file, or a URL that starts with https://'
    throw usage(`--target ${JSON.stringify(file)} cannot be read (${fileTrouble(error)}); ${hint}`)
  }
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length} column ${(before.at(-1) ?? '').length + 1}`
}
