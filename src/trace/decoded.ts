/** Percent-decodes what others wrote into a path or an address: what is no proper encoding is read as it stands. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
