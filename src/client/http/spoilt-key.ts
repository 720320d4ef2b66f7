import type { SpoiltWay } from '#trace/stand-ins'

/** A key that is nearly right. The scripts of failures (`src/replay/script/nearly-right.ts`) spoil keys by the same rules. */
export function spoil(key: string, way: SpoiltWay): string {
  return ways[way](key)
}

const ways: { readonly [way in SpoiltWay]: (key: string) => string } = {
  cut: (key) => key.slice(0, -1),
  marred,
  turned,
}

/** With another character in its middle. */
function marred(key: string): string {
  const middle = Math.floor(key.length / 2)
  return `${key.slice(0, middle)}${key[middle] === 'x' ? 'y' : 'x'}${key.slice(middle + 1)}`
}

/**
 * With small letters for capitals and the other way round. What may be the digits of a number is marred: of sixteen, or of up
 * to 36 where it has capitals alone or small letters alone, in which either may stand for the other.
 */
function turned(key: string): string {
  if (!/[g-z]/i.test(key) || /^(?:[\da-z]*|[\dA-Z]*)$/.test(key)) return marred(key)
  return key.replaceAll(/[a-z]/gi, (letter) => {
    const small = letter.toLowerCase()
    return letter === small ? letter.toUpperCase() : small
  })
}
