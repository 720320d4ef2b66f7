import { encode } from 'uqr'
import { Html, html } from '#page/html'

const pixels = 5

/** A text as a QR code: a picture in the page itself, dark on light in every theme. */
export function qrCode(label: string, text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])))
  const side = String(size * pixels)
  return html`<svg role="img" aria-label="${label}" width="${side}" height="${side}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}" fill="#000"/></svg>`
}
