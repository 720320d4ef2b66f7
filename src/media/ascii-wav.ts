/**
 * An honest WAV file that is ASCII text as well: 16-bit mono at 11,025 Hz, all bytes below 128. So a form that holds it
 * can be written, and cut, as text.
 */
export function asciiWav(): string {
  const frames = 'U'.repeat(0x2000)
  const number = (value: number, bytes: number): string =>
    String.fromCharCode(...Array.from({ length: bytes }, (_, nth) => (value >> (8 * nth)) & 0xff))
  const format = number(1, 2) + number(1, 2) + number(11_025, 4) + number(22_050, 4) + number(2, 2) + number(16, 2)
  const size = number(frames.length, 4)
  const body = `WAVEfmt ${number(16, 4)}${format}data${size}${frames}`
  return `RIFF${number(body.length, 4)}${body}`
}
