import { isObject, type Json } from '#trace/json'

/** How a text is said in JavaScript: as itself, or by what stands for it this time. */
export type Say = (text: string) => string

/** A line longer than this is broken, field by field. */
const widest = 100
/** What a member may be called without quotes. */
export const memberName = /^[A-Za-z_$][\w$]*$/
const unseen = /[\p{Cf}\p{Zl}\p{Zp}]/gu

/** A value as JavaScript source. @param indent spaces before its last line */
export function literal(value: Json, say: Say, indent = 0): string {
  if (typeof value === 'string') return say(value)
  const parts = partsOf(value, say, indent + 2)
  if (parts === undefined) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return `${open}${close}`
  const space = open === '{' ? ' ' : ''
  const inline = `${open}${space}${parts.join(', ')}${space}${close}`
  if (inline.length + indent <= widest && !inline.includes('\n')) return inline
  const margin = ' '.repeat(indent + 2)
  return `${open}\n${parts.map((part) => `${margin}${part},\n`).join('')}${' '.repeat(indent)}${close}`
}

function partsOf(value: Json, say: Say, indent: number): readonly string[] | undefined {
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => literal(one, say, indent))
  if (!isObject(value)) return undefined
  return Object.entries(value).map(([name, inner]) => `${member(name)}: ${literal(inner, say, indent)}`)
}

/** Written plainly, `__proto__` would be no member but what the object inherits from. */
function member(name: string): string {
  if (name === '__proto__') return `[${quoted(name)}]`
  return memberName.test(name) ? name : spelled(name)
}

/** A text as JavaScript source; characters that nobody sees are spelled. */
export function quoted(text: string): string {
  const [first = ''] = text
  if (text.length > widest && text === first.repeat(text.length / first.length)) {
    return `${quoted(first)}.repeat(${text.length / first.length})`
  }
  return spelled(text)
}

/** A text between double quotes, whatever is in it. */
export function spelled(text: string): string {
  return JSON.stringify(text).replaceAll(unseen, escaped)
}

/** The same between backquotes, with expressions in place of some parts. */
export function template(text: string, parts: readonly { readonly part: string; readonly is: string }[]): string {
  const found = parts.find(({ part }) => text.includes(part))
  if (found === undefined) return within(text)
  return text
    .split(found.part)
    .map((rest) => template(rest, parts))
    .join(`\${${found.is}}`)
}

function within(text: string): string {
  return spelled(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('`', '\\`').replaceAll('${', '\\${')
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
