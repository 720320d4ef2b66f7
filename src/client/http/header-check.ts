import { BadSetting } from '../errors.ts'

/**
 * Makes sure that a value can stand in a header; a key read from a file often ends with a newline.
 *
 * @param what names the value in the error, without showing it
 * @throws BadSetting
 */
export function checkHeader(name: string, value: string, what: string): void {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw new BadSetting(`${what} has a name that no header can have`)
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new BadSetting(`${what} holds a line break or another character that no header can hold`)
  if (value.trim() !== value || value === '') throw new BadSetting(`${what} is empty, or begins or ends with a space`)
}
