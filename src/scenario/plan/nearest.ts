/** The known name that needs the fewest changes to become the given one, if it is at all alike. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let distance = Math.max(2, Math.ceil(name.length / 3)) + 1
  for (const candidate of known) {
    const changes = changesBetween(name.toLowerCase(), candidate.toLowerCase())
    if (changes < distance) {
      best = candidate
      distance = changes
    }
  }
  return best
}

/** Names that hold the given one or most of its words, then those that need few changes to become it; the best first. */
export function nearestFew(name: string, known: Iterable<string>, most: number): readonly string[] {
  const words = wordsOf(name)
  const shared = (candidate: string): number => {
    const own = new Set(wordsOf(candidate))
    return words.filter((word) => own.has(word)).length / words.length
  }
  const rank = (candidate: string): number =>
    (candidate.includes(name) ? 2 : shared(candidate)) - changesBetween(name, candidate) / (name.length * 2)
  const alike = [...known].map((candidate) => ({ candidate, rank: rank(candidate) })).filter((one) => one.rank > 0.25)
  return alike
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

function wordsOf(name: string): readonly string[] {
  return name.toLowerCase().split(/[^a-z0-9]+/)
}

/** Levenshtein distance. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
