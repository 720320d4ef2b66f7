import type { Behaviour, Override } from '#target/behaviour/behaviour'
import { splitEvent } from '#target/overrides/events'
import type { ResponseRun } from '#target/responses/run'
import { textOf, type JsonObject, objectAt, objectsAt } from '#target/wire'

/** The response that an event is about. */
export type RunOf = (event: JsonObject) => ResponseRun | undefined

/** Remembers the responses of a target, so that a change of their events can know what they were asked. */
export function runsOf(behaviour: Behaviour): RunOf {
  const known = new Map<string, ResponseRun>()
  const { resource } = behaviour.responses
  behaviour.responses.resource = (run) => {
    known.set(run.id, run)
    return resource(run)
  }
  return (event) => known.get(textOf(event['response_id']) ?? textOf(objectAt(event, 'response')['id']) ?? '')
}

export const isScripted = (run: ResponseRun | undefined): boolean =>
  run !== undefined && run.plan.kind !== 'reply' && run.plan.kind !== 'tool_call'

/** A second output item before the end of a response. */
export interface SecondItem {
  when: (run: ResponseRun) => boolean
  item: (run: ResponseRun) => JsonObject
  index: number
  /** Events that come before its `response.output_item.done`. */
  before?: (run: ResponseRun, item: JsonObject) => JsonObject[]
}

export const addItem =
  (second: SecondItem): Override =>
  (behaviour) => {
    const runOf = runsOf(behaviour)
    splitEvent('response.done', (event) => {
      const run = runOf(event)
      if (run === undefined || !second.when(run)) return [event]
      const item = second.item(run)
      const id = String(event['event_id'])
      const done = {
        type: 'response.output_item.done',
        event_id: `${id}_item`,
        response_id: run.id,
        output_index: second.index,
        item,
      }
      const response = {
        ...objectAt(event, 'response'),
        output: [...objectsAt(objectAt(event, 'response'), 'output'), item],
      }
      return [...(second.before?.(run, item) ?? []), done, { ...event, response }]
    })(behaviour)
  }
