import type { Results } from '#judge/results'
import { validate } from '#spec/validators'
import { printable } from '#text/printable'
import { isObject } from '#trace/json'
import { readNamedJson } from './named-files.ts'
import { usage } from './stop.ts'

const remedy = 'give results.json of a run, or the folder that holds it'

/** Reads `results.json` of a run. @param named how the command line names it @throws Stop (2) where it is none */
export function readResults(file: string, named = `--results ${file}`): Results {
  const value = readNamedJson(file, named, remedy)
  if (!isResults(value)) throw usage(`${named} holds no results of this format (greenroom.results/1); ${remedy}`)
  const [error] = validate('meta/results', value)
  if (error !== undefined) throw usage(`${named} holds no whole results: ${printable(error.message)}`)
  return value
}

function isResults(value: unknown): value is Results {
  return isObject(value) && value['format'] === 'greenroom.results/1' && Array.isArray(value['requirements'])
}
