/** Percent-decodes what others wrote into a path or an address: what is no proper encoding is read as it stands. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
