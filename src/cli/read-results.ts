import { readFileSync } from 'node:fs'
import type { Results } from '#judge/results'
import { validate } from '#spec/validators'
import { printable } from '#text/printable'
import { isObject } from '#trace/json'
import { fileTrouble, usage } from './stop.ts'

const remedy = 'give results.json of a run, or the folder that holds it'

/** Reads `results.json` of a run. @param named how the command line names it @throws Stop (2) where it is none */
export function readResults(file: string, named = `--results ${file}`): Results {
  const value = parse(named, read(file, named))
  if (!isResults(value)) throw usage(`${named} holds no results of this format (greenroom.results/1); ${remedy}`)
  const [error] = validate('meta/results', value)
  if (error !== undefined) throw usage(`${named} holds no whole results: ${printable(error.message)}`)
  return value
}

function isResults(value: unknown): value is Results {
  return isObject(value) && value['format'] === 'greenroom.results/1' && Array.isArray(value['requirements'])
}

function read(file: string, named: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usage(`${named} cannot be read: ${fileTrouble(error)}`)
  }
}

function parse(named: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usage(`${named} is not JSON; ${remedy}`)
  }
}
