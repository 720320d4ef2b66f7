/** Percent-encodes what may have come from a target: half a surrogate pair has no encoding and becomes U+FFFD. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
