import type { Session } from '../sessions/session.ts'
import { textOf, type JsonObject, objectAt, objectsAt } from '../wire.ts'

/** What a generated reply is made from. */
export interface ReplyFacts {
  /** The last words of the user in the context. */
  userText: string
  /** Instructions in force, after the order of 2.5. */
  instructions: string
  /** How many responses came before in the session. */
  turn: number
}

/** The input text that makes the simulated model call a tool. */
export const TOOL_CALL_TEXT = 'Please call the tool now.'

const SENTENCES = [
  'I am glad that you asked.',
  'There are several ways to look at it.',
  'Let me start with the simplest one.',
  'A small example makes it easier to follow.',
  'Then the rest falls into place.',
  'Tell me when you want to hear more.',
]

/** Simulated generation. What a model says is free; that it is the same under the same seed is ours. */
export const generation = () => ({
  reply: (facts: ReplyFacts): string => {
    const about = facts.userText === '' ? 'Hello.' : `You said: ${facts.userText.slice(0, 200)}`
    const style = facts.instructions === '' ? '' : ` (${facts.instructions.slice(0, 60)})`
    const rest = SENTENCES.map((_, index) => SENTENCES[(index + facts.turn) % SENTENCES.length]).join(' ')
    return `${about}${style} ${rest}`
  },
  /** Whether the model breaks down: nothing comes of the response then. */
  fails: (_facts: ReplyFacts): boolean => false,
  /** The function that the model calls, if any. */
  calls: (userText: string, tools: JsonObject[]): { name: string; arguments: string } | undefined => {
    const name = textOf(tools[0]?.['name'])
    if (name === undefined || !userText.includes(TOOL_CALL_TEXT)) return undefined
    const wanted = Object.keys(objectAt(objectAt(tools[0], 'parameters'), 'properties'))
    return { name, arguments: JSON.stringify(Object.fromEntries(wanted.map((key) => [key, 'value']))) }
  },
  /** "Overrides session tools for this response." */
  tools: (response: JsonObject, conversation: JsonObject, _session: Session): JsonObject[] =>
    response['tools'] === undefined ? objectsAt(conversation, 'tools') : objectsAt(response, 'tools'),
  /** 2.5: `response.instructions`, then `conversation.instructions`, then `avatars[].instructions`. */
  instructions: (response: JsonObject, session: Session, avatar: JsonObject | undefined): string =>
    textOf(response['instructions']) ??
    textOf(session.conversation['instructions']) ??
    textOf(avatar?.['instructions']) ??
    '',
  /** `input` "replaces the default context for this response; `[]` supplies no context". */
  context: (input: JsonObject[] | undefined, items: JsonObject[]): JsonObject[] => input ?? items,
  /** One word counts as one token. */
  truncate: (text: string, maximum: number | 'inf'): string => {
    if (maximum === 'inf') return text
    return text.split(' ').slice(0, maximum).join(' ')
  },
})
