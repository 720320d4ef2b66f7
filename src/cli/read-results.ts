import { readFileSync } from 'node:fs'
import type { Results } from '#judge/results'
import { isObject } from '#trace/json'
import { fileTrouble, usage } from './stop.ts'

/** Reads `results.json` of a run. @throws Stop (2) where it is none */
export function readResults(file: string): Results {
  const value = parse(file, read(file))
  if (!isResults(value)) throw usage(`--results ${file} holds no results of this format (greenroom.results/1)`)
  return value
}

function isResults(value: unknown): value is Results {
  return isObject(value) && value['format'] === 'greenroom.results/1' && Array.isArray(value['requirements'])
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usage(`--results ${file} cannot be read: ${fileTrouble(error)}`)
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usage(`--results ${file} is not JSON`)
  }
}
