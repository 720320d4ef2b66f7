/**
 * Whether two texts differ in nothing but what a service that tidies names up may change: composed characters (NFC), and blanks
 * at the ends or several in a row.
 */
export function sameWords(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && tidy(one) === tidy(other)
}

function tidy(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/gu, ' ')
}
