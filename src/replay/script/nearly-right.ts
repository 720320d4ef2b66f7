/**
 * How a script makes keys and secrets that are nearly right, as its text: by the rules by which a run makes them, in
 * `src/client/http/spoilt-key.ts` and `src/scenario/runner/wrong-secret.ts`.
 */
export const nearlyRight = String.raw`
/** Keys that are nearly right. */
function cut(key) {
  return key.slice(0, -1)
}

function marred(key) {
  const middle = Math.floor(key.length / 2)
  return key.slice(0, middle) + (key[middle] === 'x' ? 'y' : 'x') + key.slice(middle + 1)
}

function turned(key) {
  if (!/[g-z]/i.test(key) || /^(?:[\da-z]*|[\dA-Z]*)$/.test(key)) return marred(key)
  return key.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
}

/** A secret that is not the session's own. */
function wrong(way, own = '') {
  const body = own.replace(/=+$/, '')
  const padding = own.slice(body.length)
  const middle = Math.floor(body.length / 2)
  if (way === 'longer') return body + 'x' + padding
  if (way === 'shorter') return body.slice(0, -1) + padding
  if (way === 'changed') return body.slice(0, middle) + (body[middle] === 'm' ? 'n' : 'm') + body.slice(middle + 1) + padding
  return 'never-issued-' + body.split('').reverse().join('')
}
`
