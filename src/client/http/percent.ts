/** Percent-encodes what may have come from a target: half a surrogate pair has no encoding and becomes U+FFFD. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Decodes what somebody wrote by hand: a stray `%` stands for itself. */
export function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })
}
