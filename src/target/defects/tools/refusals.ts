import type { Override } from '#target/behaviour/behaviour'
import type { ErrorCode } from '#target/behaviour/codes'
import type { CreateInput } from '#target/behaviour/rules/create-session'
import { rule } from '#target/behaviour/rules/rule'
import { add, except, type InputOf, type RuleName, ruleOf } from '#target/overrides/operators'
import { type Wire, wireAt } from '#target/wire'

/** Gives another code to some of the inputs that a rule finds broken. */
export const recodeWhere =
  <Path extends string>(
    table: Path,
    id: RuleName<Path>,
    code: ErrorCode,
    fits: (input: InputOf<Path>) => boolean,
  ): Override =>
  (behaviour) => {
    const told = { ...ruleOf(behaviour, table, id), code }
    except(table, id, fits)(behaviour)
    add(table, `${id}-by-defect`, { ...told, broken: (input) => told.broken(input) && fits(input) })(behaviour)
  }

/** Refuses creates that the spec accepts. */
export const refuseCreate = (broken: (input: CreateInput) => boolean, code: ErrorCode = '30004'): Override =>
  add('rules.createSession', 'refused-by-defect', { ...rule('4.1', 'body', broken), code })

/** Refuses client events that the spec accepts. */
export const refuseEvent = <Path extends string>(table: Path, broken: (input: InputOf<Path>) => boolean): Override =>
  add(table, 'refused-by-defect', rule('4.4', 'event', broken))

/** The part of a create that a rule's input holds under a path such as `pipeline_config.llm_config`. */
export const inBody = (input: CreateInput, ...path: string[]): Wire =>
  path.reduce<Wire>((value, key) => wireAt(value, key), input.body)

export const sent = (input: CreateInput, ...path: string[]): unknown =>
  inBody(input, ...path.slice(0, -1))[path.at(-1) ?? '']

/** Answers what rules of a table refuse with another code. */
export const told =
  <Path extends string>(table: Path, code: ErrorCode, ...rules: RuleName<Path>[]): Override =>
  (behaviour) => {
    for (const name of rules) ruleOf(behaviour, table, name).code = code
  }
