import type { Behaviour } from '#target/behaviour/behaviour'
import type { SaveOperation } from '#target/behaviour/characters/records'
import type { CreateInput } from '#target/behaviour/rules/create-session'
import { rule } from '#target/behaviour/rules/rule'
import { demand, waive } from '#target/behaviour/rules/waive'
import type { Session } from '#target/sessions/session'
import { type Wire, wireAt } from '#target/wire'
import type { Change } from '../paths.ts'
import { onData } from '../tools.ts'

export const START = 'create-session-from-character'

/** Changes the full character wherever one is returned. */
export function onFull(behaviour: Behaviour, make: Change): void {
  for (const operation of ['create-character', 'get-character', 'replace-character']) onData(behaviour, operation, make)
}

/** Changes the configuration that is shown of a character. */
export function onShown({ characters: { views } }: Behaviour, make: Change): void {
  const { configuration } = views
  views.configuration = (character) => make(configuration(character))
}

/** Changes what Create Session from Character returns. */
export const onStarted = (behaviour: Behaviour, make: Change): void => onData(behaviour, START, make)

/** Changes the create that a saved configuration and a body come to. */
export function onStart(
  { characters: { sessions } }: Behaviour,
  make: (body: Wire, sent: Wire, saved: Wire) => Wire,
): void {
  const { body } = sessions
  sessions.body = (saved, sent, how) => make(body(saved, sent, how), sent, saved)
}

type Refuses = (input: CreateInput) => boolean

const tableOf = ({ rules }: Behaviour, operation: SaveOperation) =>
  operation === 'create-character' ? rules.character : rules.replacement

/** Refuses saves that the spec accepts. */
export const refuseSave = (behaviour: Behaviour, operation: SaveOperation, broken: Refuses): void =>
  demand(tableOf(behaviour, operation).session, 'refused-by-defect', rule('4.2', 'body', broken))

/** Refuses starts that the spec accepts. */
export const refuseStart = ({ rules }: Behaviour, broken: Refuses): void =>
  demand(rules.start.session, 'refused-by-defect', rule('4.1', 'body', broken))

type Part = keyof Behaviour['rules']['start']

/** Lets a fault of a saved configuration pass both on save and on start. */
export function letThrough({ rules }: Behaviour, part: Exclude<Part, 'body'>, ...ids: string[]): void {
  for (const { [part]: table } of [rules.character, rules.replacement, rules.start]) {
    const known: Record<string, { broken: (input: never) => boolean }> = table
    for (const id of ids) {
      const found = known[id]
      if (found !== undefined) found.broken = () => false
    }
  }
}

type SessionRules = Behaviour['rules']['character']['session']

/** Drops rules about durations, and lets timeouts exceed a duration that is none. */
export function letDuration(
  rules: SessionRules,
  ...ids: ('duration-low' | 'duration-zero' | 'duration-negative')[]
): void {
  waive(rules, ...ids)
  for (const id of ['disconnected-over-duration', 'idle-over-duration'] as const) {
    const { broken } = rules[id]
    rules[id].broken = (input) => broken(input) && input.maxDuration >= input.limits.maxDurationMinimum
  }
}

/** Whether a session was started from a character. */
export const isStarted = ({ plan }: Session): boolean => plan.characterId !== undefined

/** `saved` where it is an object, empty where it is not. */
export const inside = (object: Wire, ...path: string[]): Wire =>
  path.reduce<Wire>((value, key) => wireAt(value, key), object)

/** The first of `values` that is not `value`. */
export const other = (value: unknown, ...values: string[]): string => values.find((one) => one !== value) ?? ''
