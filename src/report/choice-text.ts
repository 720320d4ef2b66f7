/** What was seen of a choice: an empty text is shown as such, or it would look as if nothing was. */
export function seenTexts(observed: readonly string[]): readonly string[] {
  return observed.map((text) => (text === '' ? '(empty)' : text))
}
