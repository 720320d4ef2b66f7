const sentences: readonly string[] = [
  'The shop opens at eight.',
  'Three lamps stand on the left of the door.',
  'Nobody has seen the second list before.',
  'A quiet voice counts from one to ten.',
  'The window is open, and the street is loud.',
  'Everyone waits for the rain to end.',
]

/** Plain text of exactly so many characters; another one for another `title`, so that no two can be mistaken. */
export function scriptText(title: string, characters: number): string {
  let text = `${title}.`
  for (let index = 0; text.length < characters; index += 1) text += ` ${sentences[index % sentences.length]}`
  return `${text.slice(0, Math.max(1, characters - 1)).trimEnd()}`.padEnd(characters, '.')
}
