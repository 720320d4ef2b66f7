/** How deep arrays and objects of a target may be nested. */
export const deepest = 128

const quote = 34
const backslash = 92
const comma = 44

/** What a value costs in memory beyond its characters, roughly. */
const costOfValue = 24

/** What a JSON text would be once it is parsed. */
export interface Measure {
  /** It nests arrays and objects deeper than the limit. */
  readonly deep: boolean
  /** Characters, and a fixed cost for each value: `[[],[],…]` is small to send and large to hold. */
  readonly weight: number
}

/**
 * Measures a JSON text without parsing it: brackets and commas outside strings, without recursion. It can come before
 * anything that parses, walks or prints what a target sent.
 */
export function measure(text: string, limit: number = deepest): Measure {
  let depth = 0
  let highest = 0
  let values = 1
  for (let place = 0; place < text.length; place += 1) {
    const char = text.charCodeAt(place)
    if (char === quote) place = endOfString(text, place)
    else if (char === comma) values += 1
    else if (char === 91 || char === 123) {
      values += 1
      depth += 1
      if (depth > highest) highest = depth
    } else if (char === 93 || char === 125) depth -= 1
  }
  return { deep: highest > limit, weight: text.length + costOfValue * values }
}

/** Whether the JSON text nests arrays and objects deeper than the limit. */
export function tooDeep(text: string, limit: number = deepest): boolean {
  return opensMore(text, limit) && measure(text, limit).deep
}

/** Whether there are more opening brackets than that, inside strings or not: hardly any text has so many, and they are found fast. */
function opensMore(text: string, limit: number): boolean {
  let left = limit
  for (const bracket of ['{', '[']) {
    for (let place = text.indexOf(bracket); place !== -1; place = text.indexOf(bracket, place + 1)) {
      left -= 1
      if (left < 0) return true
    }
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
