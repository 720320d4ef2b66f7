import type { Replay } from '#replay/replay-file'
import { validate } from '#spec/validators'
import { isObject } from '#trace/json'
import { printable } from '#text/printable'
import { readNamedJson } from '../named-files.ts'
import { usage } from '../stop.ts'

const remedy = 'give replay/<requirement>.json of a check'

/** Reads a replay file of a check. @throws Stop (2) where it is none */
export function readReplay(file: string): Replay {
  const value = readNamedJson(file, `the replay file ${file}`, remedy)
  if (!isReplay(value)) throw usage(`${file} is no replay file of this format (greenroom.replay/1); ${remedy}`)
  const [error] = validate('meta/replay', value)
  if (error !== undefined) throw usage(`${file} is no whole replay file: ${printable(error.message)}`)
  if (value.short.some((place) => place >= value.steps.length)) {
    throw usage(`${file} is no whole replay file: \`short\` names steps that are not there`)
  }
  return value
}

function isReplay(value: unknown): value is Replay {
  return isObject(value) && value['format'] === 'greenroom.replay/1'
}
