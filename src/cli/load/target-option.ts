import { shellWord } from '#report/shell-quote'

/** For a command that is shown: the profile whose objectives have to hold. Without it none is judged. */
export const targetOption = (target: string | undefined): string =>
  target === undefined ? '' : ` --target ${shellWord(target)}`
