import { subtleAccountDefects } from './subtle-rest/account.ts'
import { subtleCreateDefects } from './subtle-rest/creates.ts'
import { subtleEchoDefects } from './subtle-rest/echoes.ts'

/** Mistakes of REST that show only in a combination: several avatars, another field, a value at its bound, a retry. */
export const subtleRestDefects = [...subtleEchoDefects, ...subtleCreateDefects, ...subtleAccountDefects]
