import { isClientEventType } from '#spec/tables'
import { validateClientEvent } from '#spec/validators'
import type { FrameSentEntry } from '#trace/entry'
import { at, isObject } from '#trace/json'
import { printable } from '#text/printable'
import type { Mistake } from './mistake.ts'
import { shapeMistake } from './shape-mistake.ts'

/** What is wrong with a message of a client (4.4, 6). */
export function eventMistakes({ data, text }: FrameSentEntry): readonly Omit<Mistake, 'line'>[] {
  const what = wrongWith(data, text)
  return what === undefined ? [] : [{ kind: 'invalid-event', what }]
}

function wrongWith(data: FrameSentEntry['data'], text: string | undefined): string | undefined {
  if (data === undefined) return `a message that is no JSON: ${printable(text ?? '', 80)}`
  if (!isObject(data)) return 'a message that is no JSON object'
  const type = at(data, '/type')
  if (type === undefined) return 'an event without type'
  if (!isClientEventType(type)) return `an event of no known type: ${printable(JSON.stringify(type), 80)}`
  const [error] = validateClientEvent(data)
  if (error === undefined) return undefined
  return `${type}: ${shapeMistake(error, 'the event')}`
}
