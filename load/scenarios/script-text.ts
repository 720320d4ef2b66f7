const sentences: readonly string[] = [
  'The shop opens at eight.',
  'Three lamps stand on the left of the door.',
  'Nobody has seen the second list before.',
  'A quiet voice counts from one to ten.',
  'The window is open, and the street is loud.',
  'Everyone waits for the rain to end.',
]

/** So much of a text that was rejected is sent in its place: how long texts may be is not shown. */
export const SHORTER = 1 / 3

/** Plain text of exactly so many characters; another one for another `title`, so that no two can be mistaken. */
export function scriptText(title: string, characters: number): string {
  let text = `${title}.`
  for (let index = 0; text.length < characters; index += 1) text += ` ${sentences[index % sentences.length]}`
  // No `trimEnd` and no `padEnd`: each costs a user of k6 most of a kilobyte.
  let spoken = text.slice(0, Math.max(1, characters - 1))
  if (spoken[spoken.length - 1] === ' ') spoken = spoken.slice(0, -1)
  while (spoken.length < characters) spoken += '.'
  return spoken
}
