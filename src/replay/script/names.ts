import { tokensOf } from '#trace/json'
import { keysIn, type KeyStandIn } from '#trace/stand-ins'
import { inUrl, shortestWithin } from '../recorded.ts'
import { memberName, quoted, type Say, template } from './literal.ts'

/** What stands for texts of the recording this time: ids, tokens and secrets that an answer tells, and ids of our own. */
export interface Names {
  /**
   * Says where a text is found this time; the first that is said of it counts.
   *
   * @param name of the variable that holds the answer
   * @param pointer JSON Pointer to the text
   */
  readonly bind: (text: string, name: string, pointer: string) => void
  /** The expression that gives what stands in an answer this time. */
  readonly member: (name: string, pointer: string) => string
  readonly say: Say
  /** Names of variables that something said refers to. */
  readonly used: ReadonlySet<string>
}

interface Bound {
  readonly name: string
  /** The expression that gives the text. */
  readonly is: string
}

/** @param run id of the recorded run, which is part of all ids that it gave itself */
export function createNames(run: string): Names {
  const bound = new Map<string, Bound>()
  const used = new Set<string>()

  function note({ name, is }: Bound): string {
    used.add(name)
    return is
  }

  function within(text: string): readonly { readonly part: string; readonly is: string }[] {
    const keys = keysIn(text).map((key) => ({ part: key.text, is: keyNow(key) }))
    const told = [...bound]
      .filter(([part]) => part.length >= shortestWithin && text.includes(part))
      .map(([part, one]) => ({ part, is: note(one) }))
    return [...keys, ...told, ...(text.includes(run) ? [{ part: run, is: 'run' }] : [])]
  }

  return {
    bind: (text, name, pointer) => {
      if (bound.has(text)) return
      const is = memberOf(name, pointer)
      bound.set(text, { name, is })
      // In a path or query it stands as in a URL.
      const url = inUrl(text)
      if (url !== text) bound.set(url, { name, is: `encodeURIComponent(${is})` })
    },
    member: (name, pointer) => note({ name, is: memberOf(name, pointer) }),
    say: (text) => {
      const whole = bound.get(text)
      if (whole !== undefined) return note(whole)
      const parts = within(text)
      const [first] = parts
      if (first === undefined) return quoted(text)
      return first.part === text ? first.is : `\`${template(text, parts)}\``
    },
    used,
  }
}

/** A key, or what the run made of it. */
function keyNow({ key, way }: KeyStandIn): string {
  return way === undefined ? `keys.${key}` : `${way}(keys.${key})`
}

/** `answer1?.data?.session_id`. */
function memberOf(name: string, pointer: string): string {
  return tokensOf(pointer).reduce((path, token) => {
    if (/^\d+$/.test(token)) return `${path}?.[${token}]`
    return memberName.test(token) ? `${path}?.${token}` : `${path}?.[${quoted(token)}]`
  }, name)
}
