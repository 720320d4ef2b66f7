import { isStandIn } from '#trace/stand-ins'
import { quoted, type Say, template } from './literal.ts'

/** What stands for texts of the recording this time: ids, tokens and secrets that an answer tells, and ids of our own. */
export interface Names {
  /** The expression that gives a text this time; the first that is said of it counts. */
  bind(text: string, expression: string): void
  readonly say: Say
  /** Names of variables that something said refers to. */
  readonly used: ReadonlySet<string>
}

/** A text shorter than this is found only where it stands alone. */
const shortestWithin = 8

/** @param run id of the recorded run, which is part of all ids that it gave itself */
export function createNames(run: string): Names {
  const bound = new Map<string, string>()
  const used = new Set<string>()

  function say(text: string): string {
    const whole = bound.get(text)
    if (whole !== undefined) return note(whole)
    const parts = [...bound].flatMap(([part, is]) =>
      part.length >= shortestWithin && text.includes(part) ? [{ part, is: note(is) }] : [],
    )
    if (text.includes(run)) parts.push({ part: run, is: 'run' })
    return parts.length === 0 ? quoted(text) : `\`${template(text, parts)}\``
  }

  function note(expression: string): string {
    const name = /^\w+/.exec(expression)?.[0]
    if (name !== undefined) used.add(name)
    return expression
  }

  return {
    bind: (text, expression) => {
      if (!bound.has(text)) bound.set(text, expression)
    },
    // A key stands where its stand-in stood.
    say: (text) => {
      const key = /^\[api_key (\w+)\]$/.exec(text)?.[1]
      return key === undefined || !isStandIn(text) ? say(text) : `keys.${key}`
    },
    used,
  }
}

/** `answer1?.data?.session_id`. @param pointer JSON Pointer */
export function memberOf(name: string, pointer: string): string {
  const steps = pointer.split('/').slice(1)
  return steps.reduce((path, step) => {
    const field = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (/^\d+$/.test(field)) return `${path}?.[${field}]`
    return /^[A-Za-z_$][\w$]*$/.test(field) ? `${path}?.${field}` : `${path}?.[${quoted(field)}]`
  }, name)
}
