/** Does the same with all, so many at once, in their order. */
export async function sideBySide<One, Done>(
  all: readonly One[],
  most: number,
  work: (one: One, place: number) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = []
  const waiting = all.entries()
  const worker = async (): Promise<void> => {
    for (const [place, one] of waiting) done[place] = await work(one, place)
  }
  await Promise.all(Array.from({ length: most }, worker))
  return done
}
