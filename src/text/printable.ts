/** Everything that a terminal or a reader's eye could be deceived by: controls, bidi and zero-width marks, surrogates. */
const deceptive = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

const named: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Makes text that came from a target fit to be shown on one line.
 *
 * @param limit most characters that are kept; what was cut off is counted in the text
 */
export function printable(text: string, limit = 400): string {
  const kept = cut(text, limit)
  const rest = text.length - kept.length
  const safe = kept.replace(deceptive, escapeCharacter)
  return rest === 0 ? safe : `${safe}… (${rest} more characters)`
}

/** Cuts without tearing a surrogate pair apart. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}

function escapeCharacter(character: string): string {
  return named[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
