/** Place of the first that `reached` says yes of, in a list in which it does so of every later one, too; its length where of none. */
export function firstPlace<Of>(list: readonly Of[], reached: (one: Of) => boolean): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const one = list[middle]
    if (one !== undefined && reached(one)) high = middle
    else low = middle + 1
  }
  return low
}

/** Place of the first that lies after a line, in a list in the order of the trace. */
export function placeAfter(list: readonly { readonly line: number }[], line: number): number {
  return firstPlace(list, (one) => one.line > line)
}
