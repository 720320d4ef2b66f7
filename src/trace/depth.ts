/** How deep arrays and objects of a target may be nested. */
export const deepest = 128

const quote = 34
const backslash = 92

/**
 * Whether the JSON text nests arrays and objects deeper than the limit. Looks at brackets outside strings only, without
 * recursion, so it can come before anything that parses, walks or prints what a target sent.
 */
export function tooDeep(text: string, limit: number = deepest): boolean {
  if (text.length <= limit) return false
  let depth = 0
  for (let place = 0; place < text.length; place += 1) {
    const char = text.charCodeAt(place)
    if (char === quote) place = endOfString(text, place)
    else if (char === 91 || char === 123) {
      depth += 1
      if (depth > limit) return true
    } else if (char === 93 || char === 125) depth -= 1
  }
  return false
}

/** Place of the quote that ends the string which starts at `start`; the text's end where none does. */
function endOfString(text: string, start: number): number {
  for (let place = start + 1; place < text.length; place += 1) {
    const char = text.charCodeAt(place)
    if (char === backslash) place += 1
    else if (char === quote) return place
  }
  return text.length
}
