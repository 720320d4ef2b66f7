import type { Override } from '#target/behaviour/behaviour'
import type { ErrorCode } from '#target/behaviour/codes'
import type { CreateInput } from '#target/behaviour/validations/create-session'
import { validation } from '#target/behaviour/validations/input-validation'
import { beforeConnect } from '#target/overrides/events'
import { memory } from '#target/overrides/memory'
import {
  add,
  around,
  except,
  type InputOf,
  remembering,
  type ValidationName,
  validationOf,
} from '#target/overrides/operators'
import type { Session } from '#target/sessions/session'
import { type JsonObject, objectAt } from '#target/wire'

/** Gives another code to some of the inputs that a validation finds broken. */
export const recodeWhere =
  <Path extends string>(
    table: Path,
    id: ValidationName<Path>,
    code: ErrorCode,
    fits: (input: InputOf<Path>) => boolean,
  ): Override =>
  (behaviour) => {
    const told = { ...validationOf(behaviour, table, id), code }
    except(table, id, fits)(behaviour)
    add(table, `${id}-by-defect`, { ...told, broken: (input) => told.broken(input) && fits(input) })(behaviour)
  }

/** A step of the service fails, with a 5xx, over what a validation finds broken. */
export const failsOver =
  <Path extends string>(table: Path, id: ValidationName<Path>): Override =>
  (behaviour) => {
    const checked = validationOf(behaviour, table, id)
    const { broken } = checked
    checked.broken = (input) => {
      if (broken(input)) throw new Error('a step of the service failed')
      return false
    }
  }

/** Refuses creates that the spec accepts. */
export const refuseCreate = (broken: (input: CreateInput) => boolean, code: ErrorCode = '30004'): Override =>
  add('validations.createSession', 'refused-by-defect', validation('4.1', 'body', broken, code))

/** Refuses client events that the spec accepts. */
export const refuseEvent = <Path extends string>(table: Path, broken: (input: InputOf<Path>) => boolean): Override =>
  add(table, 'refused-by-defect', validation('4.4', 'event', broken))

/** Refuses client events that bring an id which one of another session brought before. @param holderOf what is one's own */
export const takenElsewhere = <Path extends string>(
  table: Path,
  idsOf: (input: InputOf<Path>) => readonly unknown[],
  holderOf: (input: InputOf<Path>) => object,
): Override =>
  remembering(() => {
    const owners = new Map<unknown, object>()
    return refuseEvent(table, (input) => {
      const [ids, holder] = [idsOf(input), holderOf(input)]
      if (ids.some((id) => owners.has(id) && owners.get(id) !== holder)) return true
      for (const id of ids) owners.set(id, holder)
      return false
    })
  })

/** Whether a session was connected to before, and is so again. */
export const onceReturned = (use: (returned: (session: Session) => boolean) => readonly Override[]): Override =>
  remembering(() => {
    const opened = memory(() => ({ count: 0 }))
    return [
      beforeConnect((session) => {
        opened(session).count += 1
      }),
      ...use((session) => opened(session).count > 1),
    ]
  })

/** Refuses client events of a type while a response is active. @param itemsOf the conversation that an event is about */
export const whileActive = <Path extends string>(
  table: Path,
  itemsOf: (input: InputOf<Path>) => readonly JsonObject[],
): Override =>
  remembering(() => {
    const sessions = new WeakMap<object, Session>()
    return [
      around('scheduling.submitted', (submitted) => (plan, session) => {
        sessions.set(session.items, session)
        return submitted(plan, session)
      }),
      refuseEvent(table, (input) => sessions.get(itemsOf(input))?.response !== undefined),
    ]
  })

/** The part of a create that a validation's input holds under a path such as `pipeline_config.llm_config`. */
export const inBody = (input: CreateInput, ...path: string[]): JsonObject =>
  path.reduce<JsonObject>((value, key) => objectAt(value, key), input.body)

export const sent = (input: CreateInput, ...path: string[]): unknown =>
  inBody(input, ...path.slice(0, -1))[path.at(-1) ?? '']

/** Answers what validations of a table refuse with another code. */
export const told =
  <Path extends string>(table: Path, code: ErrorCode, ...validations: ValidationName<Path>[]): Override =>
  (behaviour) => {
    for (const name of validations) validationOf(behaviour, table, name).code = code
  }

/** A refusal of what is another workspace's shows it all the same. */
export const showsHidden = (operation: string): Override =>
  around('http.showsHidden', (shows) => (asked) => asked === operation || shows(asked))
