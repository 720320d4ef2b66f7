const plain = /^[\w%+,./:=@^-]+$/
/** Means itself between double quotes. */
const calm = /^[\w %+,./:=@^?&#~;()[\]{}|<>*-]*$/
const variableName = /^[A-Za-z_]\w*$/
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const unseenAll = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** One word for a POSIX shell; text with control or bidi characters is spelled with the escapes of bash. */
export function shellWord(text: string): string {
  if (plain.test(text)) return text
  if (!unseen.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  const spelled = text.replace(/[\\']/g, '\\$&').replace(unseenAll, bytes)
  return `$'${spelled}'`
}

/** A word with the value of an environment variable in it; a name that is none becomes `fallback`. */
export function withVariable(before: string, name: unknown, fallback: string, after = ''): string {
  const variable = `$${typeof name === 'string' && variableName.test(name) ? name : fallback}`
  const inside = calm.test(before) && calm.test(after) && !/^\w/.test(after)
  if (inside) return `"${before}${variable}${after}"`
  return `${shellWord(before)}"${variable}"${after === '' ? '' : shellWord(after)}`
}

function bytes(character: string): string {
  return [...Buffer.from(character, 'utf8')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}
